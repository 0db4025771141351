/** One record of a transcript on its way to events. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type Capped, type Placed, piecesOf} from '../shared/gemini/parts.js';
import {recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Progress} from './progress.js';

/** Which session this is. */
export interface Identity {
	readonly sessionId: string;
	/** The session at the root of the family. */
	readonly rootId: string;
	readonly isSubagent: boolean;
}

/** What stays the same for all rows of one read. */
export interface Context {
	readonly identity: Identity;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
}

export interface Row {
	readonly record: Record<string, unknown>;
	readonly type: string;
	readonly subtype: string | undefined;
	readonly payload: Record<string, unknown>;
	/** `uuid`, else the line: stable as long as the file is not rewritten. */
	readonly id: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly pieces: readonly Placed[];
	readonly context: Context;
}

export const rowOf = (
	{
		record,
		number,
		offset,
		length,
	}: {record: Record<string, unknown>; number: number; offset: number; length: number},
	context: Context,
): Row => {
	const message = recordOf(record['message']);
	return {
		record,
		type: stringOf(record['type']) ?? 'none',
		subtype: textOf(record['subtype']),
		payload: recordOf(record['systemPayload']),
		id: textOf(record['uuid']) ?? `L${number}`,
		atMs: timeMs(record['timestamp']),
		locator: {offset, length},
		pieces: piecesOf(message['parts'] ?? message['content']),
		context,
	};
};

/** The event of one block of a row. */
export const eventOf = (
	row: Row,
	{block, text}: {readonly block: number; readonly text: Capped},
	fields: Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength'>,
): AdapterEvent =>
	compact({
		key: eventKey(row.id, block),
		...fields,
		atMs: row.atMs,
		...text,
		locator: row.locator,
	});

export const metaEvents = (row: Row, block: number, text: Capped): readonly AdapterEvent[] =>
	text.text.trim() === '' ? [] : [eventOf(row, {block, text}, {kind: 'meta'})];
