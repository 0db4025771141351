import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {kiloCode} from '../../adapters/kilo-code.js';
import {closeViews} from '../../adapters/shared/sqlite.js';
import type {Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';
import {buildSessions, sessionSql, text, user} from '../helpers/session-tables.js';
import {resumeOf} from '../helpers/store-files.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => {
	closeViews();
	removeHome(home);
});

const folder = () => join(home, '.local/share/kilo');
const sources = (): readonly Source[] => discoverAll(kiloCode, surroundingsOf(home)).sources;

test.each([
	[['opencode.db'], ['opencode.db']],
	[['opencode.db', 'kilo.db'], ['kilo.db']],
	[
		['opencode-dev.db', 'kilo.db'],
		['kilo.db', 'opencode-dev.db'],
	],
	[['opencode-dev.db', 'kilo-dev.db'], ['kilo-dev.db']],
])('of %o it reads %o', (names, expected) => {
	for (const name of names) buildSessions(join(folder(), name), sessionSql('ses_1', []));
	expect(sources().map(({key}) => key)).toEqual(
		expected.map(name => `${join(folder(), name)}#ses_1`),
	);
});

test.each([
	['fire\n\n<environment_details>\ntabs\n</environment_details>\n', 'fire'],
	[
		'what is <environment_details>x</environment_details> for?',
		'what is <environment_details>x</environment_details> for?',
	],
	['closes </environment_details>', 'closes </environment_details>'],
])('the state of the editor behind a prompt is not shown: %j', (stored, expected) => {
	buildSessions(join(folder(), 'kilo.db'), sessionSql('ses_1', [user('m1', text(stored))]));
	const [event] = readFolded(kiloCode, sources()[0] as Source).events;
	expect(event?.text).toBe(expected);
});

test('KILO_DB names the database, and early names need it for a resume', () => {
	const roots = kiloCode.roots(surroundingsOf('/home/someone', {KILO_DB: '/data/kilo.db'}));
	expect(roots[0]).toEqual({
		path: '/data/kilo.db',
		from: 'environment',
		resumeEnv: {KILO_DB: '/data/kilo.db'},
	});
	const plan = kiloCode.resume({
		id: 'ses_1',
		cwd: '/home/ada/kiln',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/someone/.local/share/kilo/opencode.db',
		resumeEnv: {},
		hint: {},
	});
	expect(plan).toEqual({
		argv: ['kilo', '--session', 'ses_1'],
		cwd: '/home/ada/kiln',
		env: {KILO_DB: '/home/someone/.local/share/kilo/opencode.db'},
		forkArgv: ['kilo', '--session', 'ses_1', '--fork'],
	});
});

test('tasks of the older extension are read, and not resumed', () => {
	const id = '0a000000-0000-4000-8000-000000000001';
	const task = join(home, '.kilocode/cli/global/tasks', id);
	mkdirSync(task, {recursive: true});
	const talk = join(task, 'api_conversation_history.json');
	writeFileSync(talk, JSON.stringify([{role: 'user', content: '<task>Stack</task>'}]));
	const [source] = sources();
	expect(source?.sessionId).toBe(id);
	expect(readFolded(kiloCode, source as Source).events.map(event => event.text)).toEqual(['Stack']);
	expect(resumeOf(kiloCode, {id, location: talk})).toHaveProperty('reason');
	expect([...(kiloCode.rows?.(source as Source) ?? [])]).toEqual([]);
});
