/** Completes the filter word, or the value of a filter, that is being typed. Pure. */
import type {FacetValue} from '../library.js';
import {DATE_VALUES, HAS_VALUES, IS_VALUES} from './filter-values.js';
import {FILTER_NAMES, type FilterName, queryTokens} from './query.js';
import {SCOPE_VALUES} from './scope.js';
import {fold} from './words.js';

/** Values that the history has, with counts, as `Library.facet` gives them. */
export type FilterValues = Readonly<Partial<Record<FilterName, readonly FacetValue[]>>>;

export interface Candidate {
	/** What goes into the query in place of `start` to `end`; a filter word ends in its colon. */
	readonly text: string;
	readonly label: string;
	/** Sessions that have the value; null where nobody counted. */
	readonly count: number | null;
}

export interface Completion {
	/** UTF-16 positions in the query, the end exclusive. */
	readonly start: number;
	readonly end: number;
	/** The filter whose value is being typed: for its values ask `Library.facet`. Null for a filter word, or nothing. */
	readonly name: FilterName | null;
	/** Best first; none when nothing is half typed that could be completed. */
	readonly candidates: readonly Candidate[];
}

export const completeFilter = (
	text: string,
	cursor: number,
	values: FilterValues = {},
): Completion => {
	const token = queryTokens(text).find(({start, end}) => start < cursor && cursor <= end);
	const nothing = {start: cursor, end: cursor, name: null, candidates: []};
	if (token === undefined) return nothing;
	const start = token.start + (text[token.start] === '-' ? 1 : 0);
	const typed = text.slice(start, cursor);
	const name = filterOf(typed);
	if (name !== undefined)
		return completeValue(text, cursor, {
			name,
			from: start + name.length + 1,
			end: token.end,
			values: values[name] ?? [],
		});
	// A word that goes on behind the cursor, or with other signs, is no filter word.
	if (!/^[a-z]+$/i.test(text.slice(start, token.end)) || text[start - 1] === '"') return nothing;
	const wanted = typed.toLowerCase();
	const names = FILTER_NAMES.filter(filter => wanted !== '' && filter.startsWith(wanted));
	return {
		start,
		end: token.end,
		name: null,
		candidates: names.map(filter => ({text: `${filter}:`, label: `${filter}:`, count: null})),
	};
};

const filterOf = (typed: string): FilterName | undefined => {
	const word = /^([a-z]+):/i.exec(typed)?.[1]?.toLowerCase();
	return FILTER_NAMES.find(name => name === word);
};

interface ValuePlace {
	readonly name: FilterName;
	/** Behind the colon. */
	readonly from: number;
	readonly end: number;
	readonly values: readonly FacetValue[];
}

const completeValue = (
	text: string,
	cursor: number,
	{name, from, end, values}: ValuePlace,
): Completion => {
	const parts = valueParts(text, from, end);
	const part = parts.find(place => cursor <= place.end) ?? {start: cursor, end: cursor};
	const bare = (place: Place): string => text.slice(place.start, place.end).replaceAll('"', '');
	const others = new Set(parts.filter(place => place !== part).map(place => fold(bare(place))));
	const typed = fold(bare({start: part.start, end: cursor}));
	const candidates = [...fixedValues(name), ...values.map(value => candidateOf(value, values))];
	return {
		...part,
		name,
		candidates: bestFirst(
			candidates.filter(({text}) => !others.has(fold(text.replaceAll('"', '')))),
			typed,
		),
	};
};

interface Place {
	readonly start: number;
	readonly end: number;
}

/** The values of a filter, which commas part unless they stand in quotes. */
const valueParts = (text: string, from: number, end: number): readonly Place[] => {
	const parts: Place[] = [];
	let start = from;
	let isQuoted = false;
	for (let at = from; at <= end; at++) {
		if (text[at] === '"') isQuoted = !isQuoted;
		if (at < end && (text[at] !== ',' || isQuoted)) continue;
		parts.push({start, end: at});
		start = at + 1;
	}
	return parts;
};

const FIXED: Readonly<Partial<Record<FilterName, readonly string[]>>> = {
	in: SCOPE_VALUES,
	is: IS_VALUES,
	has: HAS_VALUES,
	after: DATE_VALUES,
	before: DATE_VALUES,
	date: DATE_VALUES,
};

const fixedValues = (name: FilterName): readonly Candidate[] =>
	(FIXED[name] ?? []).map(text => ({text, label: text, count: null}));

/** By its label where that means no other value, such as the name of a project; else by the value itself. */
const candidateOf = ({value, label, count}: FacetValue, all: readonly FacetValue[]): Candidate => {
	const isTelling =
		label !== '' && all.filter(other => fold(other.label).includes(fold(label))).length === 1;
	return {text: quoted(isTelling ? label : value), label, count};
};

/** A quote has no way into a quoted value. */
const quoted = (value: string): string =>
	/[\s,]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;

/** What begins as typed, then where a word inside begins so, then what has it anywhere. */
const bestFirst = (candidates: readonly Candidate[], typed: string): readonly Candidate[] => {
	const ranked = new Map<string, {readonly candidate: Candidate; readonly rank: number}>();
	for (const candidate of candidates) {
		const {text, label} = candidate;
		const rank = Math.min(
			rankIn(fold(text.replaceAll('"', '')), typed),
			rankIn(fold(label), typed),
		);
		if (rank < NOWHERE && !ranked.has(text)) ranked.set(text, {candidate, rank});
	}
	return [...ranked.values()].toSorted((a, b) => a.rank - b.rank).map(({candidate}) => candidate);
};

const NOWHERE = 3;

const rankIn = (value: string, typed: string): number => {
	const at = value.indexOf(typed);
	if (at <= 0) return at === 0 ? 0 : NOWHERE;
	return /[^\p{L}\p{N}]/u.test(value[at - 1] ?? '') ? 1 : 2;
};
