/** What makes one match better than another beside bm25: how close it comes to what was typed, and what kind of event it is. */
import type {EventKind} from '../../adapters/model.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {indexColumn} from '../sync/text.js';
import {type EventSearch, newestEvents, WEIGHTS} from './fts.js';
import {type CloserForms, closerForms, inColumns, type SearchGroup} from './match.js';

/** What a match is worth more when it also fits a stricter form of the query. The words of a phrase are near each other, too. */
const FACTORS: Readonly<Record<keyof CloserForms, number>> = {
	near: 1.5,
	phrase: 2,
	exact: 1.5,
};
/** The same for signs as they were typed. */
export const SIGNED_FACTOR = 1.5;

/** Rows (events or sessions) that fit stricter forms of a query, with the factor for their scores. */
export type Factors = ReadonlyMap<number, number>;

export const closerFactors = (
	groups: readonly SearchGroup[],
	columns: readonly string[],
	rowsOf: (match: string) => readonly number[],
): Factors => {
	const factors = new Map<number, number>();
	const {near, phrase, exact} = closerForms(groups);
	/** True if there are any. */
	const raise = (form: string | undefined, factor: number): boolean => {
		const rows = form === undefined ? [] : rowsOf(inColumns(form, columns));
		for (const row of rows) factors.set(row, (factors.get(row) ?? 1) * factor);
		return rows.length > 0;
	};
	// Words that are nowhere near each other are no phrase either.
	if (near === undefined || raise(near, FACTORS.near)) raise(phrase, FACTORS.phrase);
	raise(exact, FACTORS.exact);
	return factors;
};

/** Words in a full-text table of events. */
export interface WordSearch extends EventSearch {
	/** What `match` was made of. */
	readonly groups: readonly SearchGroup[];
	readonly columns: readonly string[];
}

/** Of events: the newest `limit` of each form. */
export const eventFactors = (
	database: Database,
	{index, groups, columns}: WordSearch,
	limit: number,
): Factors =>
	closerFactors(groups, columns, match => newestEvents(database, {index, match}, limit));

// As FTS5's bm25 has them.
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

interface EventFacts {
	readonly id: number;
	readonly kind: EventKind;
	readonly role: 'user' | 'assistant' | null;
	readonly full_length: number;
}

/**
 * bm25 as if each event held the words once, for words that are so common that bm25 itself would cost more than it says: it goes
 * over all postings of each word once more (80 ms for 130,000 of them) to learn how rare the word is.
 */
export const plainScores = (
	database: Database,
	events: readonly number[],
	total: number,
): ReadonlyMap<number, number> => {
	const sql = prepared(database);
	const facts = sql(
		'SELECT e.id, e.kind, e.role, e.full_length FROM json_each(?) wanted CROSS JOIN event e ON e.id = wanted.value',
	).all(JSON.stringify(events)) as EventFacts[];
	const all = sql('SELECT sum(events) FROM session').pluck().get() as number;
	const rarity = Math.log(1 + all / Math.max(1, total));
	const length = facts.reduce((sum, event) => sum + event.full_length, 0);
	const average = Math.max(1, length / Math.max(1, facts.length));
	return new Map(
		facts.map(({id, kind, role, full_length}) => {
			const column = indexColumn({kind, ...(role && {role})});
			const weight = WEIGHTS[column === 'meta' ? 'output' : column];
			const size = 1 - LENGTH_SHARE + (LENGTH_SHARE * full_length) / average;
			return [id, (rarity * weight * (SATURATION + 1)) / (weight + SATURATION * size)];
		}),
	);
};

const PUNCTUATION = /[^\p{L}\p{N}\s]/u;

/** What was typed with signs in it, which the index does not know: `c++`, `src/a.ts:12`. */
export const signedTexts = (groups: readonly SearchGroup[]): readonly string[] =>
	groups
		.flatMap(group => (group.length === 1 ? group : []))
		.map(({label, isExact}) => (isExact ? label.slice(1, -1) : label).toLowerCase())
		.filter(text => PUNCTUATION.test(text));

/** Whether a session's title or the text of its best event has all of them as they were typed. */
export const hasSignedTexts = (
	database: Database,
	{session, event}: {readonly session: number; readonly event: number | null},
	wanted: readonly string[],
): boolean => {
	const text = prepared(database)(
		`SELECT title || char(10) || coalesce((SELECT coalesce(subject, '') || char(10) || text FROM event WHERE id = ?), '')
		FROM session WHERE id = ?`,
	)
		.pluck()
		.get(event, session) as string | undefined;
	const shown = text?.toLowerCase() ?? '';
	return wanted.every(part => shown.includes(part));
};
