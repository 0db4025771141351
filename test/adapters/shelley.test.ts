/** What the fixture home cannot show: roots, older schemas, rows that are rewritten within a second. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {shelley} from '../../adapters/shelley/index.js';
import type {Source} from '../../adapters/types.js';
import {
	buildDatabase,
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const data = (role: number, text: string): string =>
	JSON.stringify({Role: role, Content: [{Type: 2, Text: text}]});

const SCHEMA = `
	CREATE TABLE conversations (conversation_id TEXT PRIMARY KEY, updated_at TEXT);
	CREATE TABLE messages (message_id TEXT PRIMARY KEY, conversation_id TEXT, type TEXT, llm_data TEXT);
	INSERT INTO conversations VALUES ('cHULL1', '2026-12-01 08:00:00');
	INSERT INTO messages VALUES ('z', 'cHULL1', 'user', '${data(0, 'Ask')}'), ('a', 'cHULL1', 'agent', '${data(1, 'So')}');`;

const sourceIn = (path: string): Source => {
	const [source] = discoverAll(shelley, surroundingsOf(home, {SHELLEY_DB: path})).sources;
	if (source === undefined) throw new Error('no source');
	return source;
};

test('roots: what the variable names, the usual folder, the directory the server may run in', () => {
	const around = {
		...surroundingsOf('/home/me', {SHELLEY_DB: '/data/talk.sqlite'}),
		projectDirs: ['/home/ada/ferry'],
		extraRoots: [{path: '/copy'}],
	};
	expect(shelley.roots(around).map(({path, from}) => [path, from])).toEqual([
		['/data/talk.sqlite', 'environment'],
		['/home/me/.config/shelley', 'default'],
		['/copy', 'config'],
		['/home/me/shelley.db', 'default'],
		['/home/ada/ferry/shelley.db', 'default'],
	]);
});

test('the first schema is read in the order of writing; a rewritten reply changes the mark', () => {
	const path = join(home, 'data/talk.sqlite');
	buildDatabase(path, SCHEMA);
	const before = sourceIn(path);
	expect(readFolded(shelley, before).events.map(({text}) => text)).toEqual(['Ask', 'So']);
	const database = new Database(path);
	database
		.prepare(`UPDATE messages SET llm_data = ? WHERE type = 'agent'`)
		.run(data(1, 'So it is.'));
	database.close();
	const after = sourceIn(path);
	expect(after.mark).not.toBe(before.mark);
	expect(readFolded(shelley, after).events.at(-1)?.text).toBe('So it is.');
});
