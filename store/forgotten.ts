import {createHmac, randomBytes} from 'node:crypto';
import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Database} from './open.js';
import {prepared} from './statements.js';

/**
 * Sessions that the user had us forget, so that they are not read in again. Only a keyed hash of each is remembered: it tells nothing
 * of the session. Like the marks they lie in a file beside the database, too, and outlive it.
 */
const KEY = 'forget-key';

const forgottenFile = (folder: string): string => join(folder, 'forgotten.jsonl');

interface SessionId {
	readonly agent: string;
	readonly nativeId: string;
}

const hashOf = (key: string, {agent, nativeId}: SessionId): string =>
	createHmac('sha256', key).update(`${agent}\0${nativeId}`).digest('base64');

const keyOf = (database: Database): string | undefined =>
	(
		prepared(database)('SELECT value FROM meta WHERE key = ?').get(KEY) as
			| {value: string}
			| undefined
	)?.value;

/** A sub-agent is forgotten with the session that its id begins with, also one that comes later. */
export const isForgotten = (database: Database, {agent, nativeId}: SessionId): boolean => {
	const key = keyOf(database);
	if (key === undefined) return false;
	const root = nativeId.split('/')[0] ?? nativeId;
	return [nativeId, root].some(
		id =>
			prepared(database)('SELECT 1 FROM forgotten WHERE hash = ?').get(
				hashOf(key, {agent, nativeId: id}),
			) !== undefined,
	);
};

/** Belongs into the transaction that removes the sessions. */
export const rememberForgotten = (
	database: Database,
	folder: string,
	{sessions, nowMs}: {readonly sessions: readonly SessionId[]; readonly nowMs: number},
): void => {
	const sql = prepared(database);
	let key = keyOf(database);
	if (key === undefined) {
		key = randomBytes(32).toString('base64');
		sql('INSERT INTO meta VALUES (?, ?)').run(KEY, key);
		append(folder, {key});
	}
	for (const session of sessions) {
		const line = {hash: hashOf(key, session), at: nowMs};
		sql('INSERT OR IGNORE INTO forgotten VALUES (@hash, @at)').run(line);
		append(folder, line);
	}
};

const append = (folder: string, line: object): void =>
	appendFileSync(forgottenFile(folder), `${JSON.stringify(line)}\n`, {mode: 0o600});

/** Brings what was forgotten into a new database. */
export const restoreForgotten = (database: Database, folder: string): void => {
	if (!existsSync(forgottenFile(folder))) return;
	const sql = prepared(database);
	for (const text of readFileSync(forgottenFile(folder), 'utf8').split('\n')) {
		const line = parsed(text);
		if (line.key !== undefined) sql('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(KEY, line.key);
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
