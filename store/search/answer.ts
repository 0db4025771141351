/** `list` and `search`: from a request to a page of rows with their best lines. */
import type {ListAnswer, ListRow, PageRequest, SearchAnswer, SearchRequest} from '../library.js';
import type {Database} from '../open.js';
import {eventView, eventViews} from '../read/events.js';
import {sessionViews} from '../read/sessions.js';
import {prepared} from '../statements.js';
import type {EventView, SearchHit, SessionView, SortOrder} from '../types.js';
import {collectHits, type FoundRow, sortRows, sortValue, toRows} from './collect.js';
import {type Cursor, readCursor, writeCursor} from './cursor.js';
import {findMatches} from './highlight.js';
import type {SearchTerm} from './match.js';
import {nearMiss} from './near.js';
import {andAll, listed, planSearch, type SearchPlan} from './plan.js';
import {makeSnippet, type Snippet, showsWords} from './snippet.js';

export interface AnswerOptions {
	/** Whole text of an event, from its source or the mirror, for snippets of what lies beyond the cap. */
	readonly readWhole?: (event: EventView) => string | undefined;
}

interface Page {
	readonly rows: readonly FoundRow[];
	readonly total: number;
	readonly nextCursor: string | null;
	readonly terms: readonly SearchTerm[];
	readonly note: string | null;
}

export const listAnswer = (
	database: Database,
	request: PageRequest,
	options: AnswerOptions,
): ListAnswer => {
	const now = atCursor(request);
	const plan = planSearch(database, now, {heads: ['title', 'prompt', 'project'], isFolded: true});
	const page = plan.groups.length > 0 ? find(database, now, plan) : browse(database, now, plan);
	const {sessions, lines} = load(database, page, options);
	const rows = page.rows.flatMap((row): ListRow[] => {
		const session = sessions.get(row.session);
		if (session === undefined) return [];
		const titleMatches = findMatches(session.title, page.terms);
		return [{session, match: lines.match(row, session), titleMatches}];
	});
	return {total: page.total, rows, nextCursor: page.nextCursor, note: page.note};
};

export const searchAnswer = (
	database: Database,
	request: SearchRequest,
	options: AnswerOptions,
): SearchAnswer => {
	const now = atCursor(request);
	const plan = planSearch(database, now, {
		heads: ['title'],
		isFolded: false,
		...(request.scope ? {scope: request.scope} : {}),
	});
	const page = searchPage(database, now, plan);
	const {sessions, lines} = load(database, page, options);
	const hits = page.rows.flatMap((row): SearchHit[] => {
		const session = sessions.get(row.session);
		const line = session && lines.hit(row);
		return line ? [{session, ...line, score: row.score}] : [];
	});
	return {total: page.total, hits, nextCursor: page.nextCursor, note: page.note};
};

const searchPage = (database: Database, request: PageRequest, plan: SearchPlan): Page => {
	if (plan.groups.length > 0) return find(database, request, plan);
	const page = browse(database, request, plan);
	return plan.isVoid ? {...page, rows: [], total: 0, nextCursor: null} : page;
};

/** All sessions that have the words: exact for the ranked stage, of use for counting by facet too. */
export const findRows = (database: Database, plan: SearchPlan): readonly FoundRow[] =>
	toRows(database, collectHits(database, plan), plan);

/** A later page goes on with the clock of the first. */
const atCursor = <T extends PageRequest>(request: T): T => {
	const cursor = readCursor(request.cursor);
	return cursor ? {...request, nowMs: cursor.nowMs} : request;
};

const find = (database: Database, request: PageRequest, plan: SearchPlan): Page => {
	const sort = request.sort ?? 'relevance';
	const found = findRows(database, plan);
	if (found.length > 0 || plan.isTyping) {
		const terms = plan.groups.flat();
		return {...pageOf(found, sort, request), terms, note: noteOf(plan.notes)};
	}
	const near = nearMiss(database, plan);
	return {
		...pageOf(toRows(database, near.hits, plan), sort, request),
		terms: near.groups.flat(),
		note: noteOf([...plan.notes, near.note]),
	};
};

const noteOf = (notes: readonly string[]): string | null => notes.join(' ') || null;

const pageOf = (
	found: readonly FoundRow[],
	sort: SortOrder,
	{cursor: text, limit, nowMs, isTyping}: PageRequest,
): Pick<Page, 'rows' | 'total' | 'nextCursor'> => {
	const sorted = sortRows(found, sort);
	const cursor = readCursor(text);
	const start = cursor ? placeAfter(sorted, sort, cursor) : 0;
	const rows = sorted.slice(start, start + limit);
	const last = rows.at(-1);
	const isLast = last === undefined || start + rows.length >= sorted.length;
	return {
		rows,
		total: sorted.length,
		nextCursor:
			isLast || isTyping === true
				? null
				: writeCursor({value: sortValue(sort, last), session: last.session, nowMs}),
	};
};

const placeAfter = (
	sorted: readonly FoundRow[],
	sort: SortOrder,
	{value, session}: Cursor,
): number => {
	const known = sorted.findIndex(row => row.session === session);
	if (known >= 0) return known + 1;
	const behind = sorted.findIndex(row => {
		const own = sortValue(sort, row);
		return own < value || (own === value && row.session < session);
	});
	return behind < 0 ? sorted.length : behind;
};

const MESSAGES = 's.prompts + s.replies';
const BROWSE_ORDER: Readonly<Record<SortOrder, string>> = {
	recent: 's.updated_at',
	relevance: 's.updated_at',
	messages: MESSAGES,
};

/** Without words: sessions by recency or size, straight from their table. */
const browse = (database: Database, request: PageRequest, plan: SearchPlan): Page => {
	const order = BROWSE_ORDER[request.sort ?? 'recent'];
	const where = `${listed(plan)} AND ${andAll(plan.conditions)}`;
	const values = plan.conditions.flatMap(condition => condition.values);
	const sql = prepared(database);
	const cursor = readCursor(request.cursor);
	// A session without a time comes last and counts as 0.
	const after = cursor ? `AND (coalesce(${order}, 0), s.id) < (?, ?)` : '';
	const found = sql(
		`SELECT s.id, coalesce(${order}, 0) AS value FROM session s WHERE ${where} ${after}
		ORDER BY ${order} DESC, s.id DESC LIMIT ?`,
	).all(...values, ...(cursor ? [cursor.value, cursor.session] : []), request.limit + 1) as {
		id: number;
		value: number;
	}[];
	const {total} = sql(`SELECT count(*) AS total FROM session s WHERE ${where}`).get(...values) as {
		total: number;
	};
	const page = found.slice(0, request.limit);
	const last = page.at(-1);
	return {
		rows: page.map(({id, value}) => ({
			session: id,
			owner: id,
			event: null,
			count: 0,
			score: 0,
			updatedAtMs: value,
			messages: value,
		})),
		total,
		nextCursor:
			last && found.length > page.length
				? writeCursor({value: last.value, session: last.id, nowMs: request.nowMs})
				: null,
		terms: [],
		note: noteOf(plan.notes),
	};
};

/** What the rows of a page show. */
const load = (database: Database, page: Page, options: AnswerOptions) => {
	const sessions = sessionViews(database, [
		...new Set(page.rows.flatMap(({session, owner}) => [session, owner])),
	]);
	const events = eventViews(
		database,
		page.rows.flatMap(({event}) => event ?? []),
	);
	return {sessions, lines: createLines(database, {sessions, events, page, options})};
};

interface Loaded {
	readonly sessions: ReadonlyMap<number, SessionView>;
	readonly events: ReadonlyMap<number, EventView>;
	readonly page: Page;
	readonly options: AnswerOptions;
}

const createLines = (database: Database, {sessions, events, page, options}: Loaded) => {
	const {terms} = page;
	const more = (row: FoundRow): number => Math.max(0, row.count - 1);
	return {
		/** The best line of a list row; null: only its own title, first prompts or project match. */
		match: (row: FoundRow, session: SessionView): ListRow['match'] => {
			const owner = sessions.get(row.owner) ?? session;
			const child = owner === session ? null : owner.ref;
			const event = row.event === null ? undefined : events.get(row.event);
			if (event)
				return {
					event: event.ref,
					eventIndex: event.index,
					...snippetOf(event, terms, options),
					more: more(row),
					child,
				};
			if (child === null) return null;
			// The title of a sub-agent is its task, which a row of the parent does not show.
			const first = firstEvent(database, row.owner);
			return first
				? {
						event: first.ref,
						eventIndex: first.index,
						...makeSnippet(owner.title, terms),
						more: more(row),
						child,
					}
				: null;
		},
		/** The best event of a session; where only the title matches, its first prompt. */
		hit: (row: FoundRow): Omit<SearchHit, 'session' | 'score'> | undefined => {
			const event =
				(row.event === null ? undefined : events.get(row.event)) ??
				firstEvent(database, row.session);
			return (
				event && {
					event: event.ref,
					eventIndex: event.index,
					kind: event.kind,
					role: event.role,
					atMs: event.atMs,
					...snippetOf(event, terms, options),
					more: more(row),
				}
			);
		},
	};
};

/** From the row's text; a tool call may match by its subject, and a long output beyond the cap. */
const snippetOf = (
	event: EventView,
	terms: readonly SearchTerm[],
	{readWhole}: AnswerOptions,
): Snippet => {
	const shown = makeSnippet(event.text, terms);
	if (terms.length === 0 || showsWords(shown)) return shown;
	const subject = makeSnippet(event.tool?.subject ?? '', terms);
	if (showsWords(subject)) return subject;
	const whole = event.truncated ? readWhole?.(event) : undefined;
	const beyond = makeSnippet(whole ?? '', terms);
	return showsWords(beyond) ? beyond : shown;
};

/** The first prompt, or the first event of a session that has none. */
const firstEvent = (database: Database, session: number): EventView | undefined => {
	const own = "SELECT id FROM event WHERE session_id = @session AND state IN ('live', 'gone')";
	const {id} = prepared(database)(
		`SELECT coalesce((${own} AND kind = 'message' AND role = 'user' ORDER BY position LIMIT 1),
		(${own} ORDER BY position LIMIT 1)) AS id`,
	).get({session}) as {id: number | null};
	return id === null ? undefined : eventView(database, id);
};
