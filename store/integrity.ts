import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DATABASE_FILE, type Database} from './open.js';

export interface DatabaseFacts {
	readonly path: string;
	readonly sizeBytes: number;
	/** What is committed but not yet moved into the database file. */
	readonly logBytes: number;
	/** Position in the list of migrations. */
	readonly schema: number;
	readonly sqlite: string;
	/** What the quick check complains of; empty when all is well. */
	readonly damage: readonly string[];
}

const sizeOf = (path: string): number => statSync(path, {throwIfNoEntry: false})?.size ?? 0;

/** Reads the whole database once. */
export const inspectDatabase = (database: Database, folder: string): DatabaseFacts => {
	const path = join(folder, DATABASE_FILE);
	const rows = database.pragma('quick_check(20)') as {quick_check: string}[];
	const {version} = database.prepare('SELECT sqlite_version() AS version').get() as {
		version: string;
	};
	return {
		path,
		sizeBytes: sizeOf(path),
		logBytes: sizeOf(`${path}-wal`),
		schema: Number(database.pragma('user_version', {simple: true})),
		sqlite: version,
		damage: rows.map(row => row.quick_check).filter(line => line !== 'ok'),
	};
};
