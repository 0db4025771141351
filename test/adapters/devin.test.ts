/** What the fixture home cannot show: roots, older schemas, rewinds, damaged forests, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {agentNodes, inOrder, walkUp} from '../../adapters/devin/forest.js';
import {devin} from '../../adapters/devin/index.js';
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

const FOLDER = '.local/share/devin/cli';
const databasePath = (): string => join(home, FOLDER, 'sessions.db');
const found = () => discoverAll(devin, surroundingsOf(home));

const sourceOf = (id: string): Source => {
	const source = found().sources.find(({sessionId}) => sessionId === id);
	if (source === undefined) throw new Error(`no source for ${id}`);
	return source;
};

const textsOf = (id: string): readonly string[] =>
	readFolded(devin, sourceOf(id)).events.map(({text}) => text);

const message = (role: string, content: string): string => JSON.stringify({role, content});

const SCHEMA = `
	CREATE TABLE sessions (id TEXT PRIMARY KEY, working_directory TEXT, last_activity_at INTEGER, main_chain_id INTEGER);
	CREATE TABLE message_nodes (row_id INTEGER PRIMARY KEY, session_id TEXT, node_id INTEGER, parent_node_id INTEGER, chat_message TEXT,
		created_at INTEGER, metadata TEXT, UNIQUE(session_id, node_id));
	INSERT INTO sessions VALUES ('plain-pike', '/home/ada/quay', 1796300000, 3);
	INSERT INTO message_nodes VALUES
		(1, 'plain-pike', 1, NULL, '${message('user', 'Ask')}', 1796300000, NULL),
		(2, 'plain-pike', 2, 1, '${message('assistant', 'First')}', 1796300001, NULL),
		(3, 'plain-pike', 3, 1, '${message('assistant', 'Second')}', 1796300002, NULL);`;

const change = (sql: string): void => {
	const database = new Database(databasePath());
	database.exec(sql);
	database.close();
};

describe('roots', () => {
	const pathsOf = (more: Partial<ReturnType<typeof surroundingsOf>>) =>
		devin.roots({...surroundingsOf('/home/me'), ...more}).map(({path}) => path);

	test('the usual folder, also where a variable names another one', () => {
		expect(pathsOf({})).toEqual(['/home/me/.local/share/devin/cli']);
		expect(devin.roots({...surroundingsOf('/home/me'), env: {XDG_DATA_HOME: '/data'}})).toEqual([
			{path: '/home/me/.local/share/devin/cli', from: 'default', resumeEnv: {}},
			{path: '/data/devin/cli', from: 'environment', resumeEnv: {XDG_DATA_HOME: '/data'}},
		]);
	});

	test('a copy that the config names', () => {
		expect(
			devin.roots({
				...surroundingsOf('/home/me'),
				extraRoots: [{path: '/mnt/share/devin/cli', label: 'other'}],
			})[1],
		).toEqual({
			path: '/mnt/share/devin/cli',
			from: 'config',
			label: 'other',
			resumeEnv: {XDG_DATA_HOME: '/mnt/share'},
		});
	});
});

describe('database', () => {
	test('reads the chain that the session points to', () => {
		buildDatabase(databasePath(), SCHEMA);
		expect(textsOf('plain-pike')).toEqual(['Ask', 'Second']);
	});

	test('a rewind changes the mark, though no row is added', () => {
		buildDatabase(databasePath(), SCHEMA);
		const {mark} = sourceOf('plain-pike');
		change('UPDATE sessions SET main_chain_id = 2');
		expect(sourceOf('plain-pike').mark).not.toBe(mark);
		expect(textsOf('plain-pike')).toEqual(['Ask', 'First']);
	});

	test('an unchanged store keeps its marks', () => {
		buildDatabase(databasePath(), SCHEMA);
		expect(found().sources.map(({mark}) => mark)).toEqual(found().sources.map(({mark}) => mark));
	});

	test('a store from before most columns gives its newest chain', () => {
		buildDatabase(
			databasePath(),
			`CREATE TABLE sessions (id TEXT PRIMARY KEY);
			CREATE TABLE message_nodes (session_id TEXT, node_id INTEGER, parent_node_id INTEGER, chat_message TEXT);
			INSERT INTO sessions VALUES ('old-orfe');
			INSERT INTO message_nodes VALUES ('old-orfe', 1, NULL, '${message('user', 'Ask')}'), ('old-orfe', 2, 1, '${message('assistant', 'Answer')}');`,
		);
		expect(textsOf('old-orfe')).toEqual(['Ask', 'Answer']);
	});

	test('other tables are a problem of the root', () => {
		buildDatabase(databasePath(), 'CREATE TABLE sessions (name TEXT)');
		expect(found()).toMatchObject({sources: [], problems: [{code: 'unsupported-schema'}]});
	});

	test('keeps the order over many messages', () => {
		const nodes = Array.from({length: 130}, (_, index) => index + 2);
		buildDatabase(databasePath(), SCHEMA);
		change(`DELETE FROM message_nodes; UPDATE sessions SET main_chain_id = 131;
			INSERT INTO message_nodes VALUES (1, 'plain-pike', 1, NULL, '${message('user', 'Ask')}', 1796300000, NULL);
			${nodes.map(n => `INSERT INTO message_nodes VALUES (${n}, 'plain-pike', ${n}, ${n - 1}, '${message('assistant', `answer ${n}`)}', 1796300000, NULL);`).join('')}`);
		expect(textsOf('plain-pike')).toEqual(['Ask', ...nodes.map(n => `answer ${n}`)]);
	});
});

test('an export stands in only for a session without messages', () => {
	const steps = JSON.stringify({steps: [{source: 'user', message: 'exported'}]});
	for (const id of ['plain-pike', 'lone-loach']) {
		const path = join(home, FOLDER, 'transcripts', `${id}.json`);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, steps);
	}
	buildDatabase(databasePath(), SCHEMA);
	const ids = () => found().sources.map(({path, sessionId}) => [path.endsWith('.json'), sessionId]);
	expect(ids()).toEqual([
		[false, 'plain-pike'],
		[true, 'lone-loach'],
	]);
	writeFileSync(databasePath(), 'no database');
	expect(found().sources).toEqual([]);
});

describe('forest', () => {
	const forest = (parents: Readonly<Record<number, number | null>>) => ({
		parents: new Map(Object.entries(parents).map(([node, parent]) => [Number(node), parent])),
		splices: new Map<number, number>(),
	});

	test('ends whatever points where', () => {
		const node = fc.integer({min: 0, max: 12});
		const links = fc.dictionary(node.map(String), fc.option(node));
		const splices = fc.array(fc.tuple(node, node));
		fc.assert(
			fc.property(links, splices, node, (parents, pairs, tip) => {
				const nodes = walkUp({...forest(parents), splices: new Map(pairs)}, tip);
				expect([...nodes].every(item => String(item) in parents)).toBe(true);
				expect(inOrder(nodes)).toEqual([...nodes].sort((a, b) => a - b));
			}),
		);
	});

	test('a sub-agent that runs into another one is none', () => {
		const agents = [
			{agentId: 'a', tip: 11},
			{agentId: 'b', tip: 12},
		];
		const tree = forest({1: null, 2: 1, 10: null, 11: 10, 12: 10});
		expect(agentNodes(tree, 2, {agents, agentId: 'a'})).toEqual([10, 11]);
		expect(agentNodes(tree, 2, {agents, agentId: 'b'})).toEqual([]);
	});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: 'plain-pike',
		cwd: '/home/ada/quay',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x/sessions.db',
		resumeEnv: {},
		hint: {},
	};

	test('runs in the recorded directory', () => {
		expect(devin.resume(request)).toEqual({
			argv: ['devin', '--resume', 'plain-pike'],
			cwd: '/home/ada/quay',
			env: {},
		});
	});

	test('a sub-agent leads to its parent, an option is no id', () => {
		const child = {id: 'plain-pike/agent-1', isSubagent: true, parentId: 'plain-pike'};
		expect(devin.resume({...request, ...child})).toEqual({
			reason: 'sub-agents cannot be resumed; their parent can: devin --resume plain-pike',
		});
		expect(devin.resume({...request, id: '--continue'})).toHaveProperty('reason');
	});
});
