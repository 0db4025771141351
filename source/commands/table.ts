import {shellNames} from '../shell/words.js';
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
	all: {type: 'boolean', summary: 'also where an agent would keep its store and never did'},
	files: {type: 'boolean', summary: 'the candidate files with times and sizes'},
	root: {
		type: 'string',
		value: 'DIR',
		takes: 'directory',
		summary: 'with --files: only below this directory',
	},
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
	deep: {type: 'boolean', summary: 'look for the text in the raw records, beyond the index'},
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
		summary: 'markdown (default), json or archive',
	},
	output: {
		type: 'string',
		value: 'PATH',
		takes: 'file',
		summary: 'a file, a folder, or - for stdout',
	},
	tools: {
		type: 'string',
		value: 'HOW',
		choices: ['none', 'short', 'full'],
		summary: 'tool calls: none, short (default) or full',
	},
	reasoning: {type: 'boolean', summary: 'with the reasoning of the model'},
	withParent: {type: 'boolean', summary: 'a fork with the conversation that it goes on from'},
	redact: {type: 'boolean', isNegated: true, summary: 'leave secrets as they are'},
	review: {type: 'boolean', summary: 'only list the secrets that would be masked'},
	raw: {type: 'boolean', summary: 'an archive with the raw records'},
	force: {type: 'boolean', summary: 'overwrite an existing file'},
	...freshFlags,
} as const satisfies FlagTable;

export const resumeFlags = {
	print: {type: 'boolean', summary: 'print the shell command, start nothing'},
	exec: {type: 'boolean', summary: 'start it at once; the same as --yes'},
	yes: {type: 'boolean', summary: 'start it without asking'},
	fork: {type: 'boolean', summary: 'begin a new session from this one'},
	dir: {type: 'string', value: 'D', takes: 'directory', summary: 'start it in this directory'},
	with: {
		type: 'string',
		value: 'AGENT',
		takes: 'taker',
		summary: 'hand the conversation over to another agent: a new session that has read it',
	},
	tmux: {
		type: 'string',
		value: 'WHERE',
		choices: ['window', 'split'],
		summary: 'start it in a new tmux window, or in half of this one',
	},
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

export const statsFlags = {
	since: {type: 'string', value: 'D', summary: 'only from then on: 2d, 1w, today, 2026-11-01'},
	...jsonFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const initFlags = {
	key: {
		type: 'string',
		value: 'KEY',
		summary: 'key that opens the app, such as ctrl-g (default) or alt-h; none for no key',
	},
	backgroundSync: {
		type: 'boolean',
		summary: 'also sync quietly when a shell starts, at most every 12 hours',
	},
} as const satisfies FlagTable;

export const restoreFlags = {
	...jsonFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const importFlags = {
	from: {
		type: 'string',
		value: 'AGENT',
		summary: 'the agent that wrote it, where its records do not tell',
	},
	...jsonFlag,
} as const satisfies FlagTable;

export const forkFlags = {
	at: {type: 'string', value: 'EVENT', summary: 'only up to this event'},
	...jsonFlag,
	...freshFlags,
} as const satisfies FlagTable;

export const forgetFlags = {
	project: {type: 'string', value: 'P', summary: 'all sessions of a directory or project'},
	olderThan: {type: 'string', value: 'D', summary: 'all last used before then: 90d, 2026-01-31'},
	dryRun: {type: 'boolean', summary: 'only say what would go'},
	yes: {type: 'boolean', summary: 'do it without asking'},
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
		more: `${ref}\nARGS are handed to the agent. Nothing is started before you say so, unless with --yes or --exec.`,
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
		name: 'restore',
		summary: 'put a cleaned-up transcript back where its agent looks for it',
		usage: 'restore REF',
		flags: restoreFlags,
		more: `${ref}\nNever over an existing file. With its sub-agents; then it can be resumed again.`,
		load: async () => (await import('./restore.js')).run,
	}),
	command({
		name: 'import',
		summary: 'a transcript from elsewhere, a Custom History file or an archive',
		usage: 'import FILE',
		flags: importFlags,
		more: 'It becomes a session of its own, marked imported. The file stays as it is; the same file twice adds nothing.',
		load: async () => (await import('./import.js')).run,
	}),
	command({
		name: 'fork',
		summary: 'a new session out of another one, whole or up to an event',
		usage: 'fork REF',
		flags: forkFlags,
		more: `${ref}\nIt stays in the history, marked imported; the agent does not know it. resume --fork begins one in the agent.`,
		load: async () => (await import('./fork.js')).run,
	}),
	command({
		name: 'forget',
		summary: 'remove sessions from the history for good, and do not read them again',
		usage: 'forget REF | --project P | --older-than D',
		flags: forgetFlags,
		more: `${ref}\nText, index, mirror and own marks go, those of sub-agents too. The agent's own files stay.`,
		load: async () => (await import('./forget.js')).run,
	}),
	command({
		name: 'mirror',
		summary: 'check our copy of the raw records: mirror verify',
		usage: 'mirror verify',
		flags: jsonFlag,
		load: async () => (await import('./mirror.js')).run,
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
		name: 'stats',
		summary: 'sessions, prompts, tokens and cost per day, agent, project and model',
		usage: 'stats',
		flags: statsFlags,
		more: 'Each model message is counted once, also where forks hold copies of it.',
		load: async () => (await import('./stats.js')).run,
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
	command({
		name: 'init',
		summary: 'what a shell needs: completions, and a key that opens the app',
		usage: `init ${shellNames.join('|')}`,
		flags: initFlags,
		choices: shellNames,
		more: 'For bash, at the end of ~/.bashrc: eval "$(backscroll init bash)"',
		load: async () => (await import('./init.js')).run,
	}),
];

/** Names that are taken, though this version has nothing behind them: not to be mistaken for a search. */
export const reservedNames: readonly string[] = ['mcp'];
