/** What a request of the list or the search comes down to: words, where they may stand, and in which sessions. */
import type {PageRequest} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {isTooLong, readQuery, TOO_LONG_NOTE} from './bounds.js';
import {type Condition, type FilterWord, scopeNotes, sessionFilter} from './filters.js';
import {withoutMatch} from './fts.js';
import {
	MAX_WORDS,
	matchExpression,
	type SearchGroup,
	type SearchTerm,
	searchWords,
} from './match.js';
import type {Query} from './query.js';
import {EVENT_COLUMNS, type Scope, scopeOf} from './scope.js';

export interface SearchPlan {
	readonly query: Query;
	/** All of these words have to be there. Empty: the query only filters. */
	readonly groups: readonly SearchGroup[];
	readonly excluded: readonly SearchTerm[];
	readonly scope: Scope;
	/** Conditions on the rows of `session` (`s`). */
	readonly conditions: readonly Condition[];
	/** Sub-agents are shown in the rows of their parents. */
	readonly isFolded: boolean;
	/** Sub-agents and automated sessions are asked for. */
	readonly isByKind: boolean;
	readonly isTyping: boolean;
	readonly isUnfinished: boolean;
	/** False: only which sessions match is asked for. */
	readonly isRanked: boolean;
	readonly isLastShort: boolean;
	/** Something was typed, but nothing that could be looked for. */
	readonly isVoid: boolean;
	readonly notes: readonly string[];
}

interface PlanOptions {
	/** Where, beside the messages, words may stand. */
	readonly heads: Scope['heads'];
	readonly isFolded: boolean;
	readonly scope?: string;
	/** Filters that do not count: a facet's own. */
	readonly omit?: readonly FilterWord[];
	readonly isRanked?: boolean;
}

export const planSearch = (
	database: Database,
	request: PageRequest,
	{heads, isFolded, scope, omit = [], isRanked = true}: PlanOptions,
): SearchPlan => {
	const query = readQuery(request.query, request.nowMs);
	const words = searchWords(query);
	const filter = sessionFilter(database, query, {filters: request.filters, omit});
	const places = scopeOf(query, heads, scope);
	return {
		query,
		groups: words.groups,
		excluded: words.excluded,
		scope: places,
		conditions: [...filter.conditions, ...exclusion(database, words.excluded, places)],
		isFolded: isFolded && !filter.isByKind,
		isByKind: filter.isByKind,
		isTyping: request.isTyping === true,
		isUnfinished: request.isUnfinished === true,
		isRanked,
		isLastShort: words.isLastShort,
		isVoid: words.isVoid,
		notes: [
			...filter.notes,
			...scopeNotes(query),
			...(words.isVoid ? ['Nothing to search for: only letters and digits are looked for.'] : []),
			...(words.isCut ? [`Only the first ${MAX_WORDS} words are looked for.`] : []),
			...(isTooLong(request.query) && !words.isCut ? [TOO_LONG_NOTE] : []),
		],
	};
};

/** Columns of a MATCH expression; none: no limit. */
export const eventColumns = ({columns}: Scope): readonly string[] =>
	columns.length === EVENT_COLUMNS.length ? [] : columns;

/**
 * `-word` leaves out the messages with the word, and the sessions in which it was said: in a prompt, a reply, the title. What
 * tools printed counts only when the query is about that; there nearly every word occurs somewhere.
 */
const exclusion = (
	database: Database,
	excluded: readonly SearchTerm[],
	{columns, heads}: Scope,
): Condition[] => {
	if (excluded.length === 0) return [];
	const said = columns.filter(column => column === 'prompt' || column === 'reply');
	const searched = said.length > 0 ? said : columns;
	const titles = heads.filter(column => column !== 'project');
	return [
		withoutMatch(
			database,
			searched.length > 0 ? matchExpression([excluded], [], searched) : undefined,
			titles.length > 0 ? matchExpression([excluded], [], titles) : undefined,
		),
	];
};

/** The sessions that hits may lie in, with folding also the sub-agents of those; undefined: all. */
export const allowedSessions = (
	database: Database,
	{conditions, isFolded}: SearchPlan,
): ReadonlySet<number> | undefined => {
	if (conditions.length === 0) return undefined;
	const fitting = `SELECT s.id FROM session s WHERE s.hidden_by IS NULL AND ${andAll(conditions)}`;
	const ids = prepared(database)(
		isFolded
			? `WITH RECURSIVE fitting(id) AS (${fitting} UNION SELECT c.id FROM fitting
				CROSS JOIN session c ON c.parent_id = fitting.id WHERE c.kind = 'subagent') SELECT id FROM fitting`
			: fitting,
	)
		.pluck()
		.all(...conditions.flatMap(({values}) => values)) as number[];
	return new Set(ids);
};

export const andAll = (conditions: readonly Condition[]): string =>
	conditions.map(({sql}) => `(${sql})`).join(' AND ') || 'true';

/** Sessions that are rows of a list without words. */
export const listed = ({isByKind}: SearchPlan): string =>
	isByKind ? 's.hidden_by IS NULL' : "s.hidden_by IS NULL AND s.kind IN ('main', 'imported')";
