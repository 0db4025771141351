/** What the fixture home cannot show: roots, places that cannot be read, replies that grow, resume. */
import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {crush} from '../../adapters/crush/index.js';
import type {ResumeRequest, Surroundings} from '../../adapters/types.js';
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

const ID = '00000000-0000-4000-8000-000000000001';
const SCHEMA = `
	CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, cost REAL, updated_at INTEGER);
	CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, created_at INTEGER);
	INSERT INTO sessions VALUES ('${ID}', 'New Session', 0, 1796112000);
	INSERT INTO messages VALUES ('m1', '${ID}', 'assistant', '[{"type":"text","data":{"text":"So"}}]', 1796112000);`;

const project = (name: string): string => join(home, 'code', name);
const build = (name: string): void => buildDatabase(join(project(name), '.crush/crush.db'), SCHEMA);
const find = (more: Partial<Surroundings> = {}) =>
	discoverAll(crush, {...surroundingsOf(home), ...more});

test('roots: the registry, what variables name, projects of other agents', () => {
	const pathsOf = (more: Partial<Surroundings>) =>
		crush.roots({...surroundingsOf('/home/me'), ...more}).map(({path}) => path);
	expect(pathsOf({projectDirs: ['/home/ada/ferry', '/home/ada/ferry']})).toEqual([
		'/home/me/.local/share/crush',
		'/home/ada/ferry/.crush',
	]);
	expect(pathsOf({env: {XDG_DATA_HOME: '/data'}})).toEqual(['/data/crush']);
	const env = {XDG_DATA_HOME: '/data', CRUSH_GLOBAL_DATA: '/global'};
	expect(pathsOf({env, extraRoots: [{path: '/copy/crush'}]})).toEqual(['/global', '/copy/crush']);
	expect(pathsOf({platform: 'win32', env: {LOCALAPPDATA: '/local'}})).toEqual(['/local/crush']);
});

test('a project that is reached in two ways is one', () => {
	build('ferry');
	symlinkSync(project('ferry'), project('alias'));
	mkdirSync(join(home, '.local/share/crush'), {recursive: true});
	writeFileSync(
		join(home, '.local/share/crush/projects.json'),
		JSON.stringify({projects: ['ferry', 'alias', 'gone'].map(name => ({path: project(name)}))}),
	);
	const {sources, problems} = find();
	expect(sources.map(({key}) => key)).toEqual([`${project('ferry')}/.crush/crush.db#${ID}`]);
	expect(problems).toEqual([]);
});

test('a registry that is no JSON is a problem, and projects of other agents are found all the same', () => {
	build('ferry');
	mkdirSync(join(home, '.local/share/crush'), {recursive: true});
	writeFileSync(join(home, '.local/share/crush/projects.json'), '{"projects":');
	const {sources, problems} = find({projectDirs: [project('ferry')]});
	expect(sources.length).toBe(1);
	expect(problems.map(({code}) => code)).toEqual(['truncated']);
});

test('a reply that grows changes the mark', () => {
	build('ferry');
	const around = {projectDirs: [project('ferry')]};
	const [before] = find(around).sources;
	const path = join(project('ferry'), '.crush/crush.db');
	const database = new Database(path);
	database.exec(`UPDATE messages SET parts = '[{"type":"text","data":{"text":"So it is."}}]'`);
	database.close();
	const [after] = find(around).sources;
	expect(after?.mark).not.toBe(before?.mark);
	if (after === undefined) throw new Error('no source');
	const {events, facts} = readFolded(crush, after);
	expect(events.map(({text}) => text)).toEqual(['So it is.']);
	expect(facts).toEqual({cwd: project('ferry'), updatedAtMs: 1796112000000});
	rmSync(path);
	expect(find(around).sources).toEqual([]);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/ferry',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/ada/ferry/.crush/crush.db',
		resumeEnv: {},
		hint: {},
	};

	test('in the project, with the place of its database if that is another', () => {
		expect(crush.resume(request)).toEqual({
			argv: ['crush', '--session', ID],
			cwd: '/home/ada/ferry',
			env: {},
		});
		expect(crush.resume({...request, hint: {dataDir: '/data/moved'}})).toHaveProperty('argv', [
			'crush',
			'--session',
			ID,
			'--data-dir',
			'/data/moved',
		]);
	});

	test('a sub-agent leads to its parent, an option is no id', () => {
		const child = {id: 'm1$$c9', isSubagent: true, parentId: ID};
		expect(crush.resume({...request, ...child})).toEqual({
			reason: `sub-agents cannot be resumed; their parent can: crush --session ${ID}`,
		});
		expect(crush.resume({...request, id: '--yolo'})).toHaveProperty('reason');
		expect(crush.resume({...request, cwd: null})).toHaveProperty('reason');
	});
});
