/** Where the words of a query stand in what is shown. */

import {readQuery} from '../../store/search/bounds.js';
import {findMatches} from '../../store/search/highlight.js';
import {type SearchTerm, searchWords} from '../../store/search/match.js';
import type {Line, StyleName} from '../terminal/spans.js';
import {markRanges} from '../transcript/matches.js';

const keptQueries = 16;
const known = new Map<string, readonly SearchTerm[]>();

/** What a query looks for in texts. The same list for the same query, so that rows that show it need not be made anew. */
export const queryTerms = (query: string): readonly SearchTerm[] => {
	const old = known.get(query);
	if (old) return old;
	const terms = searchWords(readQuery(query, 0)).groups.flat();
	if (known.size >= keptQueries) known.clear();
	known.set(query, terms);
	return terms;
};

const textOf = (line: Line): string => line.map(({text}) => text).join('');

/** The line with the words of the query in the style of a match. */
export const markTerms = (
	line: Line,
	terms: readonly SearchTerm[],
	style: StyleName = 'match',
): Line => (terms.length === 0 ? line : markRanges(line, findMatches(textOf(line), terms), style));

export const hasTerm = (line: Line, terms: readonly SearchTerm[]): boolean =>
	terms.length > 0 && findMatches(textOf(line), terms).length > 0;
