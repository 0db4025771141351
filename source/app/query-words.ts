import {parseQuery} from '../../store/search/query.js';

/** The words and phrases of a query that are looked for, for marking them in a text. */
export const queryWords = (query: string): readonly string[] =>
	parseQuery(query, 0).parts.flatMap(part =>
		part.kind === 'words' && !part.isNegated ? part.terms.map(({text}) => text) : [],
	);
