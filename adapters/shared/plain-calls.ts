/** Facts of tool calls whose arguments go by the usual names: what most agents' own tools have in common. */
import type {FileTouch, ToolFacts} from '../types.js';
import {argumentLines, type CallArguments, subjectOf} from './call-arguments.js';
import {compact} from './compact.js';
import {fileFacts} from './edit-calls.js';
import {textOf} from './narrow.js';

/** What tools do to the file that their call names, by name or kind of the tool. */
export type Changes = Readonly<Record<string, FileTouch['change']>>;

const COMMANDS = ['command', 'cmd'] as const;
const SUBJECTS = [
	...COMMANDS,
	'file_path',
	'target_file',
	'path',
	'pattern',
	'query',
	'url',
	'description',
	'task',
	'prompt',
] as const;

/** Facts of a call apart from its name and id. */
export const plainCallFacts = (
	args: CallArguments,
	change: FileTouch['change'] | undefined,
): ToolFacts => {
	const facts = fileFacts(change, args);
	const isPatch = facts.patch?.startsWith('***') === true;
	const subject = isPatch ? facts.files?.[0]?.path : subjectOf(args, SUBJECTS);
	return {...compact({subject}), ...facts};
};

/** A call as text: a command alone, else the arguments line by line. */
export const plainCallText = (args: CallArguments): string =>
	COMMANDS.map(name => textOf(args[name])).find(text => text !== undefined) ?? argumentLines(args);

export const changeOf = (changes: Changes, name: string): FileTouch['change'] | undefined =>
	Object.hasOwn(changes, name) ? changes[name] : undefined;

/** `/name` or `/name args`, as typed; a path is none. */
export const isSlashCommand = (text: string): boolean => /^\/[a-z][\w:-]*(?:\s|$)/i.test(text);
