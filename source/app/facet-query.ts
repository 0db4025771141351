/** Filters of the query text that are chosen from a list: which ones are in it, and the text with others. Pure. */
import type {FacetName, FacetValue} from '../../store/library.js';
import {queryTokens} from '../../store/search/query.js';

export const facetNames = [
	'project',
	'agent',
	'branch',
	'model',
	'tool',
	'date',
] as const satisfies readonly FacetName[];

/** A date takes the place of every other date. */
const wordsOf = (name: FacetName): readonly string[] =>
	name === 'date' ? ['date', 'after', 'before'] : [name];

interface FilterText {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

const filtersIn = (query: string, name: FacetName): readonly FilterText[] =>
	queryTokens(query)
		.filter(({kind}) => kind === 'filter')
		.map(({start, end}) => ({start, end, text: query.slice(start, end)}))
		.filter(({text}) => wordsOf(name).some(word => text.toLowerCase().startsWith(`${word}:`)));

const valuesIn = (filter: string): readonly string[] =>
	[...filter.slice(filter.indexOf(':') + 1).matchAll(/"([^"]*)"?|([^,]+)/g)]
		.map(([, quoted, plain]) => quoted ?? plain ?? '')
		.filter(value => value !== '');

/** How a value is written in the query: by its name where that tells it from all others. */
export const facetToken = (value: FacetValue, all: readonly FacetValue[]): string =>
	value.label !== '' && all.filter(({label}) => label === value.label).length === 1
		? value.label
		: value.value;

/** What the query asks for by hand or by an earlier choice. */
export const chosenIn = (query: string, name: FacetName): readonly string[] =>
	filtersIn(query, name).flatMap(({text}) => valuesIn(text));

/** A quote has no way into a quoted value. */
const quotedValue = (value: string): string =>
	/[\s,]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;

/** The query with this choice instead of the filters of that name; with no choice it is without them. */
export const withChosen = (query: string, name: FacetName, chosen: readonly string[]): string => {
	let rest = query;
	for (const {start, end} of filtersIn(query, name).toReversed())
		rest = `${rest.slice(0, start).trimEnd()} ${rest.slice(end).trimStart()}`;
	const filter = `${name}:${chosen.map(quotedValue).join(',')}`;
	const words = rest.trim();
	if (chosen.length === 0) return words;
	return words === '' ? `${filter} ` : `${words} ${filter} `;
};
