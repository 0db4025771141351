/** One record of an event log on its way to events. */

import {type AdapterEvent, eventKey, type Locator} from '../../model.js';
import type {BatchBuilder} from '../batch.js';
import {compact} from '../compact.js';
import {capText} from '../content.js';
import {recordOf, stringOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import type {Progress} from './progress.js';

/** What stays the same for all records of one read. */
export interface Context {
	/** The sub-agent whose records are wanted; absent: those of the session itself. */
	readonly agentId?: string;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
}

export interface Row {
	readonly type: string;
	readonly data: Record<string, unknown>;
	/** Its own id, else the line: stable as long as the file is not rewritten. */
	readonly id: string;
	/** The sub-agent that it belongs to. */
	readonly agentId: string | undefined;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly context: Context;
}

/** Early versions name only the call that a sub-agent works for. */
const agentOf = (
	type: string,
	record: Record<string, unknown>,
	data: Record<string, unknown>,
): string | undefined =>
	textOf(record['agentId']) ??
	textOf(data['parentToolCallId']) ??
	(type.startsWith('subagent.') ? textOf(data['toolCallId']) : undefined);

export const rowOf = (
	{
		record,
		number,
		offset,
		length,
	}: {record: Record<string, unknown>; number: number; offset: number; length: number},
	context: Context,
): Row => {
	const type = stringOf(record['type']) ?? 'none';
	const data = recordOf(record['data']);
	return {
		type,
		data,
		id: textOf(record['id']) ?? `L${number}`,
		agentId: agentOf(type, record, data),
		atMs: timeMs(record['timestamp']),
		locator: {offset, length},
		context,
	};
};

type EventFields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength'>;

/** The event of one block of a record. */
export const eventOf = (
	row: Row,
	{block = 0, text}: {readonly block?: number; readonly text: string},
	fields: EventFields,
): AdapterEvent =>
	compact({
		key: eventKey(row.id, block),
		...fields,
		atMs: row.atMs,
		...capText(text),
		locator: row.locator,
	});

/** A note that nobody typed; nothing to say gives none. */
export const noteEvents = (
	row: Row,
	text: string | undefined,
	kind: 'meta' | 'summary' = 'meta',
): readonly AdapterEvent[] =>
	text === undefined || text.trim() === '' ? [] : [eventOf(row, {text}, {kind})];
