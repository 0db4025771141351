/** What the fixture home cannot show: roots, older schemas, conversations that are written anew, resume. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {goose} from '../../adapters/goose/index.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
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

const databasePath = (): string => join(home, '.local/share/goose/sessions/sessions.db');

const sourceOf = (): Source => {
	const [source] = discoverAll(goose, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	return source;
};

const text = (said: string): string => JSON.stringify([{type: 'text', text: said}]);

test('roots: the data folder, what variables name, the folder of Windows', () => {
	const rootsOf = (more: Partial<ReturnType<typeof surroundingsOf>>) =>
		goose.roots({...surroundingsOf('/home/me'), ...more});
	expect(rootsOf({})).toEqual([
		{path: '/home/me/.local/share/goose', from: 'default', resumeEnv: {}},
	]);
	expect(rootsOf({env: {XDG_DATA_HOME: '/data'}})).toEqual([
		{path: '/data/goose', from: 'environment', resumeEnv: {XDG_DATA_HOME: '/data'}},
	]);
	const env = {XDG_DATA_HOME: '/data', GOOSE_PATH_ROOT: '/g'};
	expect(rootsOf({env})).toEqual([
		{path: '/g/data', from: 'environment', resumeEnv: {GOOSE_PATH_ROOT: '/g'}},
	]);
	expect(rootsOf({platform: 'win32', env: {APPDATA: '/roaming'}})[0]?.path).toBe(
		'/roaming/Block/goose/data',
	);
});

test('the first schema has neither names nor message ids', () => {
	buildDatabase(
		databasePath(),
		`CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT);
		CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
		INSERT INTO sessions VALUES ('20250921_143022', 'Tar the hull', '/home/ada/ferry');
		INSERT INTO messages VALUES (7, '20250921_143022', 'user', '${text('Ask')}', 1758465000);`,
	);
	const {facts, events} = readFolded(goose, sourceOf());
	expect(facts).toMatchObject({generatedTitle: 'Tar the hull', cwd: '/home/ada/ferry'});
	expect(events.map(event => [event.key, event.text])).toEqual([['r7', 'Ask']]);
});

test('a conversation that is written anew keeps its keys and changes its mark', () => {
	buildDatabase(
		databasePath(),
		`CREATE TABLE sessions (id TEXT PRIMARY KEY);
		CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
		INSERT INTO sessions VALUES ('20261201_1');
		INSERT INTO messages VALUES (1, 'a', '20261201_1', 'user', '${text('Ask')}', 1796112000),
			(2, 'b', '20261201_1', 'assistant', '${text('Answer')}', 1796112001);`,
	);
	const before = sourceOf();
	const database = new Database(databasePath());
	database.exec('UPDATE messages SET id = id + 10');
	database.close();
	const after = sourceOf();
	expect(after.mark).not.toBe(before.mark);
	expect(readFolded(goose, after).events.map(({key}) => key)).toEqual(['a', 'b']);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: '20261201_1',
		cwd: '/home/ada/ferry',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x/sessions.db',
		resumeEnv: {},
		hint: {},
	};

	test('in the directory of the session', () => {
		expect(goose.resume(request)).toEqual({
			argv: ['goose', 'session', '--resume', '--session-id', '20261201_1'],
			cwd: '/home/ada/ferry',
			env: {},
		});
	});

	test('a sub-agent leads to its parent, an option is no id', () => {
		expect(goose.resume({...request, isSubagent: true, parentId: '20261201_9'})).toEqual({
			reason:
				'sub-agents cannot be resumed; their parent can: goose session --resume --session-id 20261201_9',
		});
		expect(goose.resume({...request, id: '-x'})).toHaveProperty('reason');
	});
});
