import type {CompletedFlag, CompletionTable, Values} from './completion-table.js';
import {quoted} from './words.js';

const quote = (text: string): string => quoted('fish', text);

/** `-x`: a value, and no files beside it. */
const options: Readonly<Record<Values['kind'], (words: readonly string[]) => string>> = {
	words: words => `-x -a ${quote(words.join(' '))}`,
	list: words =>
		`-x -a ${quote(`(__fish_complete_list , 'string split " " "${words.join(' ')}"')`)}`,
	directory: () => `-x -a '(__fish_complete_directories)'`,
	file: () => '-r -F',
	text: () => '-x',
};

const line = (condition: string, {name, summary, values}: CompletedFlag): string => {
	const value = values && options[values.kind]('words' in values ? values.words : []);
	const parts = [condition, `-l ${name.slice(2)}`, value, `-d ${quote(summary)}`];
	return `complete -c backscroll ${parts.filter(part => part !== undefined).join(' ')}`;
};

export const fishCompletion = ({app, commands}: CompletionTable): string => {
	const names = commands.map(({name}) => name).join(' ');
	const before = `-n ${quote(`not __fish_seen_subcommand_from ${names}`)}`;
	const behind = (name: string) => `-n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
	return [
		'complete -c backscroll -f',
		...commands.map(
			({name, summary}) => `complete -c backscroll ${before} -a ${name} -d ${quote(summary)}`,
		),
		...app.flags.map(flag => line(before, flag)),
		...commands.flatMap(({name, flags, choices}) => [
			...flags.map(flag => line(behind(name), flag)),
			...(choices.length === 0
				? []
				: [`complete -c backscroll ${behind(name)} -a ${quote(choices.join(' '))}`]),
		]),
	].join('\n');
};
