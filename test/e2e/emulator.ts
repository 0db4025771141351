import xterm from '@xterm/headless';

/** What a person sees at one moment. */
export interface Shown {
	readonly rows: readonly string[];
	/** What stands in each column of each row; behind a wide character an empty text. */
	readonly cells: readonly (readonly string[])[];
	/** The rows, one a line. */
	readonly text: string;
	readonly cursor: {readonly x: number; readonly y: number};
	readonly isAlternate: boolean;
}

export interface Emulator {
	write(data: string): void;
	shown(): Shown;
	/** Waits until `find` gives something; fails with a picture of the screen, at once when `hopeless` says why. */
	wait<T>(find: () => T | undefined, what: string, hopeless?: () => string | undefined): Promise<T>;
	/** The last text that was put on the clipboard of the terminal (OSC 52). */
	clipboard(): string | undefined;
	/** What programs have turned on, by its name. */
	modesOn(): readonly string[];
	/** True from when it has read `endMark`, and so all that came before. */
	isAtEnd(): boolean;
	resize(columns: number, rows: number): void;
	dispose(): void;
}

export interface EmulatorOptions {
	readonly columns: number;
	readonly rows: number;
	/** What the terminal answers to questions about it. */
	readonly onAnswer: (bytes: string) => void;
}

const endNumber = 7777;
/** A sequence that no program writes. */
export const endMark = `\x1b]${endNumber};\x07`;

const waitLimitMs = 15_000;

export function createEmulator({columns, rows, onAnswer}: EmulatorOptions): Emulator {
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	const checks = new Set<() => void>();
	let clipboard: string | undefined;
	let isAtEnd = false;
	terminal.onData(onAnswer);
	terminal.parser.registerOscHandler(52, data => {
		clipboard = Buffer.from(data.slice(data.indexOf(';') + 1), 'base64').toString();
		return true;
	});
	terminal.parser.registerOscHandler(endNumber, () => {
		isAtEnd = true;
		return true;
	});

	const shown = () => shownBy(terminal);
	return {
		write: data =>
			terminal.write(data, () => {
				for (const check of checks) check();
			}),
		shown,
		wait: (find, what, hopeless) =>
			new Promise((resolve, reject) => {
				const finish = (action: () => void) => {
					clearTimeout(limit);
					checks.delete(check);
					action();
				};
				const fail = (why: string) =>
					finish(() => reject(new Error(`${what}: ${why}\n${pictureOf(shown())}`)));
				const check = () => {
					const found = find();
					const reason = found === undefined ? hopeless?.() : undefined;
					if (found !== undefined) finish(() => resolve(found));
					else if (reason) fail(reason);
				};
				const limit = setTimeout(() => fail(`not within ${waitLimitMs} ms`), waitLimitMs);
				checks.add(check);
				check();
			}),
		clipboard: () => clipboard,
		modesOn: () =>
			Object.entries(terminal.modes).flatMap(([name, value]) =>
				value === true || (typeof value === 'string' && value !== 'none') ? [name] : [],
			),
		isAtEnd: () => isAtEnd,
		resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
		dispose: () => terminal.dispose(),
	};
}

function shownBy(terminal: InstanceType<typeof xterm.Terminal>): Shown {
	const {active} = terminal.buffer;
	const rows = Array.from(
		{length: terminal.rows},
		(_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '',
	);
	const cells = Array.from({length: terminal.rows}, (_, y) => {
		const line = active.getLine(active.baseY + y);
		return Array.from({length: terminal.cols}, (__, x) => line?.getCell(x)?.getChars() ?? '');
	});
	return {
		rows,
		cells,
		text: rows.join('\n'),
		cursor: {x: active.cursorX, y: active.cursorY},
		isAlternate: active.type === 'alternate',
	};
}

function pictureOf({rows, cursor, isAlternate}: Shown): string {
	const width = Math.max(...rows.map(row => row.length));
	const frame = '─'.repeat(width);
	const where = `${isAlternate ? 'alternate' : 'ordinary'} screen, cursor ${cursor.x},${cursor.y}`;
	return [`┌${frame}┐ ${where}`, ...rows.map(row => `│${row.padEnd(width)}│`), `└${frame}┘`].join(
		'\n',
	);
}
