/**
 * The statements on the full-text tables. Rows come newest first without sorting, because newer events have lower ids
 * (store/sync/segments.ts); ranking looks at a window of the newest only and never at `ORDER BY rank` (PERFORMANCE section 1,
 * findings 3 and 12).
 */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {SEGMENT_SIZE} from '../sync/segments.js';
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
export const WEIGHTS: Readonly<Record<EventColumn, number>> = {
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
	readonly limit: number;
	readonly isScored: boolean;
}

/** The newest matching events, newest first. */
export const newestMatches = (
	database: Database,
	{index, match, limit, isScored, allowed}: NewestRequest,
): readonly EventMatch[] => {
	const rows = prepared(database)(
		`SELECT rowid, ${isScored ? SCORE_OF[index] : '1'} FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid LIMIT ?`,
	)
		.raw()
		.all(match, limit) as [number, number][];
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

/** What an expression matches in the sessions that are allowed. */
export interface AllMatches {
	/** Newest first, which is ascending. */
	readonly events: readonly number[];
	readonly sessions: ReadonlyMap<number, MatchCount>;
	/** Matches in all sessions. */
	readonly total: number;
}

/**
 * Every matching event. One walk over the postings: to merge those of a beginning such as `sta` takes half of the time of an
 * answer, so they are not asked for once more to count.
 */
export const allMatches = (
	database: Database,
	{index, match, allowed}: EventSearch,
): AllMatches => {
	const rows = prepared(database)(
		`SELECT rowid FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid`,
	)
		.pluck()
		.all(match) as number[];
	const runs = segmentRuns(rows);
	const sessionOf = segmentSessions(
		database,
		runs.map(({start}) => rows[start] as number),
	);
	const kept: number[][] = [];
	const sessions = new Map<number, MatchCount>();
	for (const {start, end} of runs) {
		const newest = rows[start] as number;
		const segment = segmentOf(newest);
		const session = sessionOf.get(segment);
		if (session === undefined || allowed?.has(session) === false) continue;
		if (allowed) kept.push(rows.slice(start, end));
		const known = sessions.get(session);
		const count = end - start + (known?.count ?? 0);
		sessions.set(session, {count, newest: known?.newest ?? newest});
	}
	return {events: allowed ? kept.flat() : rows, sessions, total: rows.length};
};

/** Events of one segment stand together. */
const segmentRuns = (events: readonly number[]): readonly {start: number; end: number}[] => {
	const runs: {start: number; end: number}[] = [];
	for (let start = 0; start < events.length; ) {
		const limit = (segmentOf(events[start] as number) + 1) * SEGMENT_SIZE;
		let end = start + 1;
		while (end < events.length && (events[end] as number) < limit) end++;
		runs.push({start, end});
		start = end;
	}
	return runs;
};

/** The newest events that an expression matches, whatever their sessions. */
export const newestEvents = (
	database: Database,
	{index, match}: EventSearch,
	limit: number,
): readonly number[] =>
	prepared(database)(`SELECT rowid FROM ${index} WHERE ${index} MATCH ? ORDER BY rowid LIMIT ?`)
		.pluck()
		.all(match, limit) as number[];

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

/** Tells the sessions of the events. */
export const sessionsOfEvents = (
	database: Database,
	events: readonly number[],
): ((event: number) => number | undefined) => {
	const sessions = segmentSessions(database, events);
	return event => sessions.get(segmentOf(event));
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
			: [...allMatches(database, {index: 'event_fts', match: events}).sessions.keys()];
	const headed =
		heads === undefined ? [] : headMatches(database, heads, false).map(({session}) => session);
	return {
		sql: 's.id NOT IN (SELECT value FROM json_each(?))',
		values: [JSON.stringify([...said, ...headed])],
	};
};
