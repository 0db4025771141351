import {spawnSync} from 'node:child_process';
import {closeSync, constants as fileConstants, openSync, writeSync} from 'node:fs';
import {constants} from 'node:os';
import {type IPty, spawn} from 'node-pty';
import {createEmulator, endMark, type Shown} from './emulator.js';
import {bytesOf} from './keys.js';

export interface TerminalOptions {
	readonly argv: readonly string[];
	readonly columns?: number;
	readonly rows?: number;
	/** The whole environment of the program. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string;
}

export interface ExitStatus {
	readonly code: number;
	readonly signal: NodeJS.Signals | null;
}

/** A real process in a real pseudo-terminal, seen through the eyes of an emulator. */
export interface Terminal {
	readonly pid: number;
	/** Chords (`enter`, `ctrl+r`, `shift+tab`, `alt+x`, `f1`); everything else is typed as it is. */
	press(...keys: readonly string[]): Promise<void>;
	paste(text: string): void;
	/** Bytes as they are. */
	send(bytes: string): void;
	/** Waits until the screen fits; fails with a picture of it. */
	until(fits: (shown: Shown) => boolean, what: string): Promise<Shown>;
	untilText(text: string | RegExp): Promise<Shown>;
	shown(): Shown;
	screen(): readonly string[];
	cursor(): Shown['cursor'];
	isAlternate(): boolean;
	/** All that the program has written, escape sequences included. */
	output(): string;
	bytesWritten(): number;
	/** The last text that was put on the clipboard of the terminal (OSC 52). */
	clipboard(): string | undefined;
	/** What programs have turned on in the terminal, by the names of xterm.js. */
	modesOn(): readonly string[];
	resize(columns: number, rows: number): void;
	/** Waits for the end of the program, with all of its output shown. */
	exit(): Promise<ExitStatus>;
	kill(signal: NodeJS.Signals): void;
	/** The window is closed: the program loses its terminal. */
	closeWindow(): void;
	/** The line settings as a shell wants to find them; also after the end of the program. */
	sttyIsCooked(): boolean;
	/** Ends whatever is left. */
	dispose(): void;
}

/** Nobody presses another key sooner after Escape; glued to it, the key would rightly be read as Alt with that key. */
const escapePaceMs = 80;

/** SIGABRT and SIGIOT are one number: the first name counts. */
const signalNames = new Map(
	Object.entries(constants.signals)
		.reverse()
		.map(([name, number]) => [number, name as NodeJS.Signals]),
);

export function openTerminal(options: TerminalOptions): Terminal {
	const {columns = 100, rows = 30} = options;
	const pty = spawnIn(options, columns, rows);
	const emulator = createEmulator({columns, rows, onAnswer: bytes => pty.write(bytes)});
	// Held open, so that the terminal can be looked at when the program has gone.
	const line = openSync(pty.ptsName, fileConstants.O_RDWR | fileConstants.O_NOCTTY);
	let output = '';
	let status: ExitStatus | undefined;
	let isClosed = false;

	pty.onData(data => {
		output += data;
		emulator.write(data);
	});
	pty.onExit(({exitCode, signal}) => {
		status = {code: exitCode, signal: signalNames.get(signal ?? 0) ?? null};
		// Through the terminal, behind the last words of the program; after `closeWindow` nothing comes through any more.
		if (isClosed) emulator.write(endMark);
		else writeSync(line, endMark);
	});

	const {shown} = emulator;
	const endStatus = () => (emulator.isAtEnd() ? status : undefined);
	const whyHopeless = () => {
		const ended = endStatus();
		return ended && `the program ended with ${JSON.stringify(ended)}`;
	};
	const until: Terminal['until'] = (fits, what) =>
		emulator.wait(
			() => {
				const now = shown();
				return fits(now) ? now : undefined;
			},
			what,
			whyHopeless,
		);
	const closeWindow = () => {
		if (isClosed) return;
		isClosed = true;
		closeSync(line);
		pty.destroy();
	};

	return {
		pid: pty.pid,
		press: pressInto(bytes => pty.write(bytes)),
		paste: text => pty.write(`\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`),
		send: bytes => pty.write(bytes),
		until,
		untilText: text => until(({text: all}) => hasText(all, text), `text ${text}`),
		shown,
		screen: () => shown().rows,
		cursor: () => shown().cursor,
		isAlternate: () => shown().isAlternate,
		output: () => output,
		bytesWritten: () => Buffer.byteLength(output),
		clipboard: emulator.clipboard,
		modesOn: emulator.modesOn,
		resize(newColumns, newRows) {
			emulator.resize(newColumns, newRows);
			pty.resize(newColumns, newRows);
		},
		exit: () => emulator.wait(endStatus, 'end of the program'),
		kill: signal => process.kill(pty.pid, signal),
		closeWindow,
		sttyIsCooked: () => isCooked(line),
		dispose() {
			if (!status) process.kill(pty.pid, 'SIGKILL');
			closeWindow();
			emulator.dispose();
		},
	};
}

function pressInto(write: (bytes: string) => void): Terminal['press'] {
	let escapeAtMs = Number.NEGATIVE_INFINITY;
	return async (...keys) => {
		for (const key of keys) {
			const waitMs = escapeAtMs + escapePaceMs - performance.now();
			if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs));
			write(bytesOf(key));
			if (key === 'escape') escapeAtMs = performance.now();
		}
	};
}

function hasText(all: string, wanted: string | RegExp): boolean {
	return typeof wanted === 'string' ? all.includes(wanted) : wanted.test(all);
}

function isCooked(line: number): boolean {
	const {stdout} = spawnSync('stty', ['-a'], {stdio: [line, 'pipe', 'inherit']});
	const settings = stdout.toString().split(/[\s;]+/);
	return ['icanon', 'echo', 'isig', 'icrnl', 'opost'].every(name => settings.includes(name));
}

type UnixPty = IPty & {readonly ptsName: string; _emittedClose: boolean; destroy(): void};

function spawnIn({argv, env, cwd}: TerminalOptions, cols: number, rows: number): UnixPty {
	const [file = '', ...args] = argv;
	// Ink draws nothing when it believes to run in CI.
	const {CI: _ci, CONTINUOUS_INTEGRATION: _integration, ...kept} = env;
	const pty = spawn(file, args, {
		name: env['TERM'] ?? 'xterm-256color',
		cols,
		rows,
		env: kept,
		...(cwd === undefined ? {} : {cwd}),
	}) as UnixPty;
	// Else node-pty closes the terminal at the end of the program, before one can look at it.
	pty._emittedClose = true;
	return pty;
}
