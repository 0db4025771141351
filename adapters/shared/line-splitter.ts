/**
 * Cuts bytes into lines in bounded memory. Lines end at LF only (U+2028 inside a string is text), and are decoded as a whole,
 * so no character is ever cut at a chunk border.
 */

import type {Buffer as Bytes} from 'node:buffer';
import type {ByteInput} from './bytes.js';

/** A longer line is scanned, not loaded. */
const LINE_LIMIT = 16 * 1024 * 1024;
/** What is kept of a line that is too long. */
const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;

const LF = 10;
const CR = 13;
/** What a line may hold beside its text: BOM and CR. */
const MARGIN_BYTES = 4;

/** Where to go on: bytes (decompressed) and whole lines before it. */
export interface LinePosition {
	readonly offset: number;
	readonly lineNumber: number;
}

export interface LineOptions {
	/** How much is read at once. */
	readonly chunkBytes?: number;
	/** Length from which a line counts as too long. */
	readonly limitBytes?: number;
}

/** A line with something in it. */
export interface RawLine {
	/** From 1. */
	readonly number: number;
	/** Of the first byte that is text: NUL padding and a BOM lie before it. */
	readonly offset: number;
	/** Without the line end. */
	readonly length: number;
	/** `buffer[start, end)` is the line, or the head of one that is too long: valid until the next line is asked for. */
	readonly buffer: Bytes;
	readonly start: number;
	readonly end: number;
	readonly isLong: boolean;
	/** Nothing ends it: the file stops here, perhaps in the middle of a record. */
	readonly isTorn: boolean;
}

// Kept from one file to the next: thousands of small files would else leave a buffer each to the garbage collector.
let spare: Bytes | undefined;

const takeBuffer = (sizeBytes: number): Bytes => {
	const buffer = spare?.length === sizeBytes ? spare : Buffer.allocUnsafeSlow(sizeBytes);
	spare = undefined;
	return buffer;
};

const giveBuffer = (buffer: Bytes): void => {
	if (buffer.length === 2 * CHUNK_BYTES) spare = buffer;
};

/** The part of the input that is in memory: `buffer[start, end)` is not given out yet, `[scanned, end)` not looked at. */
interface Window {
	readonly input: ByteInput;
	readonly chunkBytes: number;
	readonly limitBytes: number;
	buffer: Bytes;
	/** Offset of `buffer[0]` in the input. */
	base: number;
	start: number;
	scanned: number;
	end: number;
	/** After the last whole line. */
	offset: number;
	lineNumber: number;
}

/** Moves what is left to the front, makes room for a chunk and reads one. False at the end of the input. */
const fill = (window: Window): boolean => {
	const {buffer, start, end, chunkBytes} = window;
	const left = end - start;
	if (buffer.length - left < chunkBytes) {
		const most = window.limitBytes + MARGIN_BYTES + chunkBytes;
		window.buffer = takeBuffer(Math.max(left + chunkBytes, Math.min(2 * buffer.length, most)));
	}
	buffer.copy(window.buffer, 0, start, end);
	window.base += start;
	window.scanned -= start;
	window.start = 0;
	window.end = left + window.input.read(window.buffer.subarray(left, left + chunkBytes));
	return window.end > left;
};

/** Position of the next line end in memory, or −1. */
const findEnd = (window: Window): number => {
	const found = window.buffer.subarray(0, window.end).indexOf(LF, window.scanned);
	window.scanned = found === -1 ? window.end : found + 1;
	return found;
};

/** The next line begins after the line end at `end`. */
const pass = (window: Window, end: number): void => {
	window.start = end + 1;
	window.offset = window.base + end + 1;
	window.lineNumber += 1;
};

/** A crash can leave a run of NUL bytes of any length; the agent goes on writing behind it. */
const skipNuls = (window: Window, end: number): void => {
	while (window.start < end && window.buffer[window.start] === 0) window.start += 1;
};

const hasBom = (buffer: Bytes, start: number): boolean =>
	buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf;

/** Space, tab, LF, VT, FF, CR. */
const BLANKS: ReadonlySet<number | undefined> = new Set([32, 9, 10, 11, 12, 13]);

const isBlank = (buffer: Bytes, start: number, end: number): boolean => {
	for (let place = start; place < end; place += 1) if (!BLANKS.has(buffer[place])) return false;
	return true;
};

/** The line up to `lineEnd` without padding, BOM and CR; undefined if nothing remains. */
const lineUpTo = (window: Window, lineEnd: number, isTorn: boolean): RawLine | undefined => {
	skipNuls(window, lineEnd);
	const {buffer, base} = window;
	const start = hasBom(buffer, window.start) ? Math.min(lineEnd, window.start + 3) : window.start;
	let end = lineEnd;
	while (end > start && buffer[end - 1] === 0) end -= 1;
	if (end > start && buffer[end - 1] === CR) end -= 1;
	if (isBlank(buffer, start, end)) return undefined;
	const length = end - start;
	const isLong = length > window.limitBytes;
	if (isLong) end = Math.min(end, start + HEAD_BYTES);
	const number = window.lineNumber + 1;
	return {number, offset: base + start, length, buffer, start, end, isLong, isTorn};
};

/** Scans a line that outgrew the limit up to its end; undefined if the input ends first. */
const scanLongLine = (window: Window): RawLine | undefined => {
	const head = Buffer.from(window.buffer.subarray(window.start, window.start + HEAD_BYTES));
	const offset = window.base + window.start;
	let last = window.buffer[window.end - 1];
	for (;;) {
		window.start = window.end;
		if (!fill(window)) return undefined;
		const end = findEnd(window);
		const stop = end === -1 ? window.end : end;
		last = stop > 0 ? window.buffer[stop - 1] : last;
		if (end === -1) continue;
		const length = window.base + end - (last === CR ? 1 : 0) - offset;
		const number = window.lineNumber + 1;
		pass(window, end);
		const part = {buffer: head, start: 0, end: head.length};
		return {number, offset, length, ...part, isLong: true, isTorn: false};
	}
};

/** Gives what is whole in memory; reads on by itself only to get over a line that is too long. */
function* wholeLines(window: Window): Generator<RawLine, void> {
	for (;;) {
		for (let end = findEnd(window); end !== -1; end = findEnd(window)) {
			const line = lineUpTo(window, end, false);
			if (line !== undefined) yield line;
			pass(window, end);
		}
		skipNuls(window, window.end);
		if (window.end - window.start <= window.limitBytes + MARGIN_BYTES) return;
		const line = scanLongLine(window);
		if (line === undefined) return;
		yield line;
	}
}

/**
 * All lines from a position on, blank ones left out. The last one may be torn; the position that is returned lies after the
 * last whole line. Closes the input.
 */
export function* splitLines(
	input: ByteInput,
	from: LinePosition,
	options: LineOptions = {},
): Generator<RawLine, LinePosition> {
	const {chunkBytes = CHUNK_BYTES, limitBytes = LINE_LIMIT} = options;
	const window: Window = {
		...from,
		input,
		chunkBytes,
		limitBytes,
		buffer: takeBuffer(2 * chunkBytes),
		base: from.offset,
		start: 0,
		scanned: 0,
		end: 0,
	};
	try {
		while (fill(window)) yield* wholeLines(window);
		const rest = lineUpTo(window, window.end, true);
		if (rest !== undefined && !rest.isLong) yield rest;
		return {offset: window.offset, lineNumber: window.lineNumber};
	} finally {
		giveBuffer(window.buffer);
		input.close();
	}
}
