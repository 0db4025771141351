/** The flags of the command line as data: meow parses by them, the help is printed from them. */

export interface Flag {
	readonly type: 'boolean' | 'string' | 'number';
	readonly summary: string;
	/** What stands for the value in the help. */
	readonly value?: string;
	/** Spelled `--no-x` in the help: on unless it is taken back. */
	readonly isNegated?: true;
	/** May be given several times. */
	readonly isMultiple?: true;
	readonly choices?: readonly string[];
	/** What the value is, for completion. */
	readonly takes?: 'directory' | 'file' | 'taker' | 'agents';
	/** An empty value has a meaning of its own. */
	readonly mayBeEmpty?: true;
}

/** `--no-sync`, `--data-dir` */
export const flagSpelling = (name: string, {isNegated}: Pick<Flag, 'isNegated'> = {}): string =>
	`--${isNegated ? 'no-' : ''}${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

export type FlagTable = Readonly<Record<string, Flag>>;

type Single<F extends Flag> = F['type'] extends 'boolean'
	? boolean
	: F['type'] extends 'number'
		? number
		: F extends {readonly choices: readonly (infer C)[]}
			? C
			: string;

/** Values of the flags that were given. */
export type FlagValues<F extends FlagTable> = {
	readonly [K in keyof F]?: F[K] extends {readonly isMultiple: true}
		? readonly Single<F[K]>[]
		: Single<F[K]>;
};

export const commonFlags = {
	dataDir: {
		type: 'string',
		value: 'D',
		takes: 'directory',
		summary: 'keep everything that is written in this folder',
	},
	help: {type: 'boolean', summary: 'this help'},
	version: {type: 'boolean', summary: 'the version'},
} as const satisfies FlagTable;

/** Of commands that look what changed before they answer. */
export const freshFlags = {
	wait: {type: 'boolean', summary: 'read all that changed first, however long it takes'},
	sync: {type: 'boolean', isNegated: true, summary: 'answer from what is there, read nothing'},
} as const satisfies FlagTable;

export const filterFlags = {
	agent: {
		type: 'string',
		value: 'A,B',
		takes: 'agents',
		isMultiple: true,
		summary: 'only these agents',
	},
	project: {
		type: 'string',
		value: 'P',
		takes: 'directory',
		summary: 'a directory, or part of a project name',
	},
	since: {type: 'string', value: 'D', summary: 'from then on: 2d, 1w, today, 2026-11-01'},
	until: {type: 'string', value: 'D', summary: 'up to then'},
	here: {type: 'boolean', summary: 'only the project of the current directory'},
} as const satisfies FlagTable;

export const jsonFlag = {
	json: {type: 'boolean', summary: 'one JSON document on stdout'},
} as const satisfies FlagTable;

export const jsonLinesFlag = {
	jsonl: {type: 'boolean', summary: 'one JSON object a line on stdout'},
} as const satisfies FlagTable;

export const pageFlags = {
	limit: {type: 'number', value: 'N', summary: 'at most so many rows'},
	cursor: {type: 'string', value: 'C', summary: 'go on where the answer before ended'},
} as const satisfies FlagTable;
