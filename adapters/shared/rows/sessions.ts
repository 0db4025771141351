/** Sessions in tables of a database: found by one look at their rows, without a look at what was said. */
import {statSync} from 'node:fs';
import type {Problem} from '../../model.js';
import {type Discovered, type FileStamp, SourceUnreadable} from '../../types.js';
import {textOf} from '../narrow.js';
import {hasColumns, listOfColumns} from '../session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from '../sqlite.js';
import {stampOf} from '../walk.js';

/** Tables and columns came and went: `columns` are read where they exist, those in `needs` have to be there. */
export interface SessionTable {
	readonly name: string;
	/** Column of the session's id. */
	readonly id: string;
	readonly needs: readonly string[];
	readonly columns: readonly string[];
}

export interface ListedSession {
	readonly id: string;
	/** Differs whenever the session does. */
	readonly mark: string;
	/** See `Source.extra`. */
	readonly extra?: unknown;
}

/** Gives the sessions of a database; undefined when its tables are others. */
export type SessionList = (db: ForeignDatabase) => readonly ListedSession[] | undefined;

/** What a change of the messages shows in, by session. */
export const messageMarks = (
	db: ForeignDatabase,
	{table, session}: {readonly table: string; readonly session: string},
	aggregates: readonly string[],
): ReadonlyMap<unknown, string> => {
	const mark = aggregates.map(expression => `coalesce(${expression}, '')`).join(` || ':' || `);
	const rows = db.all(`SELECT ${session} AS id, ${mark} AS mark FROM ${table} GROUP BY ${session}`);
	return new Map(rows.map(row => [row['id'], String(row['mark'])]));
};

/** Those columns of all rows that a change shows in, as they are. */
export const markedRows = (
	db: ForeignDatabase,
	table: SessionTable,
	marks: readonly string[],
): readonly {readonly id: string; readonly marks: readonly unknown[]}[] => {
	const columns = listOfColumns(db, table.name, [...new Set([table.id, ...marks])]);
	return db.all(`SELECT ${columns} FROM ${table.name} ORDER BY ${table.id}`).flatMap(row => {
		const id = textOf(row[table.id]);
		return id === undefined ? [] : [{id, marks: marks.map(name => row[name] ?? null)}];
	});
};

export const isSupported = (db: ForeignDatabase, {name, needs}: SessionTable): boolean =>
	hasColumns(db, name, needs);

export const sessionRow = (db: ForeignDatabase, table: SessionTable, id: string): Row | undefined =>
	db.get(
		`SELECT ${listOfColumns(db, table.name, table.columns)} FROM ${table.name} WHERE ${table.id} = ?`,
		id,
	);

const problemOf = (code: Problem['code'], where: string, detail: string): Discovered => ({
	problem: {code, where, detail},
});

/** The database and its log: a change may be in either. */
export const databaseStamps = (path: string): readonly FileStamp[] =>
	[path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);

const listed = (
	path: string,
	list: SessionList,
): {readonly sessions: readonly ListedSession[]} | Discovered => {
	try {
		const sessions = withDatabase(path, list);
		return sessions === undefined
			? problemOf('unsupported-schema', path, 'the tables of its sessions are not there')
			: {sessions};
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		return problemOf(error.code, path, error.message);
	}
};

/** The sessions of a database; nothing if there is none. `preference`: see `Source`. */
export function* discoverSessions(
	path: string,
	list: SessionList,
	preference = 0,
): Generator<Discovered> {
	if (statSync(path, {throwIfNoEntry: false}) === undefined) return;
	const files = databaseStamps(path);
	if (files[0]?.path !== path) {
		yield problemOf('linked-out', path, 'not a regular file below its root');
		return;
	}
	const found = listed(path, list);
	if (!('sessions' in found)) {
		yield found;
		return;
	}
	for (const {id, mark, extra} of found.sessions) {
		yield {
			source: {
				key: `${path}#${id}`,
				path,
				files,
				mode: 'replace',
				mark,
				sessionId: id,
				...(preference === 0 ? {} : {preference}),
				...(extra === undefined ? {} : {extra}),
			},
		};
	}
}
