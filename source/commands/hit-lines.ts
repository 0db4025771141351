import type {SearchHit} from '../../store/types.js';
import {rowOptions} from './plain.js';
import {lineBelow, sessionRows} from './rows.js';

/** Two lines a hit: the session, and below it what was found. */
export const hitLines = (
	invocation: Parameters<typeof rowOptions>[0],
	hits: readonly SearchHit[],
): readonly string[] => {
	const options = rowOptions(invocation);
	const lines = sessionRows(
		hits.map(({session}) => session),
		options,
	);
	return hits.flatMap(({snippet, more}, index) => [
		lines[index] ?? '',
		lineBelow(more > 0 ? `${snippet}  (+${more})` : snippet, options.columns),
	]);
};
