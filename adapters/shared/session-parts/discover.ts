/** The sessions of a database, without a look at their content. */

import type {Discovered} from '../../types.js';
import {textOf} from '../narrow.js';
import {discoverSessions, type ListedSession} from '../rows/sessions.js';
import type {ForeignDatabase} from '../sqlite.js';
import {hasColumns, isSupported, listOfColumns, RECORD_TABLES} from './schema.js';

/** Rows are rewritten in place, and not every change reaches `session.time_updated` (1.18.33). */
const MARK_COLUMNS = ['time_updated', 'time_archived', 'title', 'parent_id'] as const;

/** Number and last change of the records of each session. */
const countsOf = (db: ForeignDatabase, table: string): ReadonlyMap<unknown, string> => {
	if (!hasColumns(db, table, ['session_id'])) return new Map();
	const newest = hasColumns(db, table, ['time_updated']) ? 'time_updated' : 'rowid';
	const rows = db.all(
		`SELECT session_id AS id, count(*) AS count, max(${newest}) AS newest FROM ${table} GROUP BY session_id`,
	);
	return new Map(rows.map(({id, count, newest: last}) => [id, `${count}:${last}`]));
};

const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	if (!isSupported(db)) return undefined;
	const counts = [...RECORD_TABLES].map(table => countsOf(db, table));
	const columns = listOfColumns(db, 'session', ['id', ...MARK_COLUMNS]);
	const reverted = hasColumns(db, 'session', ['revert']) ? 'octet_length(revert)' : 'NULL';
	const sql = `SELECT ${columns}, ${reverted} AS reverted FROM session ORDER BY id`;
	return db.all(sql).flatMap(row => {
		const id = textOf(row['id']);
		if (id === undefined) return [];
		const own = [...MARK_COLUMNS, 'reverted'].map(name => row[name] ?? null);
		return [{id, mark: JSON.stringify([...own, ...counts.map(of => of.get(id) ?? '')])}];
	});
};

/** The sessions of a database. `preference`: see `Source`. */
export const discoverDatabase = (path: string, preference = 0): Generator<Discovered> =>
	discoverSessions(path, listSessions, {
		preference,
		lacking: 'no tables session, message and part',
	});
