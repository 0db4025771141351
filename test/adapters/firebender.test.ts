/** What the fixture home cannot show: roots, changes, what the mirror gets. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {firebender} from '../../adapters/firebender.js';
import {
	copyFixture,
	discoverAll,
	type FixtureHome,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';

let fixture: FixtureHome;
beforeEach(() => {
	fixture = copyFixture('firebender');
});
afterEach(() => fixture.dispose());

const sourceOf = (id: string) =>
	discoverAll(firebender, fixture.around).sources.find(({sessionId}) => sessionId === id);

test('roots are the projects that are known, and what the config names', () => {
	const around = {
		...surroundingsOf('/home/me'),
		projectDirs: ['/home/ada/ferry'],
		extraRoots: [{path: '/copy/chat_history.db', label: 'other'}],
	};
	expect(firebender.roots(around)).toEqual([
		{path: '/home/ada/ferry/.idea/firebender', from: 'default', resumeEnv: {}},
		{path: '/copy/chat_history.db', from: 'config', label: 'other', resumeEnv: {}},
	]);
	expect(firebender.roots(surroundingsOf('/home/me'))).toEqual([]);
});

test('a message more changes the mark; a session that the user deletes is not found any more', () => {
	const before = sourceOf('nameless');
	const database = new Database(join(fixture.home, 'code/ferry/.idea/firebender/chat_history.db'));
	database.exec(`UPDATE chat_sessions SET messages_json = '[]' WHERE id = 'nameless';
		UPDATE chat_sessions SET deleted_at = 3 WHERE id = 'hull'`);
	database.close();
	expect(sourceOf('nameless')?.mark).not.toBe(before?.mark);
	expect(sourceOf('hull')).toBeUndefined();
	expect(sourceOf('hull/c2')).toBeUndefined();
});

test('the mirror gets every message, also those that give no event, as the locators name them', () => {
	for (const id of ['hull', 'hull/c2']) {
		const source = sourceOf(id);
		if (source === undefined) throw new Error('no source');
		const rows = [...(firebender.rows?.(source) ?? [])];
		for (const {table, row, raw} of rows) expect(firebender.raw?.(source, {table, row})).toBe(raw);
		const named = readFolded(firebender, source).events.map(({locator}) => locator);
		expect(rows.map(({table, row}) => ({table, row}))).toEqual(expect.arrayContaining(named));
	}
});
