/** Entries of the session tree that Pi writes; oh-my-pi and OpenClaw have taken the form over. */

import type {Locator} from '../../model.js';
import {recordOf, stringOf} from '../narrow.js';
import {timeMs} from '../time.js';

export type Json = Record<string, unknown>;

export interface Entry {
	readonly record: Json;
	readonly type: string;
	/** The entry's own id; the first format version had none: then its line. */
	readonly id: string;
	/** null: a root. Undefined: a format without a tree, it follows the entry before. */
	readonly parentId: string | null | undefined;
	readonly atMs: number | undefined;
	readonly message: Json;
	readonly locator: Locator;
}

/** Records that describe the file and are no entries. */
const HEADERS: ReadonlySet<string> = new Set(['session', 'title']);

/** Undefined for a record that is no entry. `place` stands in for a missing id. */
export const entryOf = (record: Json, place: string, locator: Locator): Entry | undefined => {
	const type = stringOf(record['type']) ?? 'none';
	if (HEADERS.has(type)) return undefined;
	const message = recordOf(record['message']);
	const parent = record['parentId'];
	return {
		record,
		type,
		id: stringOf(record['id']) || place,
		parentId: parent === null ? null : stringOf(parent),
		atMs: timeMs(record['timestamp']) ?? timeMs(message['timestamp']),
		message,
		locator,
	};
};
