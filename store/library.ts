/**
 * The read side of the store as one interface: the command line calls it directly, the app through the search worker. Every
 * method is synchronous and answers from what is in the database; none reads an agent's store.
 */
import type {
	EventRef,
	EventView,
	Match,
	ProblemView,
	RootView,
	SearchHit,
	SessionRef,
	SessionView,
	SortOrder,
} from './types.js';

/** Filters that the command line gives as flags and the app as state; the query text may hold more (`agent:`, `after:` …). */
export interface Filters {
	readonly agents?: readonly string[];
	/** Absolute path (sessions in or below it) or part of the display name. */
	readonly project?: string;
	/** As in `after:` / `before:` (`2d`, `1w`, `today`, `2026-11-01`). */
	readonly since?: string;
	readonly until?: string;
	/** Directory for "here": sessions of its project (worktrees included) or that worked in or below it. */
	readonly here?: string;
	/** With sub-agents and automated sessions. */
	readonly isAll?: boolean;
}

export interface PageRequest {
	/** Query text in the language of DESIGN section 5; never an error. */
	readonly query: string;
	readonly filters: Filters;
	readonly sort?: SortOrder;
	readonly limit: number;
	/** Opaque, from the answer before. */
	readonly cursor?: string;
	/** Clock, for relative dates and recency. */
	readonly nowMs: number;
	/**
	 * The query is being typed: answered from the newest matches, without ranking, near misses and cursor; `total` counts what
	 * was looked at. A last word of one or two characters is looked for in titles only.
	 */
	readonly isTyping?: boolean;
	/**
	 * The query may go on: a last word of one or two characters counts as a whole word in messages (as a beginning in titles), for as
	 * long as that finds anything. All words that begin so would take ten times as long.
	 */
	readonly isUnfinished?: boolean;
}

export interface ListRow {
	readonly session: SessionView;
	/** Best matching event (in the app and in `list QUERY` also one of a sub-agent, whose session `child` then names). */
	readonly match: {
		readonly event: EventRef;
		readonly eventIndex: number;
		readonly snippet: string;
		readonly matches: readonly Match[];
		readonly more: number;
		readonly child: SessionRef | null;
	} | null;
	/** Positions of the query's words in the title. */
	readonly titleMatches: readonly Match[];
}

export interface ListAnswer {
	readonly total: number;
	readonly rows: readonly ListRow[];
	readonly nextCursor: string | null;
	/** Said to the user: a near miss was shown, a word has no match, nothing to search for. */
	readonly note: string | null;
	/** A near miss: the query whose words the rows hold, for marking them and for finding them in the session. */
	readonly instead?: string;
}

export interface SearchRequest extends PageRequest {
	readonly scope?: 'prompts' | 'replies' | 'tools' | 'outputs' | 'all';
}

export interface SearchAnswer {
	readonly total: number;
	readonly hits: readonly SearchHit[];
	readonly nextCursor: string | null;
	readonly note: string | null;
}

export interface FacetValue {
	readonly value: string;
	readonly label: string;
	readonly count: number;
}
/** `date`: values of the filter of that name; they overlap, such as `7d` and `today`. */
export type FacetName = 'agent' | 'project' | 'branch' | 'model' | 'tool' | 'date';

/** What a REF on the command line leads to. */
export type Resolution =
	| {readonly found: 'session'; readonly session: SessionView}
	| {readonly found: 'event'; readonly session: SessionView; readonly event: EventView}
	| {readonly found: 'several'; readonly candidates: readonly SessionRef[]}
	| {readonly found: 'none'};

/** One prompt of a session, for the outline and for jumping. */
export interface OutlineEntry {
	readonly index: number;
	readonly atMs: number | null;
	readonly text: string;
	/** Until the next prompt or the end. */
	readonly durationMs: number | null;
	readonly toolCalls: number;
	readonly errors: number;
	readonly files: number;
}

/** Indices of events that keys jump to, ascending. */
export interface Landmarks {
	/** Failed calls and their results. */
	readonly errors: readonly number[];
	/** Messages with a fenced block of code. */
	readonly code: readonly number[];
}

/** A file that the calls of a session touched. */
export interface FileEntry {
	/** As the record states it. */
	readonly path: string;
	/** Calls that read it, and calls that changed it. */
	readonly reads: number;
	readonly changes: number;
	/** Event of its first change, else of its first reading. */
	readonly index: number;
}

/** Sums over the sessions of one agent, project, model or day. Tokens as in `TokenCounts`. */
export interface StatsRow {
	/** Empty where it is not known. */
	readonly value: string;
	readonly label: string;
	readonly sessions: number;
	/** Of sessions of a day: all of theirs, on the day of their last message. */
	readonly prompts: number;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** Null where no store states a cost. */
	readonly costUsd: number | null;
}

export interface Stats {
	readonly total: StatsRow;
	/** Of the sessions, those that no person typed in. */
	readonly automated: number;
	/** Not among the sessions; what they spent is counted. */
	readonly subagents: number;
	/** Local days, `2026-11-30`, ascending. */
	readonly byDay: readonly StatsRow[];
	readonly byAgent: readonly StatsRow[];
	readonly byProject: readonly StatsRow[];
	readonly byModel: readonly StatsRow[];
}

export interface Library {
	/** One row a session, for the list screen and `list`. */
	list(request: PageRequest): ListAnswer;
	/** Best events, one row a session, for `search`. */
	search(request: SearchRequest): SearchAnswer;
	/** Counts per value under the query and the filters, except the facet's own. */
	facet(name: FacetName, request: PageRequest): readonly FacetValue[];
	session(ref: SessionRef): SessionView | undefined;
	/** Session reference, event reference, native id, or an unambiguous prefix of at least 6 characters (DESIGN section 3). */
	resolve(text: string): Resolution;
	event(ref: EventRef): EventView | undefined;
	/** Events by index, in transcript order, those of every state. */
	events(
		session: SessionRef,
		range: {readonly from: number; readonly count: number},
	): readonly EventView[];
	/** Indices of the events that match the query's words, ascending. */
	findInSession(session: SessionRef, query: string): readonly number[];
	outline(session: SessionRef): readonly OutlineEntry[];
	landmarks(session: SessionRef): Landmarks;
	/** Changed files first. */
	files(session: SessionRef): readonly FileEntry[];
	/** Direct sub-agents, oldest first. */
	children(session: SessionRef): readonly SessionView[];
	/** Sessions that are forks or continuations of this one. */
	followers(session: SessionRef): readonly SessionView[];
	counts(): {
		readonly sessions: number;
		readonly agents: number;
		readonly lastSyncMs: number | null;
	};
	/** Of sessions and model messages since then; 0: of all. */
	stats(sinceMs: number): Stats;
	roots(): readonly RootView[];
	problems(agent?: string): readonly ProblemView[];
	/** Unknown record kinds by agent. */
	unknownKinds(): Readonly<Record<string, Readonly<Record<string, number>>>>;
}
