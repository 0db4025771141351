/** `list` and `search`: from a request to a page of rows with their best lines. */
import type {ListAnswer, ListRow, PageRequest, SearchAnswer, SearchRequest} from '../library.js';
import type {Database} from '../open.js';
import {eventView, eventViews} from '../read/events.js';
import {sessionViews} from '../read/sessions.js';
import {prepared} from '../statements.js';
import type {EventView, SearchHit, SessionView, SortOrder} from '../types.js';
import {collectHits} from './collect.js';
import {afterPage, readCursor, type Turn, turnOf} from './cursor.js';
import {findMatches} from './highlight.js';
import type {SearchTerm} from './match.js';
import {nearMiss} from './near.js';
import {andAll, listed, planSearch, type SearchPlan} from './plan.js';
import {type FoundRow, sortRows, toRows} from './rows.js';
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
	readonly instead?: string;
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
	const {total, nextCursor, note, instead} = page;
	return {total, rows, nextCursor, note, ...(instead === undefined ? {} : {instead})};
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

/** All sessions of an answer, for counting them: those that have the words, else the near misses. */
export const allRows = (database: Database, plan: SearchPlan): readonly FoundRow[] => {
	const found = toRows(database, collectHits(database, plan), plan);
	return found.length > 0 ? found : toRows(database, nearMiss(database, plan).hits, plan);
};

/** A later page goes on with the clock of the first. */
const atCursor = <T extends PageRequest>(request: T): T => {
	const cursor = readCursor(request.cursor);
	return cursor ? {...request, nowMs: cursor.nowMs} : request;
};

const find = (database: Database, request: PageRequest, plan: SearchPlan): Page => {
	const turn = turnOf(database, request);
	const found = toRows(database, collectHits(database, plan), plan);
	if (found.length > 0 || plan.isTyping) {
		const terms = plan.groups.flat();
		return {...pageOf(found, request, turn), terms, note: noteOf(plan.notes)};
	}
	const near = nearMiss(database, plan);
	return {
		...pageOf(toRows(database, near.hits, plan), request, turn),
		terms: near.groups.flat(),
		...(near.instead === undefined ? {} : {instead: near.instead}),
		note: noteOf([...plan.notes, near.note]),
	};
};

const noteOf = (notes: readonly string[]): string | null => notes.join(' ') || null;

const pageOf = (
	found: readonly FoundRow[],
	{sort = 'relevance', limit, isTyping}: PageRequest,
	turn: Turn,
): Pick<Page, 'rows' | 'total' | 'nextCursor'> => {
	const counted = turn.isFirst ? found : found.filter(({session}) => session <= turn.newest);
	const left = sortRows(
		counted.filter(({session}) => !turn.given.has(session)),
		sort,
	);
	const rows = left.slice(0, limit);
	const isLast = rows.length === 0 || rows.length === left.length || isTyping === true;
	return {
		rows,
		total: counted.length,
		nextCursor: isLast
			? null
			: afterPage(
					turn,
					rows.map(({session}) => session),
				),
	};
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
	const turn = turnOf(database, request);
	const bound = turn.isFirst ? [] : [turn.newest];
	const where = `${listed(plan)} AND ${andAll(plan.conditions)} ${turn.isFirst ? '' : 'AND s.id <= ?'}`;
	const values = [...plan.conditions.flatMap(condition => condition.values), ...bound];
	const sql = prepared(database);
	const found = sql(
		`SELECT s.id FROM session s WHERE ${where} AND s.id NOT IN (SELECT value FROM json_each(?))
		ORDER BY ${order} DESC, s.id DESC LIMIT ?`,
	)
		.pluck()
		.all(...values, JSON.stringify([...turn.given]), request.limit + 1) as number[];
	const total = sql(`SELECT count(*) FROM session s WHERE ${where}`)
		.pluck()
		.get(...values) as number;
	const rows = found.slice(0, request.limit).map(bareRow);
	return {
		rows,
		total,
		nextCursor:
			found.length > rows.length && rows.length > 0
				? afterPage(
						turn,
						rows.map(({session}) => session),
					)
				: null,
		terms: [],
		note: noteOf(plan.notes),
	};
};

/** A row that no word led to: only what it shows is needed of it. */
const bareRow = (session: number): FoundRow => ({
	session,
	owner: session,
	event: null,
	count: 0,
	score: 0,
	updatedAtMs: 0,
	messages: 0,
});

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
