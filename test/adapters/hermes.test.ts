/** What the fixture home cannot show: roots, profiles as homes, rewinds, transcripts beside the database, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {hermes} from '../../adapters/hermes/index.js';
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

const ID = '20261201_080000_aa0001';
const SCHEMA = `
	CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, started_at REAL NOT NULL);
	CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL, active INTEGER DEFAULT 1);
	INSERT INTO sessions VALUES ('${ID}', 'cli', 1796112000);
	INSERT INTO messages (session_id, role, content, timestamp) VALUES
		('${ID}', 'user', 'Ask', 1796112001), ('${ID}', 'assistant', 'Answer', 1796112002);`;

const databaseOf = (folder = '.hermes'): string => join(home, folder, 'state.db');
const found = (env: Record<string, string> = {}): readonly Source[] =>
	discoverAll(hermes, surroundingsOf(home, env)).sources;

describe('roots', () => {
	const rootsOf = (more: Partial<ReturnType<typeof surroundingsOf>>) =>
		hermes.roots({...surroundingsOf('/home/me'), ...more}).map(({path, from}) => [path, from]);

	test('the home folder, or what a variable names', () => {
		expect(rootsOf({})).toEqual([['/home/me/.hermes', 'default']]);
		expect(rootsOf({env: {HERMES_HOME: '/data/hermes'}})).toEqual([
			['/data/hermes', 'environment'],
		]);
		expect(rootsOf({env: {HERMES_HOME: 'relative'}})).toEqual([['/home/me/.hermes', 'default']]);
	});

	test('both places on Windows', () => {
		expect(rootsOf({platform: 'win32', env: {LOCALAPPDATA: '/home/me/local'}})).toEqual([
			['/home/me/local/hermes', 'default'],
			['/home/me/.hermes', 'default'],
		]);
	});
});

test('a profile that is the home itself has no other profiles', () => {
	for (const name of ['day', 'night'])
		buildDatabase(databaseOf(`.hermes/profiles/${name}`), SCHEMA);
	buildDatabase(databaseOf(), SCHEMA);
	expect(found().map(({preference}) => preference ?? 0)).toEqual([1, 1, 0]);
	const folder = join(home, '.hermes/profiles/day');
	expect(found({HERMES_HOME: folder}).map(({path}) => path)).toEqual([join(folder, 'state.db')]);
});

test('a rewind changes the mark and undoes what it took back', () => {
	buildDatabase(databaseOf(), SCHEMA);
	const [before] = found();
	const database = new Database(databaseOf());
	database.exec(`UPDATE messages SET active = 0 WHERE role = 'assistant'`);
	database.close();
	const [after] = found();
	expect(after?.mark).not.toBe(before?.mark);
	if (after === undefined) throw new Error('no source');
	expect(readFolded(hermes, after).events.map(({state}) => state)).toEqual([undefined, 'undone']);
});

test('a database of another kind is named as such', () => {
	buildDatabase(databaseOf(), 'CREATE TABLE sessions (id TEXT);');
	expect(discoverAll(hermes, surroundingsOf(home)).problems.map(({code}) => code)).toEqual([
		'unsupported-schema',
	]);
});

test('a transcript of the time before ranks below the database', () => {
	buildDatabase(databaseOf(), SCHEMA);
	mkdirSync(join(home, '.hermes/sessions'));
	for (const name of [`${ID}.jsonl`, `session_${ID}.json`, 'sessions.json', 'notes.txt'])
		writeFileSync(join(home, '.hermes/sessions', name), '{}\n');
	expect(found().map(({sessionId, rank}) => [sessionId, rank ?? 0])).toEqual([
		[ID, -1],
		[ID, -2],
		[ID, 0],
	]);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/ferry',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/me/.hermes/state.db',
		resumeEnv: {},
		hint: {},
	};

	test('finds the directory by itself', () => {
		expect(hermes.resume(request)).toEqual({argv: ['hermes', '--resume', ID], cwd: null, env: {}});
	});

	test('a profile is named by the home', () => {
		const location = '/home/me/.hermes/profiles/night/state.db';
		expect(hermes.resume({...request, location})).toHaveProperty('env', {
			HERMES_HOME: '/home/me/.hermes/profiles/night',
		});
	});

	test('a sub-agent leads to its parent, an option is no id', () => {
		expect(hermes.resume({...request, isSubagent: true, parentId: ID})).toEqual({
			reason: `sub-agents cannot be resumed; their parent can: hermes --resume ${ID}`,
		});
		expect(hermes.resume({...request, id: '--yes'})).toHaveProperty('reason');
	});
});
