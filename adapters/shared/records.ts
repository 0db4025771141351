/** Records in a line, also when a crash glued several together. */

import type {Buffer as Bytes} from 'node:buffer';
import {isRecord} from './narrow.js';

/** Bytes that may be parsed in vain to find records in bad lines of one file. */
export const RECOVERY_BYTES = 256 * 1024 * 1024;
/** Places in one bad line where a record may begin. */
const ATTEMPTS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** A part of a line: a record, or text that is none. */
export type LinePart =
	| {readonly start: number; readonly length: number; readonly record: Record<string, unknown>}
	| {
			readonly start: number;
			readonly length: number;
			readonly text: string;
			readonly record?: undefined;
	  };

export interface RecoveryBudget {
	bytes: number;
}

/** The JSON object that a text is as a whole. */
export const parseRecord = (text: string): Record<string, unknown> | undefined => {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined; // the caller says what that means: torn, malformed, or glued
	}
};

/** Places where a record may begin: where the text begins as the line itself does, from the end, then any object. */
function* candidates(bytes: Bytes): Generator<number, void> {
	const ownStart = bytes.subarray(0, Math.min(bytes.indexOf(':'), 64) + 1);
	if (ownStart.length > 1) {
		let place = bytes.lastIndexOf(ownStart);
		for (; place > 0; place = bytes.lastIndexOf(ownStart, place - 1)) yield place;
	}
	for (let place = bytes.indexOf('{"', 1); place !== -1; place = bytes.indexOf('{"', place + 1)) {
		yield place;
	}
}

/** A parse in vain costs what it reads. */
const tryRecord = (bytes: Bytes, budget: RecoveryBudget): Record<string, unknown> | undefined => {
	budget.bytes -= bytes.length;
	return budget.bytes < 0 ? undefined : parseRecord(bytes.toString());
};

/** The whole record that ends the line. Inner objects are no answer: the braces behind them do not parse. */
const recordAtEnd = (
	bytes: Bytes,
	budget: RecoveryBudget,
): {readonly start: number; readonly record: Record<string, unknown>} | undefined => {
	let attempts = 0;
	for (const start of candidates(bytes)) {
		attempts += 1;
		if (attempts > ATTEMPTS) return undefined;
		const record = tryRecord(bytes.subarray(start), budget);
		if (record !== undefined) return {start, record};
	}
	return undefined;
};

/** Where the object that begins at `start` is closed, strings passed over; undefined if it is not. */
const objectEnd = (bytes: Bytes, start: number): number | undefined => {
	let depth = 0;
	let isText = false;
	for (let place = start; place < bytes.length; place += 1) {
		const byte = bytes[place];
		if (isText && byte === BACKSLASH) place += 1;
		else if (byte === QUOTE) isText = !isText;
		else if (isText) continue;
		else if (byte === OPEN) depth += 1;
		else if (byte === CLOSE) {
			depth -= 1;
			if (depth <= 0) return place + 1;
		}
	}
	return undefined;
};

/** Whole records from the start of the line on, and where they end. */
const recordsAtStart = (bytes: Bytes, budget: RecoveryBudget): readonly LinePart[] => {
	const found: LinePart[] = [];
	let start = 0;
	for (;;) {
		while (bytes[start] === 0) start += 1;
		const end = objectEnd(bytes, start);
		if (end === undefined) return found;
		const record = tryRecord(bytes.subarray(start, end), budget);
		if (record === undefined) return found;
		found.push({start, length: end - start, record});
		start = end;
	}
};

/**
 * The records of a line that is no record as a whole, in their order. A process that died while writing leaves a torn record, or one without a line end, and the
 * next process glues whole records to it. What is no record is given as text.
 */
export const recordsIn = (bytes: Bytes, budget: RecoveryBudget): readonly LinePart[] => {
	const before = recordsAtStart(bytes, budget);
	const last = before.at(-1);
	const start = last === undefined ? 0 : last.start + last.length;
	const behind: LinePart[] = [];
	let end = bytes.length;
	for (;;) {
		const tail = recordAtEnd(bytes.subarray(start, end), budget);
		if (tail === undefined) break;
		behind.unshift({
			start: start + tail.start,
			length: end - start - tail.start,
			record: tail.record,
		});
		end = start + tail.start;
	}
	const text = bytes.toString('utf8', start, end);
	const rest: readonly LinePart[] = text === '' ? [] : [{start, length: end - start, text}];
	return [...before, ...rest, ...behind];
};
