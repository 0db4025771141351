import {chmodSync, existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import {StoreError, storeErrorCode} from './errors.js';
import {restoreForgotten} from './forgotten-file.js';
import {restoreMarks} from './marks-file.js';
import {migrations} from './migrations/index.js';
import {DATABASE_FILE, damagedDatabases, setAside} from './set-aside.js';

export type Database = BetterSqlite3.Database;
export type Statement = BetterSqlite3.Statement;

export {DATABASE_FILE} from './set-aside.js';

const PRAGMAS = [
	'journal_mode = WAL',
	'synchronous = NORMAL',
	'cache_size = -32768',
	'temp_store = MEMORY',
	'busy_timeout = 5000',
	'secure_delete = FAST',
];

/**
 * Opens (and creates or migrates) the database of a data folder for writing. Folder 0700, files 0600. A damaged one is set aside and
 * a new one made: see `takeSetAsideNotice`.
 * @throws StoreError with one line for a person.
 */
export const openStore = (folder: string): Database =>
	explained(folder, () => {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		try {
			return opened(folder);
		} catch (error) {
			if (storeErrorCode(error) !== 'damaged' || setAsideDamaged(folder) === undefined) throw error;
			return opened(folder);
		}
	});

const opened = (folder: string): Database => {
	const path = join(folder, DATABASE_FILE);
	const isNew = !existsSync(path);
	const database = new BetterSqlite3(path);
	try {
		if (isNew) chmodSync(path, 0o600);
		// Pages that a large import leaves behind can be given back (`store/sync/engine.ts`).
		if (isNew) database.pragma('auto_vacuum = INCREMENTAL');
		for (const pragma of PRAGMAS) database.pragma(pragma);
		migrate(database);
		if (isNew) restoreMarks(database, folder);
		if (isNew) restoreForgotten(database, folder);
		if (isNew) leaveNotice(database, folder);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
};

const NOTICE = 'set-aside';

const leaveNotice = (database: Database, folder: string): void => {
	const aside = damagedDatabases(folder).at(-1);
	if (aside !== undefined)
		database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(NOTICE, aside);
};

/** Where a damaged database was set aside, said once; undefined when none was. */
export const takeSetAsideNotice = (database: Database): string | undefined =>
	(
		database.prepare('DELETE FROM meta WHERE key = ? RETURNING value').get(NOTICE) as
			| {value: string}
			| undefined
	)?.value;

/**
 * Sets the database of a folder aside when it is really damaged; nobody here may have it open.
 * @returns where it is now
 */
export const setAsideDamaged = (folder: string): string | undefined =>
	isDamaged(join(folder, DATABASE_FILE)) ? setAside(folder, Date.now()) : undefined;

const isDamaged = (path: string): boolean => {
	if (!existsSync(path)) return false;
	try {
		const database = new BetterSqlite3(path, {readonly: true});
		try {
			return database.pragma('quick_check(1)', {simple: true}) !== 'ok';
		} finally {
			database.close();
		}
	} catch (error) {
		return storeErrorCode(error) === 'damaged';
	}
};

/** Opens an existing store for reading; undefined when there is none yet. @throws StoreError */
export const openStoreReadOnly = (folder: string): Database | undefined =>
	explained(folder, () => {
		const path = join(folder, DATABASE_FILE);
		if (!existsSync(path)) return undefined;
		const database = new BetterSqlite3(path, {readonly: true});
		try {
			database.pragma('busy_timeout = 5000');
			// Four times as much answered no faster: what is read again lies in the system's cache.
			database.pragma('cache_size = -8192');
			database.pragma('temp_store = MEMORY');
			const version = Number(database.pragma('user_version', {simple: true}));
			refuseNewer(version);
			if (version < migrations.length) {
				database.close();
				openStore(folder).close();
				return openStoreReadOnly(folder);
			}
			return database;
		} catch (error) {
			database.close();
			throw error;
		}
	});

const refuseNewer = (version: number): void => {
	if (version > migrations.length)
		throw new StoreError(
			'newer-version',
			`this history was written by a newer backscroll (schema ${version}, this one knows ${migrations.length}): update backscroll, nothing was changed`,
		);
};

/** Runs what is missing, each migration in a transaction of its own; safe when two processes start at once. */
const migrate = (database: Database): void => {
	const version = () => Number(database.pragma('user_version', {simple: true}));
	refuseNewer(version());
	while (version() < migrations.length) {
		database
			.transaction(() => {
				const next = migrations[version()];
				if (next === undefined) return; // another process was faster
				database.exec(next);
				database.pragma(`user_version = ${version() + 1}`);
			})
			.immediate();
	}
};

const EXPLANATIONS = {
	locked: 'is locked by another process: try again in a moment',
	damaged: 'is damaged',
	full: 'cannot be written: no space left on the device',
	'read-only': 'cannot be written: no permission, or a read-only file system',
	io: 'cannot be opened',
	'newer-version': '',
} as const;

/** Turns SQLite's and the file system's errors into one line. */
export const explained = <T>(folder: string, action: () => T): T => {
	try {
		return action();
	} catch (error) {
		throw explanation(folder, error);
	}
};

/** The same for what takes a while. */
export const explainedAsync = async <T>(folder: string, action: () => Promise<T>): Promise<T> => {
	try {
		return await action();
	} catch (error) {
		throw explanation(folder, error);
	}
};

const explanation = (folder: string, error: unknown): unknown => {
	if (error instanceof StoreError) return error;
	const code = storeErrorCode(error);
	return code === undefined
		? error
		: new StoreError(code, `the history in ${folder} ${EXPLANATIONS[code]}`, {cause: error});
};
