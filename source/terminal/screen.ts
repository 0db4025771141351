import type {EventEmitter} from 'node:events';
import {openSync} from 'node:fs';
import {constants} from 'node:os';
import {isatty, ReadStream, WriteStream} from 'node:tty';
import {EXIT} from '../errors.js';
import {afterChildSequence, createModes, keepLineSettings, type Modes} from './modes.js';
import {printError} from './print.js';
import {sanitizeLine} from './sanitize.js';

export interface ScreenOptions {
	readonly stdin: ReadStream;
	readonly stdout: WriteStream;
	/** Runs first when the process must end: unmounts (at once), then closes what is open (given a second). */
	readonly onExit?: () => void | Promise<void>;
	/** An error that nobody caught: writes it to the log and returns the line for the person. */
	readonly onCrash?: (error: unknown) => Promise<string>;
}

export interface ScreenSize {
	readonly columns: number;
	readonly rows: number;
}

/** Ends a subscription. */
type Unsubscribe = () => void;

export interface Screen {
	readonly stdin: ReadStream;
	readonly stdout: WriteStream;
	/** Raw mode, then the alternate screen in one write. Does nothing when already there. */
	readonly enter: () => void;
	/** The alternate screen is there, and ours. */
	readonly isEntered: () => boolean;
	/** Gives back the ordinary screen and the cooked mode. Does nothing when already done. */
	readonly leave: () => void;
	/** Leaves and takes the signal handlers away: the end of a normal run. */
	readonly close: () => void;
	/** Unmounts, leaves, says why on stderr, ends the process. */
	readonly die: (code: number, message?: string) => Promise<never>;
	readonly size: () => ScreenSize;
	readonly onResize: (callback: () => void) => Unsubscribe;
	/** Called when the screen was entered anew and is empty. */
	readonly onRepaint: (callback: () => void) => Unsubscribe;
	/** Ctrl-Z: leaves and stops the job; enters and asks for a repaint when it goes on. */
	readonly suspend: () => void;
	/** Leaves for another program; the returned function undoes what that may have left on, and enters again. */
	readonly handOver: () => () => void;
}

/** Below this nothing useful can be drawn. */
export const smallestSize: ScreenSize = {columns: 20, rows: 6};

const unknownSize: ScreenSize = {columns: 80, rows: 24};

const fatalSignals = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const;
/** What the keys Ctrl-C and Ctrl-\ send to a whole foreground group, a child of ours included. */
const keyboardSignals: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);
const standardStreams = [0, 1, 2];
const exitHookLimitMs = 1000;
const stopLimitMs = 100;
/** The Ctrl-C that ended a child may be reported to us after the end of the child (seen on a busy machine). */
const lateSignalMs = 200;

/** Owns the terminal until `close`: whichever way the process ends, the shell gets it back as it was. */
export function createScreen(options: ScreenOptions): Screen {
	const {stdin, stdout} = options;
	const modes = createModes(stdin, stdout);
	const repaintCallbacks = new Set<() => void>();
	const job = createJob(modes, () => {
		// Of a resize while the shell was in front only the shell was told.
		refreshSize(stdout);
		for (const repaint of repaintCallbacks) repaint();
	});
	const dying = createDying(modes.leave, options.onExit);
	const stopWatching = watchEnds(options, {modes, job, dying});

	return {
		stdin,
		stdout,
		enter: modes.enter,
		isEntered: modes.isEntered,
		leave: modes.leave,
		close() {
			modes.leave();
			stdin.pause();
			job.close();
			stopWatching();
		},
		die: dying.die,
		size: () => sizeOf(stdout),
		onResize: callback => listen([[stdout, 'resize', callback]]),
		onRepaint(callback) {
			repaintCallbacks.add(callback);
			return () => repaintCallbacks.delete(callback);
		},
		suspend: job.stop,
		handOver() {
			modes.leave();
			// Else we would go on reading, and eat the keys of the child.
			stdin.pause();
			job.giveAway();
			const putBackLineSettings = keepLineSettings();
			return () => {
				putBackLineSettings();
				job.takeBack();
				if (dying.isDying()) return;
				stdout.write(afterChildSequence);
				modes.enter();
			};
		},
	};
}

/** stdin and stdout of the terminal itself, for `--print`, whose stdout carries nothing but the command. */
export function openTerminal():
	| {readonly stdin: ReadStream; readonly stdout: WriteStream}
	| undefined {
	try {
		const stdout = new WriteStream(openSync('/dev/tty', 'w'));
		// Node refreshes the size of its own stdout only.
		process.on('SIGWINCH', () => refreshSize(stdout));
		return {stdin: process.stdin.isTTY ? process.stdin : openInput(), stdout};
	} catch {
		// No terminal at all: `screenProblem` says so of the streams that there are.
		return undefined;
	}
}

/** Why no screen can be drawn here, in one line; undefined when it can. */
export function screenProblem(
	stdin: {readonly isTTY?: boolean},
	stdout: {readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number},
	term?: string,
): string | undefined {
	if (!stdin.isTTY || !stdout.isTTY)
		return 'no terminal to draw on; "backscroll list" and "backscroll search" work without one';
	if (term === 'dumb') return 'TERM=dumb cannot draw a screen; "backscroll list" works without one';
	const {columns, rows} = sizeOf(stdout);
	return columns < smallestSize.columns || rows < smallestSize.rows
		? `the terminal is too small: ${columns}×${rows}, at least ${smallestSize.columns}×${smallestSize.rows} are needed`
		: undefined;
}

/** A terminal that does not tell its size says 0, or nothing. */
export function sizeOf(stdout: {readonly columns?: number; readonly rows?: number}): ScreenSize {
	return {columns: stdout.columns || unknownSize.columns, rows: stdout.rows || unknownSize.rows};
}

interface Parts {
	readonly modes: Modes;
	readonly job: ReturnType<typeof createJob>;
	readonly dying: ReturnType<typeof createDying>;
}

/** All that ends the process, or would: signals, errors that nobody caught, a terminal that is gone. */
function watchEnds(
	{stdin, stdout, onCrash}: ScreenOptions,
	{modes, job, dying}: Parts,
): Unsubscribe {
	const onCrashed = async (error: unknown) => {
		const message = onCrash ? await onCrash(error) : `backscroll: ${sanitizeLine(String(error))}`;
		void dying.die(EXIT.bug, message);
	};
	const onSignal = (signal: NodeJS.Signals) => {
		const isForChild = job.isChildsTurn() && keyboardSignals.has(signal);
		if (!isForChild) dying.dieOf(signal);
	};
	const onTerminalGone = () => {
		if (!dying.isDying()) dying.dieOf('SIGHUP');
	};
	return listen([
		...fatalSignals.map((signal): Listener => [process, signal, onSignal]),
		[process, 'uncaughtException', onCrashed],
		[process, 'unhandledRejection', onCrashed],
		[process, 'exit', modes.leave],
		[stdin, 'end', onTerminalGone],
		[stdin, 'error', onTerminalGone],
		[stdout, 'error', onTerminalGone],
	]);
}

/** The one way out of the process while a screen is there. */
function createDying(leave: () => void, onExit: ScreenOptions['onExit']) {
	let isDying = false;
	const terminals = standardStreams.filter(isatty);
	/** Node aborts in `process.exit` when it cannot set the modes of a terminal that was closed; the signal's own way out does not. */
	const end = (code: number) => {
		if (terminals.every(isatty)) process.exit(code);
		process.removeAllListeners('SIGHUP');
		process.kill(process.pid, 'SIGHUP');
	};
	const runExitHook = async () => {
		try {
			await onExit?.();
		} catch (error) {
			printError(`backscroll: ${sanitizeLine(String(error))}\n`);
		}
	};
	const die = async (code: number, message?: string): Promise<never> => {
		if (isDying) return never();
		isDying = true;
		const hook = runExitHook();
		leave();
		if (message) printError(`${message}\n`);
		await Promise.race([hook, new Promise(resolve => setTimeout(resolve, exitHookLimitMs))]);
		end(code);
		return never();
	};
	return {
		isDying: () => isDying,
		die,
		dieOf(signal: NodeJS.Signals) {
			const code = 128 + constants.signals[signal];
			// The second signal of an impatient person does not wait for the hook.
			if (isDying) end(code);
			else void die(code);
		},
	};
}

/** Stopping by Ctrl-Z, or by SIGTSTP from elsewhere, and going on; and whose keys Ctrl-C and Ctrl-Z are while a child runs. */
function createJob(modes: Modes, repaint: () => void) {
	let isChildsTurn = false;
	let turnEnd: NodeJS.Timeout | undefined;
	const stop = () => {
		const wasEntered = modes.isEntered();
		modes.leave();
		// Without a listener the signal does what it does by default.
		process.off('SIGTSTP', stop);
		const goOn = () => {
			clearTimeout(limit);
			process.off('SIGCONT', goOn);
			process.on('SIGTSTP', stop);
			if (!wasEntered) return;
			modes.enter();
			repaint();
		};
		process.on('SIGCONT', goOn);
		// A job without a shell above it is never stopped, and then nothing would wake us.
		const limit = setTimeout(goOn, stopLimitMs);
		process.kill(0, 'SIGTSTP');
	};
	process.on('SIGTSTP', stop);
	return {
		stop,
		isChildsTurn: () => isChildsTurn,
		giveAway() {
			clearTimeout(turnEnd);
			isChildsTurn = true;
			process.off('SIGTSTP', stop);
		},
		takeBack() {
			process.on('SIGTSTP', stop);
			turnEnd = setTimeout(() => {
				isChildsTurn = false;
			}, lateSignalMs).unref();
		},
		close: () => void process.off('SIGTSTP', stop),
	};
}

const never = () => new Promise<never>(() => undefined);

type Listener = readonly [
	emitter: EventEmitter,
	event: string,
	listener: (...args: never[]) => void,
];

function listen(listeners: readonly Listener[]): Unsubscribe {
	for (const [emitter, event, listener] of listeners)
		emitter.on(event, listener as (...args: unknown[]) => void);
	return () => {
		for (const [emitter, event, listener] of listeners)
			emitter.off(event, listener as (...args: unknown[]) => void);
	};
}

/** A paused stream of our own must stop reading, as Node sees to for `process.stdin`: the keys belong to the child then. */
function openInput(): ReadStream {
	const stdin = new ReadStream(openSync('/dev/tty', 'r'));
	const {_handle: handle} = stdin as unknown as {_handle: {reading: boolean; readStop(): void}};
	stdin.on('pause', () => {
		if (!handle.reading) return;
		handle.reading = false;
		handle.readStop();
	});
	return stdin;
}

function refreshSize(stdout: WriteStream): void {
	(stdout as unknown as {_refreshSize?(): void})._refreshSize?.();
}
