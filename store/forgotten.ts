import {createHmac, randomBytes} from 'node:crypto';
import {appendForgotten, FORGET_KEY} from './forgotten-file.js';
import type {Database} from './open.js';
import {prepared} from './statements.js';

/**
 * Sessions that the user had us forget, so that they are not read in again. Only a keyed hash of each is remembered: it tells nothing
 * of the session. Like the marks they lie in a file beside the database, too, and outlive it.
 */
interface SessionId {
	readonly agent: string;
	readonly nativeId: string;
}

const hashOf = (key: string, {agent, nativeId}: SessionId): string =>
	createHmac('sha256', key).update(`${agent}\0${nativeId}`).digest('base64');

const keyOf = (database: Database): string | undefined =>
	(
		prepared(database)('SELECT value FROM meta WHERE key = ?').get(FORGET_KEY) as
			| {value: string}
			| undefined
	)?.value;

/**
 * Tells of many sessions whether they were forgotten; mostly there is no key, and nothing to ask. A sub-agent is forgotten with the
 * session that its id begins with, also one that comes later.
 */
export const forgottenSessions = (database: Database): ((session: SessionId) => boolean) => {
	const key = keyOf(database);
	if (key === undefined) return () => false;
	const find = prepared(database)('SELECT 1 FROM forgotten WHERE hash = ?');
	return ({agent, nativeId}) =>
		[nativeId, nativeId.split('/')[0] ?? nativeId].some(
			id => find.get(hashOf(key, {agent, nativeId: id})) !== undefined,
		);
};

export const isForgotten = (database: Database, session: SessionId): boolean =>
	forgottenSessions(database)(session);

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
		sql('INSERT INTO meta VALUES (?, ?)').run(FORGET_KEY, key);
		appendForgotten(folder, {key});
	}
	for (const session of sessions) {
		const line = {hash: hashOf(key, session), at: nowMs};
		sql('INSERT OR IGNORE INTO forgotten VALUES (@hash, @at)').run(line);
		appendForgotten(folder, line);
	}
};
