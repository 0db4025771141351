/** What can be completed, taken from the table of commands: nothing about a command is said twice. */
import type {Command} from '../commands/command.js';
import {commonFlags, type Flag, type FlagTable, flagSpelling} from '../commands/flags.js';

/** `words` are a choice; `list` the same, several of them separated by commas. */
export type Values =
	| {readonly kind: 'words' | 'list'; readonly words: readonly string[]}
	| {readonly kind: 'directory' | 'file' | 'text'};

export interface CompletedFlag {
	/** With its dashes. */
	readonly name: string;
	readonly summary: string;
	readonly isMultiple: boolean;
	/** Absent: the flag has no value. */
	readonly values?: Values;
}

export interface CompletedCommand {
	readonly name: string;
	readonly summary: string;
	readonly flags: readonly CompletedFlag[];
	/** What its first word can be, where that is a choice. */
	readonly choices: readonly string[];
}

export interface CompletionTable {
	/** What runs when no command is named. */
	readonly app: CompletedCommand;
	readonly commands: readonly CompletedCommand[];
}

interface Agents {
	/** Ids that `--agent` takes. */
	readonly agents: readonly string[];
	/** Ids of those that a session can be handed over to. */
	readonly takers: readonly string[];
}

const valuesOf = ({type, choices, takes}: Flag, {agents, takers}: Agents): Values | undefined => {
	if (type === 'boolean') return undefined;
	if (choices !== undefined) return {kind: 'words', words: choices};
	if (takes === 'taker') return {kind: 'words', words: takers};
	if (takes === 'agents') return {kind: 'list', words: agents};
	return {kind: takes ?? 'text'};
};

const flagsOf = (table: FlagTable, agents: Agents): readonly CompletedFlag[] =>
	Object.entries(table).map(([name, flag]) => {
		const values = valuesOf(flag, agents);
		return {
			name: flagSpelling(name, flag),
			summary: flag.summary,
			isMultiple: flag.isMultiple === true,
			...(values === undefined ? {} : {values}),
		};
	});

export interface CompletionFacts extends Agents {
	readonly app: Command;
	readonly commands: readonly Command[];
}

export const completionTable = ({app, commands, ...agents}: CompletionFacts): CompletionTable => {
	const completed = ({name, summary, flags, choices = []}: Command): CompletedCommand => ({
		name,
		summary,
		flags: flagsOf({...flags, ...commonFlags}, agents),
		choices,
	});
	return {app: completed(app), commands: commands.map(completed)};
};
