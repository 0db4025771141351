import type {Command} from './command.js';
import {
	type FlagTable,
	filterFlags,
	freshFlags,
	jsonFlag,
	jsonLinesFlag,
	pageFlags,
} from './flags.js';

/** Checks a command against its own flags, then forgets them: the parser hands it no others. */
const command = <F extends FlagTable>(definition: Command<F>): Command =>
	definition as unknown as Command;

const allFlag = {
	all: {type: 'boolean', summary: 'with sub-agents and automated sessions'},
} as const satisfies FlagTable;

export const browseFlags = {
	...filterFlags,
	print: {type: 'boolean', summary: 'Enter prints the resume command instead of running it'},
	demo: {type: 'boolean', summary: 'an invented history instead of your own'},
} as const satisfies FlagTable;

export const syncFlags = {
	agent: filterFlags.agent,
	full: {type: 'boolean', summary: 'read every source again from its start'},
	...jsonFlag,
} as const satisfies FlagTable;

export const sourcesFlags = {
	agent: filterFlags.agent,
	files: {type: 'boolean', summary: 'the candidate files with times and sizes'},
	root: {type: 'string', value: 'DIR', summary: 'with --files: only below this directory'},
	...jsonFlag,
	...jsonLinesFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const listFlags = {
	...filterFlags,
	...allFlag,
	...pageFlags,
	sort: {
		type: 'string',
		value: 'ORDER',
		choices: ['recent', 'relevance', 'messages'],
		summary: 'recent, relevance or messages',
	},
	...jsonFlag,
	...jsonLinesFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const searchFlags = {
	...filterFlags,
	scope: {
		type: 'string',
		value: 'S',
		choices: ['prompts', 'replies', 'tools', 'outputs', 'all'],
		summary: 'prompts, replies, tools, outputs or all',
	},
	...pageFlags,
	...jsonFlag,
	...jsonLinesFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const showFlags = {
	context: {type: 'number', value: 'N', summary: 'an event with so many neighbours on each side'},
	raw: {type: 'boolean', summary: 'the raw record(s), as the agent wrote them'},
	...jsonFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const exportFlags = {
	format: {
		type: 'string',
		value: 'F',
		choices: ['markdown', 'json', 'html', 'archive'],
		summary: 'markdown (default) or json',
	},
	output: {type: 'string', value: 'PATH', summary: 'a file, a folder, or - for stdout'},
	tools: {
		type: 'string',
		value: 'HOW',
		choices: ['none', 'short', 'full'],
		summary: 'tool calls: none, short (default) or full',
	},
	reasoning: {type: 'boolean', summary: 'with the reasoning of the model'},
	withParent: {type: 'boolean', summary: 'a fork with the conversation that it goes on from'},
	redact: {type: 'boolean', isNegated: true, summary: 'leave secrets as they are'},
	force: {type: 'boolean', summary: 'overwrite an existing file'},
	...freshFlags,
} as const satisfies FlagTable;

export const resumeFlags = {
	print: {type: 'boolean', summary: 'print the shell command, start nothing'},
	exec: {type: 'boolean', summary: 'start it at once; the same as --yes'},
	yes: {type: 'boolean', summary: 'start it without asking'},
	fork: {type: 'boolean', summary: 'begin a new session from this one'},
	dir: {type: 'string', value: 'D', summary: 'start it in this directory'},
	...freshFlags,
} as const satisfies FlagTable;

export const markFlags = {
	star: {type: 'boolean', summary: 'add the star'},
	unstar: {type: 'boolean', summary: 'take the star away'},
	title: {type: 'string', value: 'T', mayBeEmpty: true, summary: "own title; '' takes it back"},
	tag: {type: 'string', value: 'T', isMultiple: true, summary: 'add a tag'},
	untag: {type: 'string', value: 'T', isMultiple: true, summary: 'remove a tag'},
	note: {type: 'string', value: 'N', mayBeEmpty: true, summary: "own note; '' removes it"},
	...jsonFlag,
} as const satisfies FlagTable;

const ref =
	'REF: a session or event reference as --json prints it, a session id, or its first 6 characters or more.';

/** The app: what runs when the first word names no command. */
export const browse = command({
	name: 'browse',
	summary: 'the app',
	usage: '[QUERY...]',
	flags: browseFlags,
	load: async () => (await import('./open-app.js')).run,
});

export const commands: readonly Command[] = [
	command({
		name: 'list',
		summary: 'sessions, newest first',
		usage: 'list [QUERY...]',
		flags: listFlags,
		load: async () => (await import('./list.js')).run,
	}),
	command({
		name: 'search',
		summary: 'the best matching event of each session',
		usage: 'search QUERY...',
		flags: searchFlags,
		more: 'Words that begin with - go behind --, as in: backscroll search -- -word',
		load: async () => (await import('./search.js')).run,
	}),
	command({
		name: 'show',
		summary: 'a session, or an event with its neighbours',
		usage: 'show REF',
		flags: showFlags,
		more: ref,
		load: async () => (await import('./show.js')).run,
	}),
	command({
		name: 'export',
		summary: 'sessions as Markdown or JSON, secrets masked',
		usage: 'export REF...',
		flags: exportFlags,
		more: `${ref}\nOne REF goes to stdout, several need --output FOLDER.`,
		load: async () => (await import('./export.js')).run,
	}),
	command({
		name: 'resume',
		summary: 'go on with a session in its own agent',
		usage: 'resume REF [-- ARGS...]',
		flags: resumeFlags,
		more: `${ref}\nARGS are handed to the agent.`,
		load: async () => (await import('./resume.js')).run,
	}),
	command({
		name: 'mark',
		summary: 'star, own title, tags, note',
		usage: 'mark REF',
		flags: markFlags,
		more: ref,
		load: async () => (await import('./mark.js')).run,
	}),
	command({
		name: 'sync',
		summary: 'read what changed, counts per agent',
		usage: 'sync',
		flags: syncFlags,
		load: async () => (await import('./sync.js')).run,
	}),
	command({
		name: 'sources',
		summary: 'where sessions were looked for, and what was found',
		usage: 'sources',
		flags: sourcesFlags,
		load: async () => (await import('./sources.js')).run,
	}),
	command({
		name: 'doctor',
		summary: 'is everything in order?',
		usage: 'doctor',
		flags: jsonFlag,
		load: async () => (await import('./doctor.js')).run,
	}),
	command({
		name: 'config',
		summary: 'the settings in effect and where they come from',
		usage: 'config',
		flags: jsonFlag,
		load: async () => (await import('./config.js')).run,
	}),
];

/** Names that are taken, though this version has nothing behind them: not to be mistaken for a search. */
export const reservedNames: readonly string[] = [
	'restore',
	'import',
	'fork',
	'forget',
	'mirror',
	'mcp',
	'stats',
	'init',
];
