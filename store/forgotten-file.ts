import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Database} from './open.js';
import {prepared} from './statements.js';

/** Name in `meta` of the key that the hashes are made with. */
export const FORGET_KEY = 'forget-key';

const forgottenFile = (folder: string): string => join(folder, 'forgotten.jsonl');

/** Adds a line to the file that outlives the database. */
export const appendForgotten = (folder: string, line: ForgottenLine): void =>
	appendFileSync(forgottenFile(folder), `${JSON.stringify(line)}\n`, {mode: 0o600});

/** Brings what was forgotten into a new database. */
export const restoreForgotten = (database: Database, folder: string): void => {
	if (!existsSync(forgottenFile(folder))) return;
	const sql = prepared(database);
	for (const text of readFileSync(forgottenFile(folder), 'utf8').split('\n')) {
		const line = parsed(text);
		if (line.key !== undefined)
			sql('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(FORGET_KEY, line.key);
		if (line.hash !== undefined)
			sql('INSERT OR IGNORE INTO forgotten VALUES (?, ?)').run(line.hash, line.at ?? 0);
	}
};

interface ForgottenLine {
	readonly key?: string;
	readonly hash?: string;
	readonly at?: number;
}

const parsed = (text: string): ForgottenLine => {
	try {
		return JSON.parse(text) as ForgottenLine;
	} catch {
		return {}; // blank, or cut off by a full disk
	}
};
