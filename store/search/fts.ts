/**
 * The statements on the full-text tables. Rows come newest first without sorting, because newer events have lower ids
 * (store/sync/segments.ts); ranking looks at a window of the newest only and never at `ORDER BY rank` (PERFORMANCE section 1,
 * findings 3 and 12).
 */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {SEGMENT_BITS, SEGMENT_SIZE} from '../sync/segments.js';
import type {Condition} from './filters.js';
import {EVENT_COLUMNS, type EventColumn} from './scope.js';

export type EventIndex = 'event_fts' | 'meta_fts';

export interface EventMatch {
	readonly event: number;
	readonly session: number;
	/** Greater is better; 1 when not scored. */
	readonly score: number;
}

/** Matching events of one session. */
export interface MatchCount {
	readonly count: number;
	readonly newest: number;
}

// Said by a person, by the agent, done, thought, printed. Below 1 a weight is not evened out by bm25's saturation.
const WEIGHTS: Readonly<Record<EventColumn, number>> = {
	prompt: 4,
	reply: 1,
	tool: 0.4,
	thought: 0.3,
	output: 0.15,
};
const SCORE_OF: Readonly<Record<EventIndex, string>> = {
	event_fts: `-bm25(event_fts, ${EVENT_COLUMNS.map(column => WEIGHTS[column]).join(', ')})`,
	meta_fts: `-bm25(meta_fts, ${WEIGHTS.output})`,
};

/** All events of a segment belong to one session. */
const segmentOf = (event: number): number => Math.floor(event / SEGMENT_SIZE);

/** An expression, and where it is looked for. */
export interface EventSearch {
	readonly index: EventIndex;
	readonly match: string;
	/** Sessions whose events count; absent: all. */
	readonly allowed?: ReadonlySet<number> | undefined;
}

/** Events of sessions that are not allowed take up the limit all the same. */
interface NewestRequest extends EventSearch {
	/** Only events of these; absent: all. */
	readonly segments?: readonly number[];
	readonly limit: number;
	readonly isScored: boolean;
}

/** The newest matching events, newest first. */
export const newestMatches = (
	database: Database,
	{index, match, segments, limit, isScored, allowed}: NewestRequest,
): readonly EventMatch[] => {
	const rows = prepared(database)(
		`SELECT rowid, ${isScored ? SCORE_OF[index] : '1'} FROM ${index} WHERE ${index} MATCH ?
		${segments ? `AND rowid >> ${SEGMENT_BITS} IN (SELECT value FROM json_each(?))` : ''} ORDER BY rowid LIMIT ?`,
	)
		.raw()
		.all(match, ...(segments ? [JSON.stringify(segments)] : []), limit) as [number, number][];
	const sessionOf = segmentSessions(
		database,
		rows.map(([event]) => event),
	);
	const found: EventMatch[] = [];
	for (const [event, score] of rows) {
		const session = sessionOf.get(segmentOf(event));
		if (session !== undefined && allowed?.has(session) !== false)
			found.push({event, session, score});
	}
	return found;
};

/** Every session with a matching event, of those that are allowed, and the segments of the matches. */
export const matchesBySession = (
	database: Database,
	{index, match, allowed}: EventSearch,
): {readonly sessions: ReadonlyMap<number, MatchCount>; readonly segments: readonly number[]} => {
	const rows = prepared(database)(
		`SELECT min(rowid), count(*) FROM ${index} WHERE ${index} MATCH ? GROUP BY rowid >> ${SEGMENT_BITS}`,
	)
		.raw()
		.all(match) as [number, number][];
	const sessionOf = segmentSessions(
		database,
		rows.map(([newest]) => newest),
	);
	const sessions = new Map<number, MatchCount>();
	const segments: number[] = [];
	for (const [newest, count] of rows) {
		const segment = segmentOf(newest);
		const session = sessionOf.get(segment);
		if (session === undefined || allowed?.has(session) === false) continue;
		segments.push(segment);
		const known = sessions.get(session);
		sessions.set(session, {
			count: count + (known?.count ?? 0),
			newest: Math.min(newest, known?.newest ?? 0),
		});
	}
	return {sessions, segments};
};

const knownSegments = new WeakMap<Database, Map<number, number>>();

/** Session by segment, for the segments of the given events; a segment never changes hands, so it is looked up once. */
const segmentSessions = (
	database: Database,
	events: readonly number[],
): ReadonlyMap<number, number> => {
	const known = knownSegments.get(database) ?? new Map<number, number>();
	knownSegments.set(database, known);
	const unknown = new Map<number, number>();
	for (const event of events) {
		const segment = segmentOf(event);
		if (!known.has(segment)) unknown.set(segment, event);
	}
	if (unknown.size === 0) return known;
	const rows = prepared(database)(
		'SELECT e.id, e.session_id FROM json_each(?) wanted CROSS JOIN event e ON e.id = wanted.value',
	)
		.raw()
		.all(JSON.stringify([...unknown.values()])) as [number, number][];
	for (const [event, session] of rows) known.set(segmentOf(event), session);
	return known;
};

/** True if the expression matches anything at all. */
export const hasMatch = (
	database: Database,
	index: EventIndex | 'head_fts',
	match: string,
): boolean =>
	prepared(database)(`SELECT 1 FROM ${index} WHERE ${index} MATCH ? LIMIT 1`).get(match) !==
	undefined;

/** Sessions whose title, first prompts or project match; a title weighs most. */
export const headMatches = (
	database: Database,
	match: string,
	isScored: boolean,
): readonly {readonly session: number; readonly score: number}[] => {
	const rows = prepared(database)(
		`SELECT rowid, ${isScored ? '-bm25(head_fts, 8, 2, 3)' : '1'} FROM head_fts WHERE head_fts MATCH ?`,
	)
		.raw()
		.all(match) as [number, number][];
	return rows.map(([session, score]) => ({session, score}));
};

/** Condition on sessions (`s`): none of the words was said there, or stands in the title or first prompts. */
export const withoutMatch = (
	database: Database,
	events: string | undefined,
	heads: string | undefined,
): Condition => {
	const said =
		events === undefined
			? []
			: [...matchesBySession(database, {index: 'event_fts', match: events}).sessions.keys()];
	const headed =
		heads === undefined ? [] : headMatches(database, heads, false).map(({session}) => session);
	return {
		sql: 's.id NOT IN (SELECT value FROM json_each(?))',
		values: [JSON.stringify([...said, ...headed])],
	};
};
