/** One record of a log on its way to events. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import type {JsonRecord} from '../shared/jsonl.js';
import {stringOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Json} from './content.js';
import {type Progress, remember} from './progress.js';

/** What stays the same for all rows of one read. */
export interface Context {
	readonly isSubagent: boolean;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
}

export interface Row {
	readonly record: Json;
	readonly type: string;
	/** The line: few records have an id. */
	readonly place: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly context: Context;
}

export const rowOf = ({record, number, offset, length}: JsonRecord, context: Context): Row => ({
	record,
	type: stringOf(record['type']) ?? stringOf(record['role']) ?? 'none',
	place: `L${number}`,
	atMs: timeMs(record['time']) ?? timeMs(record['timestamp']),
	locator: {offset, length},
	context,
});

export type Fields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator'>;

/** Where in the session an event stands: the native id or the line, and the block of the record. */
export interface Key {
	readonly id?: string | undefined;
	readonly block?: number;
}

/** Gives an event; what was taken back ends before it. */
export const emit = (row: Row, {id = row.place, block = 0}: Key, fields: Fields): string => {
	const {progress, batch} = row.context;
	const key = eventKey(id, block);
	if (progress.cutFrom !== undefined) batch.undo(progress.cutFrom, key);
	delete progress.cutFrom;
	batch.event(compact({key, ...fields, atMs: row.atMs, locator: row.locator}));
	return key;
};

export const emitMeta = (row: Row, key: Key, text: string): void => {
	if (text.trim() !== '') emit(row, key, {kind: 'meta', text});
};

const TASK_CHARS = 200;

/** The first thing that a sub-agent is told is its task. */
export const noteTask = ({progress, isSubagent}: Context, text: string): void => {
	const task = oneLine(text, TASK_CHARS);
	if (isSubagent && task !== '') progress.task ??= task;
};

/** Remembers where a turn begins; a prompt that is written twice has one key. */
export const noteTurn = ({progress}: Context, key: string): void => {
	delete progress.isCopy;
	if (progress.turns.at(-1)?.[0] !== key) remember(progress, 'turns', [key, '']);
};
