/** Find inside of one session. */
import type {Database} from '../open.js';
import {matchExpression, searchWords} from '../search/match.js';
import {parseQuery} from '../search/query.js';
import {prepared} from '../statements.js';

/** Indices of the events with the query's words, meta records included, ascending. Filters of the query mean nothing here. */
export const findInSession = (
	database: Database,
	session: number,
	query: string,
): readonly number[] => {
	const {groups, excluded} = searchWords(parseQuery(query, 0));
	if (groups.length === 0) return [];
	const match = matchExpression(groups, excluded);
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
