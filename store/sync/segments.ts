import type {Database} from '../open.js';
import {prepared} from '../statements.js';

/**
 * Events per segment. An event's id is `segment * SEGMENT_SIZE + n`; segments count down from -1, so that newer ones have lower
 * ids: reading the newest source first then appends to every table, and pages stay full (a fifth of the database).
 */
const SEGMENT_BITS = 12;
export const SEGMENT_SIZE = 2 ** SEGMENT_BITS;

/** Few agents spend less than this on an event; a source that does takes further segments. */
const BYTES_PER_EVENT = 400;

/** Segments that a source of so many bytes gets, one after the other. */
export const segmentsFor = (sizeBytes: number): number =>
	Math.max(1, Math.ceil(sizeBytes / (SEGMENT_SIZE * BYTES_PER_EVENT)));

/** Takes `count` unused segments; the lowest is returned, the others follow it. */
export const reserveSegments = (database: Database, count: number): number => {
	const sql = prepared(database);
	const row = sql("SELECT value FROM meta WHERE key = 'segments'").get() as
		| {value: string}
		| undefined;
	const lowest = Number(row?.value ?? 0) - count;
	sql("INSERT OR REPLACE INTO meta(key, value) VALUES ('segments', ?)").run(String(lowest));
	return lowest;
};

/** Segments reserved for one read. */
export interface SegmentRange {
	readonly first: number;
	readonly count: number;
}

/** Hands out the event ids of reserved segments; when they are full, those of a new one. */
export const createEventIds = (database: Database, {first, count}: SegmentRange) => {
	let next = first * SEGMENT_SIZE;
	let end = next + count * SEGMENT_SIZE;
	return {
		peek(): number {
			if (next === end) {
				next = reserveSegments(database, 1) * SEGMENT_SIZE;
				end = next + SEGMENT_SIZE;
			}
			return next;
		},
		use(): void {
			next++;
		},
	};
};
