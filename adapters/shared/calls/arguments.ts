/** Arguments of tool calls, for agents whose tools are named and shaped in many ways. */

import {jsonText, oneLine} from '../content.js';
import {at, firstText, textOf} from '../narrow.js';

export type CallArguments = Readonly<Record<string, unknown>>;

const argumentLine = ([name, value]: readonly [string, unknown]): string => {
	const text = typeof value === 'string' ? value : jsonText(value);
	return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
};

/** One line an argument; texts of several lines begin below their name. */
export const argumentLines = (args: CallArguments): string =>
	Object.entries(args).map(argumentLine).join('\n');

/** Arguments that hold the command line of a shell. */
export const COMMANDS = ['command', 'cmd'] as const;

/** Usual names of the arguments that say what a call is about, the most telling first. */
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

/** The same, with what is looked for before the place where. */
export const SOUGHT_FIRST = [
	'command',
	'pattern',
	'query',
	'url',
	'file_path',
	'filePath',
	'path',
	'description',
	'task',
	'prompt',
	'name',
] as const;

const todoCounts = (todos: readonly unknown[]): string => {
	const done = todos.filter(todo => at(todo, 'status') === 'completed').length;
	return `${done} of ${todos.length} done`;
};

/** The argument that matters: the first of `names` that is there, else the first text at all. */
export const subjectOf = (
	args: CallArguments,
	names: readonly string[] = SUBJECTS,
): string | undefined => {
	if (Array.isArray(args['todos'])) return todoCounts(args['todos']);
	const text =
		firstText(args, names) ??
		Object.values(args)
			.map(textOf)
			.find(value => value !== undefined);
	return text === undefined ? undefined : oneLine(text);
};
