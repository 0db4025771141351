/**
 * Where a page ended: by the sessions that were given, not by offset or value, since a sync moves both while somebody turns pages.
 * So no session comes twice, and none is passed over that the first page could have listed; one that a sync brought since is left
 * to the next search. The clock of the first page goes along: recency and relative dates stay what they were.
 */
import type {PageRequest} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';

export interface Cursor {
	readonly nowMs: number;
	/** Row id of the newest session at the first page. */
	readonly newest: number;
	/** Row ids of the sessions on the pages so far. */
	readonly given: ReadonlySet<number>;
}

/** Ids go as differences in ascending order: two or three characters each. */
const writeCursor = ({nowMs, newest, given}: Cursor): string => {
	const ids = [...given].toSorted((a, b) => a - b);
	const steps = ids.map((id, index) => id - (ids[index - 1] ?? 0));
	return Buffer.from(JSON.stringify([nowMs, newest, ...steps])).toString('base64url');
};

/** Undefined for anything that we did not write. */
export const readCursor = (text: string | undefined): Cursor | undefined => {
	if (text === undefined) return undefined;
	try {
		const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
		if (!Array.isArray(fields) || fields.length < 3 || !fields.every(Number.isSafeInteger))
			return undefined;
		const [nowMs, newest, ...steps] = fields as [number, number, ...number[]];
		let id = 0;
		return {nowMs, newest, given: new Set(steps.map(step => (id += step)))};
	} catch {
		return undefined; // not JSON, so not ours
	}
};

export interface Turn extends Cursor {
	/** Nothing was given yet, and every session counts. */
	readonly isFirst: boolean;
}

/** Where a request goes on. */
export const turnOf = (
	database: Database,
	{cursor, nowMs}: Pick<PageRequest, 'cursor' | 'nowMs'>,
): Turn => {
	const known = readCursor(cursor);
	if (known) return {...known, isFirst: false};
	const newest = prepared(database)('SELECT coalesce(max(id), 0) FROM session').pluck().get();
	return {nowMs, newest: newest as number, given: new Set(), isFirst: true};
};

/** The cursor behind a page. */
export const afterPage = (turn: Cursor, sessions: readonly number[]): string =>
	writeCursor({...turn, given: new Set([...turn.given, ...sessions])});
