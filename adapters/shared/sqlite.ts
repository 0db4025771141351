/** Reads databases of agents and leaves no trace there: no `-shm`, no `-wal`, no changed byte. */

import {realpathSync} from 'node:fs';
import Database from 'better-sqlite3';
import type {ProblemCode} from '../model.js';
import {SourceUnreadable} from '../types.js';
import {errorCode, errorText} from './errors.js';
import {
	BUFFER_LIMIT,
	canOpenInPlace,
	checkUnchanged,
	createView,
	type DatabaseState,
	databaseState,
	type View,
} from './sqlite-view.js';

export {setViewFolder} from './sqlite-view.js';

/** How long we wait for an agent that writes. */
const BUSY_TIMEOUT_MS = 2000;
/** A view stays open this long after its last use: a pass reads session after session of one database. */
const VIEW_IDLE_MS = 1000;

export type SqlValue = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** Queries on a foreign database. All of one action see the same state of it. */
export interface ForeignDatabase {
	all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
	get(sql: string, ...values: readonly SqlValue[]): Row | undefined;
	/** Only within the action. */
	iterate(sql: string, ...values: readonly SqlValue[]): IterableIterator<Row>;
	hasTable(name: string): boolean;
	/** Names of the columns; empty if there is no such table. */
	columns(table: string): ReadonlySet<string>;
}

/** First part of an SQLite code → what it means for a source; all others mean that it cannot be read. */
const CODES: readonly (readonly [string, ProblemCode])[] = [
	['SQLITE_BUSY', 'busy'],
	['SQLITE_LOCKED', 'busy'],
	['SQLITE_SCHEMA', 'busy'],
	// Somebody died while writing and has to clean up first: a reader must not.
	['SQLITE_READONLY_', 'busy'],
	// No such table, no such column.
	['SQLITE_ERROR', 'unsupported-schema'],
];

/** Errors of the database and of the file system; an error of the action itself stays what it is. */
const toSourceError = (path: string, error: unknown): unknown => {
	const code = errorCode(error);
	const isOurs =
		error instanceof Database.SqliteError || (error instanceof Error && 'syscall' in error);
	if (!isOurs || code === undefined) return error;
	const known = CODES.find(([prefix]) => code.startsWith(prefix));
	const message = `${path}: ${errorText(error)}`;
	return new SourceUnreadable(known?.[1] ?? 'unreadable', message, {cause: error});
};

const open = (content: string | Buffer): Database.Database => {
	const database = new Database(content, {readonly: true, timeout: BUSY_TIMEOUT_MS});
	// No temporary files, and nothing that a foreign schema could call.
	database.exec('PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF');
	return database;
};

const handleOf = (database: Database.Database): ForeignDatabase => {
	const prepare = (sql: string) => database.prepare<SqlValue[], Row>(sql);
	return {
		all: (sql, ...values) => prepare(sql).all(...values),
		get: (sql, ...values) => prepare(sql).get(...values),
		iterate: (sql, ...values) => prepare(sql).iterate(...values),
		hasTable: name =>
			prepare(`SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?`).get(
				name,
			) !== undefined,
		columns: table =>
			new Set(
				prepare('SELECT name FROM pragma_table_xinfo(?)')
					.all(table)
					.map(row => String(row['name'])),
			),
	};
};

/** One read transaction: the writer goes on, we do not see it. */
const run = <T>(database: Database.Database, action: (db: ForeignDatabase) => T): T => {
	database.exec('BEGIN');
	try {
		return action(handleOf(database));
	} finally {
		if (database.inTransaction) database.exec('ROLLBACK');
	}
};

const inPlace = <T>(path: string, action: (db: ForeignDatabase) => T): T => {
	const database = open(path);
	try {
		return run(database, action);
	} finally {
		database.close();
	}
};

interface OpenView {
	readonly path: string;
	readonly fingerprint: string;
	readonly database: Database.Database;
	readonly view: View;
}

let held: OpenView | undefined;
let idle: NodeJS.Timeout | undefined;

const closeView = ({database, view}: OpenView): void => {
	database.close();
	view.dispose();
};

/** Closes what is kept open between reads. Happens by itself a moment after the last read, and at exit. */
export const closeViews = (): void => {
	clearTimeout(idle);
	idle = undefined;
	process.off('exit', closeViews);
	const view = held;
	held = undefined;
	if (view !== undefined) closeView(view);
};

const holdView = (view: OpenView): void => {
	closeViews();
	held = view;
	idle = setTimeout(closeViews, VIEW_IDLE_MS).unref();
	process.once('exit', closeViews);
};

const openView = (path: string, state: DatabaseState, bufferLimit: number): OpenView => {
	const {fingerprint} = state;
	// Taken, not borrowed: an action may open another database.
	if (held?.path === path && held.fingerprint === fingerprint) {
		const view = held;
		held = undefined;
		return view;
	}
	const view = createView(path, state, bufferLimit);
	try {
		return {path, fingerprint, view, database: open(view.content)};
	} catch (error) {
		view.dispose();
		throw error;
	}
};

const inView = <T>(view: OpenView, action: (db: ForeignDatabase) => T): T => {
	let result: T;
	try {
		result = run(view.database, action);
	} catch (error) {
		closeView(view);
		// A linked file may have been written under our feet: then that is why.
		checkUnchanged(view.path, view.fingerprint);
		throw error;
	}
	if (view.view.isLink) closeView(view);
	else holdView(view);
	checkUnchanged(view.path, view.fingerprint);
	return result;
};

/**
 * Runs an action on an agent's database, read-only and in one state of it. Rollback-mode files and databases that their agent has
 * open are read in place; a quiet WAL-mode file, or a `-wal` that was left behind, in a private view.
 *
 * @throws SourceUnreadable `busy` (locked, or changed meanwhile), `unsupported-schema` (no such table or column), `unreadable`
 */
export const withDatabase = <T>(
	path: string,
	action: (db: ForeignDatabase) => T,
	{bufferLimit = BUFFER_LIMIT}: {readonly bufferLimit?: number} = {},
): T => {
	try {
		const real = realpathSync(path);
		const state = databaseState(real);
		return canOpenInPlace(real, state)
			? inPlace(real, action)
			: inView(openView(real, state, bufferLimit), action);
	} catch (error) {
		throw toSourceError(path, error);
	}
};

/** Names of the columns of a table, to build a SELECT from what exists. */
export const columnsOf = (db: ForeignDatabase, table: string): ReadonlySet<string> =>
	db.columns(table);
