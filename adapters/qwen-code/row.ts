/** One record of a transcript on its way to events. */

import type {AdapterEvent} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {type Capped, type Placed, piecesOf} from '../shared/gemini/parts.js';
import type {JsonRecord} from '../shared/jsonl.js';
import {recordOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf, type RecordPlace} from '../shared/record-events.js';
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

export interface Row extends RecordPlace {
	readonly record: Record<string, unknown>;
	readonly type: string;
	readonly subtype: string | undefined;
	readonly payload: Record<string, unknown>;
	readonly pieces: readonly Placed[];
	readonly context: Context;
}

export const rowOf = ({record, number, offset, length}: JsonRecord, context: Context): Row => {
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

export const metaEvents = (row: Row, block: number, text: Capped): readonly AdapterEvent[] =>
	text.text.trim() === '' ? [] : [eventOf(row, {block, text}, {kind: 'meta'})];
