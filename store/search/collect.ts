/** From a plan to ranked rows: hits in messages and heads, sub-agents folded into their parents. */

import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {SortOrder} from '../types.js';
import {
	type EventMatch,
	type EventSearch,
	headMatches,
	type MatchCount,
	matchesBySession,
	newestMatches,
} from './fts.js';
import {matchExpression, type SearchGroup, withoutShortEnd} from './match.js';
import {allowedSessions, eventColumns, type SearchPlan} from './plan.js';

/** What was found in one session. */
export interface SessionHit {
	readonly score: number;
	/** Best matching event; null: only title, first prompts or project match. */
	readonly event: number | null;
	/** Matching events. */
	readonly count: number;
}

/** A row of an answer. */
export interface FoundRow {
	/** The session that is shown. */
	readonly session: number;
	/** The session with the best hit: the same, or one of its sub-agents. */
	readonly owner: number;
	readonly event: number | null;
	readonly count: number;
	readonly score: number;
	readonly updatedAtMs: number;
	readonly messages: number;
}

/** Newest matching events that are ranked. */
const WINDOW_ROWS = 5000;
// While typing, the newest few show what comes; the ranked answer follows after the pause.
const TYPING_ROWS = 1000;
const TYPING_FILTERED_ROWS = [5000, 50_000];
const TYPING_SESSIONS = 500;
const HEAD_WEIGHT = 1.5;
// Fewer than these: words may also be spread over head and message.
const ENOUGH_SESSIONS = 20;
const MIXED_GROUPS = 5;
const MIXED_WEIGHT = 0.7;
// Older than the window: found, but behind all that was ranked.
const BEYOND_WINDOW = 1e-9;

export type Hits = ReadonlyMap<number, SessionHit>;

interface Collecting {
	readonly plan: SearchPlan;
	/** Absent: all. */
	readonly allowed: ReadonlySet<number> | undefined;
	readonly hits: Map<number, SessionHit>;
}

/** Sessions in which one message, or the head, holds all of the words. */
export const collectHits = (database: Database, plan: SearchPlan): Hits => {
	const hits = new Map<number, SessionHit>();
	const collecting = {plan, allowed: allowedSessions(database, plan), hits};
	const groups = plan.isTyping && plan.isLastShort ? withoutShortEnd(plan.groups) : plan.groups;
	const collectEvents = plan.isTyping ? collectNewest : collectRanked;
	if (groups.length > 0)
		for (const search of eventExpressions(plan, groups))
			collectEvents(database, search, collecting);
	collectHeads(database, collecting);
	if (!plan.isTyping && hits.size < ENOUGH_SESSIONS) collectMixed(database, collecting);
	return hits;
};

/** The full-text tables that the plan looks into, each with its expression. */
export const eventExpressions = (
	{scope, excluded}: SearchPlan,
	groups: readonly SearchGroup[],
): readonly EventSearch[] => [
	...(scope.columns.length > 0
		? [{index: 'event_fts', match: matchExpression(groups, excluded, eventColumns(scope))} as const]
		: []),
	...(scope.hasMeta
		? [{index: 'meta_fts', match: matchExpression(groups, excluded)} as const]
		: []),
];

type CollectEvents = (database: Database, search: EventSearch, collecting: Collecting) => void;

/** The newest matches as they come, without an order of their own; further back when a filter lets little through. */
const collectNewest: CollectEvents = (database, search, {allowed, hits}) => {
	let found: readonly EventMatch[] = [];
	for (const limit of allowed ? TYPING_FILTERED_ROWS : [TYPING_ROWS]) {
		found = newestMatches(database, {...search, limit, allowed, isScored: false});
		if (found.length >= TYPING_ROWS) break;
	}
	for (const event of found.slice(0, TYPING_ROWS)) addEvent(hits, event);
};

/** Every session with a match, ranked by the best of its newest matches. */
const collectRanked: CollectEvents = (database, search, {plan, allowed, hits}) => {
	const request = {...search, limit: WINDOW_ROWS, isScored: !plan.isLastShort};
	const narrowed = allowed && matchesBySession(database, {...search, allowed});
	const found = newestMatches(
		database,
		narrowed ? {...request, segments: narrowed.segments} : request,
	);
	for (const event of found) addEvent(hits, event);
	if (found.length < WINDOW_ROWS) return;
	const {sessions} = narrowed ?? matchesBySession(database, search);
	for (const [session, count] of sessions) addCount(hits, session, count);
};

const addCount = (
	hits: Map<number, SessionHit>,
	session: number,
	{count, newest}: MatchCount,
): void => {
	const known = hits.get(session);
	hits.set(session, known ? {...known, count} : {score: BEYOND_WINDOW, event: newest, count});
};

const addEvent = (hits: Map<number, SessionHit>, {event, session, score}: EventMatch): void => {
	const known = hits.get(session);
	if (known === undefined) hits.set(session, {score, event, count: 1});
	else if (score > known.score || known.event === null)
		hits.set(session, {score, event, count: known.count + 1});
	else hits.set(session, {...known, count: known.count + 1});
};

const collectHeads = (database: Database, {plan, allowed, hits}: Collecting): void => {
	const {scope, groups, isLastShort, isTyping} = plan;
	if (scope.heads.length === 0) return;
	const match = matchExpression(groups, [], scope.heads);
	for (const {session, score} of headMatches(database, match, !isLastShort && !isTyping)) {
		if (allowed?.has(session) === false) continue;
		const known = hits.get(session);
		const total = (known?.score ?? 0) + HEAD_WEIGHT * score;
		hits.set(session, {event: null, count: 0, ...known, score: total});
	}
};

/** Sessions whose head holds some of the words, such as the project's name, and one message the others. */
const collectMixed = (database: Database, {plan, allowed, hits}: Collecting): void => {
	const {groups, scope} = plan;
	if (groups.length < 2 || groups.length > MIXED_GROUPS || scope.heads.length === 0) return;
	// Bit n: the head has the words of group n.
	const inHead = new Map<number, number>();
	for (const [index, group] of groups.entries())
		for (const {session} of headMatches(database, matchExpression([group], [], scope.heads), false))
			if (!hits.has(session) && allowed?.has(session) !== false)
				inHead.set(session, (inHead.get(session) ?? 0) | (1 << index));
	for (const bits of new Set(inHead.values())) {
		const others = groups.filter((_, index) => (bits & (1 << index)) === 0);
		const sessions = new Set([...inHead.keys()].filter(session => inHead.get(session) === bits));
		for (const search of eventExpressions(plan, others)) {
			const {segments} = matchesBySession(database, {...search, allowed: sessions});
			const request = {...search, segments, limit: WINDOW_ROWS, isScored: true};
			for (const event of newestMatches(database, request))
				addEvent(hits, {...event, score: MIXED_WEIGHT * event.score});
		}
	}
};

/** Hits as rows: folded, without hidden sessions, with what the orders need. */
export const toRows = (
	database: Database,
	hits: Hits,
	{isFolded, isTyping, query}: SearchPlan,
): readonly FoundRow[] => {
	const ids = isTyping && hits.size > TYPING_SESSIONS ? newestOf(database, hits) : [...hits.keys()];
	const facts = createSessionFacts(database, ids);
	const rows = new Map<number, FoundRow>();
	for (const owner of ids) {
		const hit = hits.get(owner) as SessionHit;
		if (!facts.isShown(owner)) continue;
		const session = isFolded ? facts.parentRow(owner) : owner;
		const {updatedAtMs, messages} = facts.of(session);
		const score = hit.score * recency(query.nowMs - updatedAtMs);
		const {event, count} = hit;
		const row = {session, owner, event, count, score, updatedAtMs, messages};
		rows.set(session, unite(rows.get(session), row));
	}
	return [...rows.values()];
};

/** Two hits under one row: the better one leads, the session's own when they are equal. */
const unite = (known: FoundRow | undefined, row: FoundRow): FoundRow => {
	if (known === undefined) return row;
	const isBetter =
		row.score > known.score || (row.score === known.score && row.owner === row.session);
	return {...(isBetter ? row : known), count: known.count + row.count};
};

const DAY_MS = 24 * 3_600_000;

/** 1 for now, 0.86 for a week ago, 0.71 for a month, 0.51 for a year. */
const recency = (ageMs: number): number =>
	1 / (1 + Math.log2(1 + Math.max(0, ageMs) / (7 * DAY_MS)) / 6);

const newestOf = (database: Database, hits: Hits): readonly number[] => {
	const newest: number[] = [];
	const ids = prepared(database)('SELECT id FROM session ORDER BY updated_at DESC, id DESC')
		.pluck()
		.iterate() as IterableIterator<number>;
	for (const id of ids) {
		if (hits.has(id)) newest.push(id);
		if (newest.length === TYPING_SESSIONS) break;
	}
	return newest;
};

interface SessionFacts {
	readonly updatedAtMs: number;
	readonly messages: number;
	readonly parent: number | null;
	readonly isHidden: boolean;
}

const NO_FACTS: SessionFacts = {updatedAtMs: 0, messages: 0, parent: null, isHidden: true};

/** What is needed of the sessions with hits, and of the parents of sub-agents among them. */
const createSessionFacts = (database: Database, ids: readonly number[]) => {
	const facts = new Map<number, SessionFacts>();
	const load = (wanted: readonly number[]): void => {
		const rows = prepared(database)(
			`SELECT s.id, coalesce(s.updated_at, 0), s.prompts + s.replies,
			iif(s.kind = 'subagent', s.parent_id, NULL), s.hidden_by IS NOT NULL
			FROM json_each(?) wanted CROSS JOIN session s ON s.id = wanted.value`,
		)
			.raw()
			.all(JSON.stringify(wanted)) as [number, number, number, number | null, number][];
		for (const [id, updatedAtMs, messages, parent, isHidden] of rows)
			facts.set(id, {updatedAtMs, messages, parent, isHidden: isHidden === 1});
	};
	const of = (id: number): SessionFacts => facts.get(id) ?? NO_FACTS;
	const isUnknown = (id: number | null): id is number => id !== null && !facts.has(id);
	for (let wanted = ids; wanted.length > 0; ) {
		load(wanted);
		wanted = [...new Set(wanted.map(id => of(id).parent).filter(isUnknown))];
	}
	return {
		of,
		isShown: (id: number): boolean => !of(id).isHidden,
		/** The nearest shown ancestor that is no sub-agent; an orphan is its own row. */
		parentRow: (id: number): number => {
			let row = id;
			const seen = new Set([id]);
			for (let parent = of(id).parent; parent !== null && !seen.has(parent); ) {
				if (!of(parent).isHidden) row = parent;
				seen.add(parent);
				parent = of(parent).parent;
			}
			return row;
		},
	};
};

const VALUE_OF: Readonly<Record<SortOrder, (row: FoundRow) => number>> = {
	relevance: row => row.score,
	recent: row => row.updatedAtMs,
	messages: row => row.messages,
};

export const sortValue = (sort: SortOrder, row: FoundRow): number => VALUE_OF[sort](row);

/** Best first; of equal rows the one that we met last. */
export const sortRows = (rows: readonly FoundRow[], sort: SortOrder): readonly FoundRow[] =>
	rows.toSorted((a, b) => sortValue(sort, b) - sortValue(sort, a) || b.session - a.session);
