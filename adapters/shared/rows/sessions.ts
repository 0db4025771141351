/** Sessions in tables of a database: found by one look at their rows, without a look at what was said. */

import {statSync} from 'node:fs';
import type {Problem} from '../../model.js';
import {type Discovered, type FileStamp, type Source, SourceUnreadable} from '../../types.js';
import {compact} from '../compact.js';
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

/** The database and its log: a change may be in either. */
export const databaseStamps = (path: string): readonly FileStamp[] =>
	[path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);

/** What `list` finds in a database; undefined, and a problem, when it cannot be read or has other tables. */
export function* listDatabase<T>(
	path: string,
	list: (db: ForeignDatabase) => T | undefined,
	lacking = 'the tables of its sessions are not there',
): Generator<{readonly problem: Problem}, T | undefined> {
	try {
		const found = withDatabase(path, list);
		if (found !== undefined) return found;
		yield {problem: {code: 'unsupported-schema', where: path, detail: lacking}};
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		yield {problem: {code: error.code, where: path, detail: error.message}};
	}
	return undefined;
}

/** The sessions of a database; nothing if there is none. */
export function* discoverSessions(
	path: string,
	list: SessionList,
	{preference, lacking}: Pick<Source, 'preference'> & {readonly lacking?: string} = {},
): Generator<Discovered> {
	if (statSync(path, {throwIfNoEntry: false}) === undefined) return;
	const files = databaseStamps(path);
	if (files[0]?.path !== path) {
		const detail = 'not a regular file below its root';
		yield {problem: {code: 'linked-out', where: path, detail}};
		return;
	}
	for (const {id, mark, extra} of (yield* listDatabase(path, list, lacking)) ?? []) {
		yield {
			source: {
				key: `${path}#${id}`,
				path,
				files,
				mode: 'replace',
				mark,
				sessionId: id,
				...compact({preference: preference || undefined, extra}),
			},
		};
	}
}
