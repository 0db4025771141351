/** Files of one record a line, plain or compressed (told by their first bytes), read from any position on. */

import type {Problem} from '../model.js';
import {SourceUnreadable} from '../types.js';
import {type ByteInput, openBytes} from './bytes.js';
import {oneLine, sizeLabel} from './content.js';
import {type LineOptions, type LinePosition, type RawLine, splitLines} from './line-splitter.js';
import {parseRecord, RECOVERY_BYTES, type RecoveryBudget, recordsIn} from './records.js';

export type {LinePosition} from './line-splitter.js';

/** Where a file begins. */
export const START: LinePosition = {offset: 0, lineNumber: 0};

/** Largest record that is read back as one string. */
const RAW_LIMIT = 256 * 1024 * 1024;

interface Place {
	/** Line number, from 1; blank lines count. */
	readonly number: number;
	/** Decompressed bytes. */
	readonly offset: number;
	/** Without the line end. */
	readonly length: number;
}

export type LineItem = (Place & {readonly kind: 'line'; readonly text: string}) | LongLine;

/** A line of more than 16 MiB: scanned, not loaded. */
export interface LongLine extends Place {
	readonly kind: 'long';
	/** The first 64 KiB, decoded. */
	readonly head: string;
}

interface ReadOptions extends LineOptions {
	/** Output cap of a compressed file. */
	readonly capBytes?: number;
}

export interface ReadLinesOptions extends ReadOptions {
	/** Told when a compressed file ends early or is cut at the cap. */
	readonly onProblem?: (problem: Problem) => void;
}

export interface ReadJsonLinesOptions extends ReadOptions {
	/** Makes a record out of the head of a line that is too long. */
	readonly onLong?: (item: LongLine) => Record<string, unknown> | undefined;
	/** Lines that it refuses are not even parsed: for a file that holds the records of several sessions. */
	readonly isWanted?: (text: string) => boolean;
}

/** A line that holds a record. */
export type JsonRecord = Place & {readonly record: Record<string, unknown>};

export type JsonLine =
	| (JsonRecord & {readonly problem?: undefined})
	| (Place & {readonly problem: Problem; readonly record?: undefined});

/**
 * What both readers share: opens the file, holds back a torn last line unless it is a complete object, and tells of a compressed
 * file that ended early.
 */
function* linesOf<T>(
	path: string,
	from: LinePosition,
	options: ReadOptions & {
		readonly line: (line: RawLine) => readonly T[];
		readonly end: (problem: Problem, position: LinePosition) => readonly T[];
	},
): Generator<T, LinePosition> {
	const input = openBytes(path, from.offset, options.capBytes);
	const lines = splitLines(input, from, options);
	let taken: number | undefined;
	try {
		for (;;) {
			const step = lines.next();
			if (step.done === true) {
				// Its line end, still to come, will be read as a blank line: so the line is not counted yet.
				const position = {...step.value, offset: taken ?? step.value.offset};
				const problem = input.problem();
				if (problem !== undefined) yield* options.end(problem, position);
				return position;
			}
			const line = step.value;
			if (line.isTorn && parseRecord(textOf(line)) === undefined) continue;
			for (const item of options.line(line)) yield item;
			if (line.isTorn) taken = line.offset + line.length;
		}
	} finally {
		lines.return(from);
	}
}

const placeOf = ({number, offset, length}: Place): Place => ({number, offset, length});

const textOf = (line: RawLine): string => line.buffer.toString('utf8', line.start, line.end);

const longLine = (line: RawLine): LongLine => ({
	kind: 'long',
	...placeOf(line),
	// The cut may have halved a character.
	head: textOf(line).replace(/\uFFFD+$/, ''),
});

/**
 * Lines from a position on. Blank ones and NUL padding are skipped, a BOM is dropped. A last line without line end waits for the
 * next pass unless it is a complete JSON object. Returns the position to go on from.
 *
 * @throws SourceUnreadable
 */
export const readLines = (
	path: string,
	from: LinePosition = START,
	options: ReadLinesOptions = {},
): Generator<LineItem, LinePosition> =>
	linesOf<LineItem>(path, from, {
		...options,
		line: line => [
			line.isLong ? longLine(line) : {kind: 'line', ...placeOf(line), text: textOf(line)},
		],
		end(problem) {
			options.onProblem?.(problem);
			return [];
		},
	});

const problemAt = (place: Place, code: Problem['code'], detail: string): JsonLine => ({
	...placeOf(place),
	problem: {code, where: `line ${place.number}, byte ${place.offset}`, detail},
});

const longRecord = (item: LongLine, options: ReadJsonLinesOptions): JsonLine => {
	const record = options.onLong?.(item);
	if (record !== undefined) return {record, ...placeOf(item)};
	const detail = `line of ${sizeLabel(item.length)}: ${oneLine(item.head, 200)}`;
	return problemAt(item, 'long-line', detail);
};

const recordsOf = (
	line: RawLine,
	budget: RecoveryBudget,
	isWanted: ReadJsonLinesOptions['isWanted'],
): readonly JsonLine[] => {
	const text = textOf(line);
	if (isWanted?.(text) === false) return [];
	const record = parseRecord(text);
	const {number, offset, length} = line;
	if (record !== undefined) return [{record, number, offset, length}];
	const parts = recordsIn(line.buffer.subarray(line.start, line.end), budget);
	return parts.map(part => {
		const place = {number, offset: offset + part.start, length: part.length};
		return part.record === undefined
			? problemAt(place, 'malformed-line', `not a JSON object: ${oneLine(part.text, 200)}`)
			: {record: part.record, ...place};
	});
};

/**
 * Records from a position on, under the rules of `readLines`. A line that is no object is a problem; whole records that were
 * glued to it are given in their order. A line that is too long is a problem unless `onLong` makes a record of its head.
 *
 * @throws SourceUnreadable
 */
export const readJsonLines = (
	path: string,
	from: LinePosition = START,
	options: ReadJsonLinesOptions = {},
): Generator<JsonLine, LinePosition> => {
	const budget = {bytes: RECOVERY_BYTES};
	return linesOf<JsonLine>(path, from, {
		...options,
		line: line =>
			line.isLong
				? [longRecord(longLine(line), options)]
				: recordsOf(line, budget, options.isWanted),
		end: (problem, {offset, lineNumber}) => [{problem, number: lineNumber, offset, length: 0}],
	});
};

/** What may come right after a record: the file's end, a line end, padding after a crash, or a record that was glued to it. */
const AFTER = new Set([undefined, 0, 10, 13, 0x7b]);

const readFully = (input: ByteInput, sizeBytes: number): Buffer => {
	const bytes = Buffer.allocUnsafeSlow(sizeBytes);
	let filled = 0;
	for (let read = -1; read !== 0 && filled < sizeBytes; filled += read) {
		read = input.read(bytes.subarray(filled));
	}
	return bytes.subarray(0, filled);
};

/** One raw record read back from its place, or undefined if it is not there any more. */
export const lineAt = (path: string, offset: number, length: number): string | undefined => {
	let input: ByteInput | undefined;
	try {
		input = openBytes(path, offset);
		const bytes = readFully(input, Math.min(length, RAW_LIMIT) + 1);
		const isThere = bytes.length >= length && AFTER.has(bytes[length]);
		return isThere || length > RAW_LIMIT ? bytes.toString('utf8', 0, length) : undefined;
	} catch (error) {
		if (error instanceof SourceUnreadable) return undefined;
		throw error;
	} finally {
		input?.close();
	}
};
