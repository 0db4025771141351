import {afterEach, beforeEach, expect, test} from 'vitest';
import {kiroCli} from '../../adapters/kiro-cli/index.js';
import {closeViews} from '../../adapters/shared/sqlite.js';
import {type Source, SourceUnreadable} from '../../adapters/types.js';
import {buildDatabase, readFolded, surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '0a000000-0000-4000-8000-000000000001';
const LOG = `.kiro/sessions/cli/${ID}`;

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(kiroCli);
});
afterEach(() => {
	closeViews();
	store.dispose();
});

const prompt = (text: string) => ({kind: 'Prompt', data: {content: [{kind: 'text', data: text}]}});

const table = `CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL, value TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id));`;
const row = (directory: string, value: string, updatedAt: number) =>
	`INSERT INTO conversations_v2 VALUES ('${directory}', '${ID}', '${value}', 1789898400000, ${updatedAt});`;
const asked = (text: string) =>
	JSON.stringify({history: [{user: {content: {Prompt: {prompt: text}}}}]});
const build = (...rows: readonly string[]) =>
	buildDatabase(`${store.home}/.local/share/kiro-cli/data.sqlite3`, [table, ...rows].join('\n'));

test('variables move the logs and the database, and are needed for a resume', () => {
	const env = {KIRO_HOME: '/k', XDG_DATA_HOME: '/d'};
	expect(
		kiroCli.roots(surroundingsOf('/h', env)).map(({path, resumeEnv}) => [path, resumeEnv]),
	).toEqual([
		['/k/sessions/cli', {KIRO_HOME: '/k'}],
		['/d/kiro-cli', {XDG_DATA_HOME: '/d'}],
		['/d/amazon-q', {XDG_DATA_HOME: '/d'}],
	]);
	const mac = {...surroundingsOf('/h', {XDG_DATA_HOME: '/d'}), platform: 'darwin'} as const;
	expect(kiroCli.roots(mac)[1]?.path).toBe('/h/Library/Application Support/kiro-cli');
});

test('a title that comes later is noticed without new lines', () => {
	store.put(`${LOG}.jsonl`, [prompt('Hello')]);
	expect(store.read().facts).toEqual({});
	const before = store.source().files.length;
	store.put(`${LOG}.json`, {session_id: ID, title: 'Greeting', cwd: '/home/ada/fence'});
	expect(store.source().files.length).toBe(before + 1);
	expect(store.read().facts).toEqual({generatedTitle: 'Greeting', cwd: '/home/ada/fence'});
});

test('the directory of the newest row counts', () => {
	build(row('/new', asked('New'), 1789898500000), row('/old', asked('Old'), 1789898400000));
	const source = store.sources()[0] as Source;
	expect(store.sources()).toHaveLength(1);
	const {facts, events} = readFolded(kiroCli, source);
	expect([facts.cwd, events[0]?.text]).toEqual(['/new', 'New']);
});

test('a damaged document costs its row only, and takes nothing back', () => {
	build(
		row('/new', '{"history": [', 1789898500000),
		row('/old', asked('Old'), 1789898400000).replace(ID, `${ID.slice(0, -1)}2`),
	);
	const [bad, good] = store.sources();
	expect(() => readFolded(kiroCli, bad as Source)).toThrow(SourceUnreadable);
	expect(said(readFolded(kiroCli, good as Source))).toEqual([['user', 'Old']]);
});

test('a database with other tables is a problem, not an exception', () => {
	const path = `${store.home}/.local/share/kiro-cli/data.sqlite3`;
	buildDatabase(path, 'CREATE TABLE auth_kv (key TEXT);');
	const root = kiroCli.roots(surroundingsOf(store.home))[1];
	expect(root && [...kiroCli.discover(root)]).toMatchObject([
		{problem: {code: 'unsupported-schema'}},
	]);
});

test('resumes by id, but not what Amazon Q kept', () => {
	const location = `/h/.local/share/kiro-cli/data.sqlite3`;
	expect(resumeOf(kiroCli, {id: ID, location})).toMatchObject({
		argv: ['kiro-cli', 'chat', '--resume-id', ID],
	});
	expect(resumeOf(kiroCli, {id: 'conversations:/work', location})).toHaveProperty('reason');
	const ancestor = '/h/.local/share/amazon-q/data.sqlite3';
	expect(resumeOf(kiroCli, {id: ID, location: ancestor})).toHaveProperty('reason');
});
