import meow from 'meow';
import {UsageError} from '../errors.js';
import type {Command} from './command.js';
import {commonFlags, type Flag, type FlagTable, type FlagValues, flagSpelling} from './flags.js';
import {browse, commands, reservedNames} from './table.js';

export interface ParsedArguments {
	readonly command: Command;
	readonly flags: FlagValues<FlagTable>;
	/** The same flags again, those that every command has. */
	readonly common: FlagValues<typeof commonFlags>;
	readonly words: readonly string[];
	readonly rest: readonly string[];
	/** Text of `--help`. */
	readonly help: string;
}

/**
 * Finds the command and its flags. What stands behind `--` is kept apart first: meow gives both sides as one list, so that
 * `backscroll -- list` could not be told from `backscroll list`.
 * @throws UsageError
 */
export const parseArguments = (argv: readonly string[]): ParsedArguments => {
	const cut = argv.includes('--') ? argv.indexOf('--') : argv.length;
	const rest = argv.slice(cut + 1);
	const {command, others} = splitCommand(withDashes(argv.slice(0, cut)));
	const table: FlagTable = {...command.flags, ...commonFlags};
	const {input, flags, unnormalizedFlags, help} = parse(command, table, others);
	for (const name of Object.keys(unnormalizedFlags))
		if (!Object.hasOwn(table, name))
			throw new UsageError(
				name.length === 1
					? `no flag -${name} here: words that begin with - go behind --`
					: `no flag ${spelled(name)} here: see ${helpCall(command)}`,
			);
	const values = checkedFlags(table, flags);
	return {command, flags: values, common: values, words: input, rest, help};
};

const splitCommand = (
	head: readonly string[],
): {readonly command: Command; readonly others: readonly string[]} => {
	const position = firstWord(head);
	const word = head[position];
	if (word !== undefined && reservedNames.includes(word))
		throw new UsageError(`${word}: this version does not have it yet`);
	const command = commands.find(({name}) => name === word);
	return command === undefined
		? {command: browse, others: head}
		: {command, others: head.filter((_, index) => index !== position)};
};

/** `--output -` is spelled `--output=-`: a lone dash is no value for the parser. */
const withDashes = (head: readonly string[]): readonly string[] =>
	head.flatMap((word, index) => {
		if (head[index + 1] === '-' && valueFlags.has(word)) return [`${word}=-`];
		return word === '-' && valueFlags.has(head[index - 1] ?? '') ? [] : [word];
	});

/** Index of the first word that is neither a flag nor the value of one. */
const firstWord = (head: readonly string[]): number => {
	let index = 0;
	while (/^-./.test(head[index] ?? '')) index += valueFlags.has(head[index] ?? '') ? 2 : 1;
	return index;
};

const spelled = (name: string): string => (name.length === 1 ? `-${name}` : flagSpelling(name));

const valueFlags: ReadonlySet<string> = new Set(
	[browse, ...commands].flatMap(({flags}) =>
		Object.entries({...flags, ...commonFlags})
			.filter(([, {type}]) => type !== 'boolean')
			.map(([name]) => spelled(name)),
	),
);

const parse = (command: Command, table: FlagTable, argv: readonly string[]) => {
	try {
		const flags = Object.fromEntries(
			Object.entries(table).map(([name, {type, isMultiple}]) => [
				name,
				{type, ...(isMultiple && {isMultiple})},
			]),
		);
		return meow(helpText(command), {
			importMeta: import.meta,
			pkg: {name: 'backscroll', bin: {backscroll: ''}},
			argv,
			flags,
			// help and version are ours, so that they work beside other flags and print through the terminal layer
			autoHelp: false,
			autoVersion: false,
			description: false,
			booleanDefault: undefined,
		});
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error), {cause: error});
	}
};

type CheckedFlags = FlagValues<FlagTable> & FlagValues<typeof commonFlags>;

const checkedFlags = (table: FlagTable, flags: Readonly<Record<string, unknown>>): CheckedFlags => {
	const given = Object.entries(flags).filter(
		([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
	);
	for (const [name, value] of given) {
		const flag = table[name];
		if (flag === undefined) continue;
		for (const single of [value].flat()) checkValue(name, flag, single);
	}
	return Object.fromEntries(given) as CheckedFlags;
};

const checkValue = (name: string, flag: Flag, value: unknown): void => {
	if (flag.type === 'number' && !(Number.isSafeInteger(value) && Number(value) >= 0))
		throw new UsageError(`${spelled(name)} needs a whole number`);
	if (value === '' && !flag.mayBeEmpty) throw new UsageError(`${spelled(name)} needs a value`);
	if (flag.choices !== undefined && !flag.choices.includes(String(value)))
		throw new UsageError(`${spelled(name)} takes ${flag.choices.join(', ')}, not ${value}`);
};

const helpCall = ({name}: Command): string =>
	name === browse.name ? 'backscroll --help' : `backscroll ${name} --help`;

const columns = (rows: readonly (readonly [left: string, right: string])[]): string => {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const flagRows = (table: FlagTable): string =>
	columns(
		Object.entries(table).map(([name, flag]) => [
			`${flagSpelling(name, flag)}${flag.value === undefined ? '' : ` ${flag.value}`}`,
			flag.summary,
		]),
	);

const helpText = (command: Command): string =>
	[
		`backscroll ${command.usage}`,
		command === browse
			? 'One history of all your coding agents: search it, read it, jump back in.'
			: `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
		flagRows({...command.flags, ...commonFlags}),
		...(command.more === undefined ? [] : [command.more]),
		...(command === browse
			? [
					`Commands (backscroll COMMAND --help says more)\n${columns(commands.map(({name, summary}) => [name, summary]))}`,
					'A first word that names a command is that command; backscroll -- list searches for the word.',
				]
			: []),
	].join('\n\n');
