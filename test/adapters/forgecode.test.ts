/** What the fixture home cannot show: roots, changes, what the mirror gets, resume. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {forgecode} from '../../adapters/forgecode/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
import {
	copyFixture,
	discoverAll,
	type FixtureHome,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';

let fixture: FixtureHome;
beforeEach(() => {
	fixture = copyFixture('forgecode');
});
afterEach(() => fixture.dispose());

const ID = '00000000-0000-4000-8000-000000000001';
const sourceOf = (id: string) => {
	const found = discoverAll(forgecode, fixture.around).sources;
	const source = found.find(({sessionId}) => sessionId === id);
	if (source === undefined) throw new Error('no source');
	return source;
};

test('roots: both folders, or what the variable names', () => {
	expect(forgecode.roots(surroundingsOf('/home/me'))).toEqual([
		{path: '/home/me/forge', from: 'default', resumeEnv: {}},
		{path: '/home/me/.forge', from: 'default', resumeEnv: {}},
	]);
	expect(forgecode.roots(surroundingsOf('/home/me', {FORGE_CONFIG: '/etc/forge'}))).toEqual([
		{path: '/etc/forge', from: 'environment', resumeEnv: {FORGE_CONFIG: '/etc/forge'}},
	]);
});

test('a longer context changes the mark, a compaction gives a shorter conversation', () => {
	const before = sourceOf(ID);
	const database = new Database(join(fixture.home, '.forge/.forge.db'));
	database
		.prepare('UPDATE conversations SET context = ? WHERE conversation_id = ?')
		.run('{"messages":[{"message":{"text":{"role":"User","content":"Go on."}}}]}', ID);
	database.close();
	const after = sourceOf(ID);
	expect(after.mark).not.toBe(before.mark);
	expect(readFolded(forgecode, after).events.map(({text}) => text)).toEqual(['Go on.']);
});

test('the mirror gets every entry as the locators name them', () => {
	const source = sourceOf(ID);
	const rows = [...(forgecode.rows?.(source) ?? [])];
	for (const {table, row, raw} of rows) expect(forgecode.raw?.(source, {table, row})).toBe(raw);
	const named = readFolded(forgecode, source).events.map(({locator}) => locator);
	expect(rows.map(({table, row}) => ({table, row}))).toEqual(expect.arrayContaining(named));
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/ferry',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/me/.forge/.forge.db',
		resumeEnv: {},
		hint: {},
	};

	test('in the directory of the conversation', () => {
		expect(forgecode.resume(request)).toEqual({
			argv: ['forge', '--conversation-id', ID],
			cwd: '/home/ada/ferry',
			env: {},
		});
	});

	test('not without a directory, not for sub-agents, not for an option', () => {
		for (const change of [{cwd: null}, {isSubagent: true}, {id: '--agent'}])
			expect(forgecode.resume({...request, ...change})).toHaveProperty('reason');
	});
});
