/** Find inside of one session. */
import type {Database} from '../open.js';
import {readQuery} from '../search/bounds.js';
import {matchExpression, searchWords} from '../search/match.js';
import {prepared} from '../statements.js';

/**
 * Indices of the events with the query's words, meta records included, ascending: those with all of them, else those with any (a
 * session may be found by words of different messages, or of its title). Filters of the query mean nothing here.
 */
export const findInSession = (
	database: Database,
	session: number,
	query: string,
): readonly number[] => {
	const {groups, excluded} = searchWords(readQuery(query, 0));
	if (groups.length === 0) return [];
	const together = eventsWith(database, session, matchExpression(groups, excluded));
	return together.length > 0 || groups.length === 1
		? together
		: eventsWith(database, session, matchExpression([groups.flat()], excluded));
};

const eventsWith = (database: Database, session: number, match: string): readonly number[] => {
	const sql = prepared(database);
	const [first, last] = sql('SELECT min(id), max(id) FROM event WHERE session_id = ?')
		.raw()
		.get(session) as [number | null, number | null];
	if (first === null || last === null) return [];
	const found = (['event_fts', 'meta_fts'] as const).flatMap(
		table =>
			sql(
				`SELECT e.position FROM ${table} f CROSS JOIN event e ON e.id = f.rowid
				WHERE ${table} MATCH ? AND f.rowid BETWEEN ? AND ? AND e.session_id = ?`,
			)
				.pluck()
				.all(match, first, last, session) as number[],
	);
	return found.toSorted((a, b) => a - b);
};
