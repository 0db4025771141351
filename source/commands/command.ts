import type {Config} from '../config.js';
import type {AppPaths} from '../paths.js';
import type {FlagTable, FlagValues} from './flags.js';

/** What the process runs in: the one place where environment, terminal and clock are looked at. */
export interface Host {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly platform: NodeJS.Platform;
	readonly cwd: string;
	readonly isOutputTty: boolean;
	readonly isInputTty: boolean;
	readonly isErrorTty: boolean;
	/** Width of plain output. */
	readonly columns: number;
	now(): number;
}

/** What a command is called with. */
export interface Invocation<F extends FlagTable = FlagTable> {
	readonly flags: FlagValues<F>;
	/** Words before `--`, without flags. */
	readonly words: readonly string[];
	/** Everything after `--`, as it stands. */
	readonly rest: readonly string[];
	readonly host: Host;
	readonly paths: AppPaths;
	readonly config: Config;
	/** What was wrong with the config file, one line each; also said on stderr. */
	readonly configProblems: readonly string[];
}

/** Gives the exit code; failures are thrown. */
export type Run<F extends FlagTable> = (invocation: Invocation<F>) => Promise<number> | number;

export interface Command<F extends FlagTable = FlagTable> {
	readonly name: string;
	readonly summary: string;
	/** One line a way to call it, without the program's name. */
	readonly usage: string;
	readonly flags: F;
	/** What its first word can be, where that is a choice. */
	readonly choices?: readonly string[];
	/** What the help says below the flags. */
	readonly more?: string;
	/** Loads the code of the command. A method, so that commands with different flags fit into one table. */
	load(): Promise<Run<F>>;
}
