import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {mimoCode} from '../../adapters/mimo-code.js';
import {closeViews} from '../../adapters/shared/sqlite.js';
import type {Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';
import {buildSessions, insert, sessionSql} from '../helpers/session-tables.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => {
	closeViews();
	removeHome(home);
});

test.each([
	[{}, '/home/someone/.local/share/mimocode', {}],
	[{XDG_DATA_HOME: '/data'}, '/data/mimocode', {XDG_DATA_HOME: '/data'}],
	[{XDG_DATA_HOME: '/data', MIMOCODE_HOME: '/mimo'}, '/mimo/data', {MIMOCODE_HOME: '/mimo'}],
	[{MIMOCODE_HOME: 'mimo'}, '/home/someone/.local/share/mimocode', {}],
	[{MIMOCODE_HOME: '/mimo', MIMOCODE_DB: '/x.db'}, '/x.db', {MIMOCODE_DB: '/x.db'}],
	[
		{MIMOCODE_HOME: '/mimo', MIMOCODE_DB: 'x.db'},
		'/mimo/data/x.db',
		{MIMOCODE_DB: '/mimo/data/x.db'},
	],
])('%o → %s', (env, path, resumeEnv) => {
	const roots = mimoCode.roots(surroundingsOf('/home/someone', env));
	expect(roots.map(root => [root.path, root.resumeEnv])).toEqual([[path, resumeEnv]]);
});

test('a database in memory has no root', () => {
	expect(mimoCode.roots(surroundingsOf(home, {MIMOCODE_DB: ':memory:'}))).toEqual([]);
});

test('without a table of parts the newer form is read', () => {
	const columns = 'id text, session_id text, type text, time_created integer, data text';
	const row = {session_id: 'ses_1', type: 'user', data: {text: 'Grind the oats'}};
	buildSessions(
		join(home, '.local/share/mimocode/mimocode.db'),
		sessionSql('ses_1', []),
		`DROP TABLE part; CREATE TABLE session_message (${columns});`,
		insert('session_message', {id: 'sm_1', ...row}),
	);
	const [source] = discoverAll(mimoCode, surroundingsOf(home)).sources;
	const {events} = readFolded(mimoCode, source as Source);
	expect(events.map(({key, role, text}) => [key, role, text])).toEqual([
		['sm_1', 'user', 'Grind the oats'],
	]);
});
