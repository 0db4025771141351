/** Where a query looks: `in:` of the query text, or the `--scope` of the command line. */
import type {Query} from './query.js';

/** Columns of `event_fts` in the order of the schema, which is the order of bm25's weights. */
export const EVENT_COLUMNS = ['output', 'tool', 'reply', 'thought', 'prompt'] as const;
export type EventColumn = (typeof EVENT_COLUMNS)[number];

export interface Scope {
	/** Columns of `event_fts`; empty: none of them. */
	readonly columns: readonly EventColumn[];
	/** Columns of `head_fts`; empty: none of them. */
	readonly heads: readonly ('title' | 'prompt' | 'project')[];
	readonly hasMeta: boolean;
}

const COLUMN_OF: Readonly<Record<string, EventColumn | 'title' | 'meta'>> = {
	prompts: 'prompt',
	replies: 'reply',
	tools: 'tool',
	outputs: 'output',
	reasoning: 'thought',
	title: 'title',
	meta: 'meta',
};

export const SCOPE_VALUES = Object.keys(COLUMN_OF);

/** `heads`: where the words of a query may also stand when it names no place. */
export const scopeOf = (query: Query, heads: Scope['heads'], flag = 'all'): Scope => {
	const wanted = places(query, false);
	const unwanted = places(query, true);
	const chosen = wanted.size > 0 || flag === 'all' ? wanted : new Set([COLUMN_OF[flag]]);
	const isOpen = chosen.size === 0;
	const has = (place: EventColumn | 'title'): boolean =>
		(isOpen || chosen.has(place)) && !unwanted.has(place);
	return {
		columns: EVENT_COLUMNS.filter(has),
		heads: has('title') ? (isOpen ? heads : ['title']) : [],
		hasMeta: chosen.has('meta') && !unwanted.has('meta'),
	};
};

const places = (query: Query, isNegated: boolean) =>
	new Set(
		query.parts
			.filter(part => part.kind === 'filter' && part.name === 'in' && part.isNegated === isNegated)
			.flatMap(part => (part.kind === 'filter' ? part.values : []))
			.flatMap(value => COLUMN_OF[value.toLowerCase()] ?? []),
	);
