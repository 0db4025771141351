/** From hits to the rows of an answer: sub-agents folded into their parents, in the order that was asked for. */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {SortOrder} from '../types.js';
import type {Hits, SessionHit} from './collect.js';
import type {SearchPlan} from './plan.js';

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

// While typing, the newest few show what comes.
const TYPING_SESSIONS = 500;

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

/** Best first; of equal rows the one that we met last. */
export const sortRows = (rows: readonly FoundRow[], sort: SortOrder): readonly FoundRow[] => {
	const value = VALUE_OF[sort];
	return rows.toSorted((a, b) => value(b) - value(a) || b.session - a.session);
};
