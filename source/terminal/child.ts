import {type StdioOptions, spawn} from 'node:child_process';
import {existsSync, openSync} from 'node:fs';
import {ChildError} from '../errors.js';
import type {Screen} from './screen.js';

export interface ChildOptions {
	readonly argv: readonly string[];
	readonly cwd?: string;
	/** The whole environment of the child. */
	readonly env: NodeJS.ProcessEnv;
}

export interface ChildResult {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** The terminal sends these to the whole foreground group: they are the child's affair. */
const childSignals = ['SIGINT', 'SIGQUIT'] as const;
/** Sent to us alone: the child must not be left behind in a terminal that the shell takes back. */
const forwardedSignals = ['SIGTERM', 'SIGHUP'] as const;

/** A program in the foreground, without a screen of ours; rejects with a `ChildError` when it cannot be started. */
export async function runForeground(
	options: ChildOptions,
	stdio: StdioOptions = 'inherit',
): Promise<ChildResult> {
	const ignore = () => undefined;
	for (const signal of childSignals) process.on(signal, ignore);
	try {
		return await spawned(options, stdio);
	} finally {
		for (const signal of childSignals) process.off(signal, ignore);
	}
}

/**
 * The program takes the terminal over: the app unmounts before the call, and renders again after it. `notice` is printed on the
 * ordinary screen, which shows for a moment.
 */
export async function runChild(
	screen: Screen,
	{notice, ...options}: ChildOptions & {readonly notice?: string},
): Promise<ChildResult> {
	const takeBack = screen.handOver();
	try {
		if (notice) screen.stdout.write(`${notice}\n`);
		return await runForeground(options, terminalStdio());
	} finally {
		takeBack();
	}
}

/**
 * Where stdin or stdout is no terminal (`--print`), the child gets the real one. Only there: tmux, for one, refuses to run on
 * `/dev/tty`.
 */
function terminalStdio(): StdioOptions {
	return [
		process.stdin.isTTY ? 'inherit' : openSync('/dev/tty', 'r'),
		process.stdout.isTTY ? 'inherit' : openSync('/dev/tty', 'w'),
		'inherit',
	];
}

function spawned({argv, cwd, env}: ChildOptions, stdio: StdioOptions): Promise<ChildResult> {
	return new Promise((resolve, reject) => {
		const [file = '', ...args] = argv;
		const fail = (error: unknown) =>
			reject(new ChildError(reasonFor(error, file, cwd), {cause: error}));
		try {
			const child = spawn(file, args, {cwd, env, stdio});
			const forward = (signal: NodeJS.Signals) => child.kill(signal);
			for (const signal of forwardedSignals) process.on(signal, forward);
			const stopForwarding = () => {
				for (const signal of forwardedSignals) process.off(signal, forward);
			};
			child.once('error', error => {
				stopForwarding();
				fail(error);
			});
			child.once('exit', (code, signal) => {
				stopForwarding();
				resolve({code, signal});
			});
		} catch (error) {
			// Too long an argument list, a NUL in an argument: thrown, not emitted.
			fail(error);
		}
	});
}

function reasonFor(error: unknown, file: string, cwd: string | undefined): string {
	const {code, message} = error as NodeJS.ErrnoException;
	if (cwd !== undefined && !existsSync(cwd)) return `the directory ${cwd} does not exist`;
	if (code === 'ENOENT') return `${file} was not found`;
	if (code === 'EACCES') return `${file} may not be run`;
	return `${file} could not be started: ${message}`;
}
