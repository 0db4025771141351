/** Arguments of tool calls, for agents whose tools are named and shaped in many ways. */
import {jsonText, oneLine} from './content.js';
import {at, textOf} from './narrow.js';

export type CallArguments = Readonly<Record<string, unknown>>;

const argumentLine = ([name, value]: readonly [string, unknown]): string => {
	const text = typeof value === 'string' ? value : jsonText(value);
	return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
};

/** One line an argument; texts of several lines begin below their name. */
export const argumentLines = (args: CallArguments): string =>
	Object.entries(args).map(argumentLine).join('\n');

const todoCounts = (todos: readonly unknown[]): string => {
	const done = todos.filter(todo => at(todo, 'status') === 'completed').length;
	return `${done} of ${todos.length} done`;
};

/** The argument that matters: the first of `names` that is there, else the first text at all. */
export const subjectOf = (args: CallArguments, names: readonly string[]): string | undefined => {
	if (Array.isArray(args['todos'])) return todoCounts(args['todos']);
	const named = names.map(name => textOf(args[name])).find(text => text !== undefined);
	const text =
		named ??
		Object.values(args)
			.map(textOf)
			.find(value => value !== undefined);
	return text === undefined ? undefined : oneLine(text);
};
