/** The sessions of a database, without a look at their content. */
import {type Discovered, type FileStamp, SourceUnreadable} from '../../types.js';
import {textOf} from '../narrow.js';
import {type ForeignDatabase, withDatabase} from '../sqlite.js';
import {stampOf} from '../walk.js';
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

interface Listed {
	readonly id: string;
	readonly mark: string;
}

const listSessions = (db: ForeignDatabase): readonly Listed[] | undefined => {
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

const stampsOf = (path: string): readonly FileStamp[] =>
	[path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);

/** The sessions of a database. `preference`: see `Source`. */
export function* discoverDatabase(path: string, preference = 0): Generator<Discovered> {
	const files = stampsOf(path);
	if (files[0]?.path !== path) {
		const detail = 'not a regular file below its root';
		yield {problem: {code: 'linked-out', where: path, detail}};
		return;
	}
	let sessions: readonly Listed[] | undefined;
	try {
		sessions = withDatabase(path, listSessions);
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		yield {problem: {code: error.code, where: path, detail: error.message}};
		return;
	}
	if (sessions === undefined) {
		const detail = 'no tables session, message and part';
		yield {problem: {code: 'unsupported-schema', where: path, detail}};
	}
	for (const {id, mark} of sessions ?? []) {
		yield {
			source: {
				key: `${path}#${id}`,
				path,
				files,
				mode: 'replace',
				mark,
				sessionId: id,
				...(preference === 0 ? {} : {preference}),
			},
		};
	}
}
