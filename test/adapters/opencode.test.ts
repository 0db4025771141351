/** What the contract test cannot see: rules that hold between places, between reads, and for records of odd shapes. */
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {opencode} from '../../adapters/opencode.js';
import {readRaw} from '../../adapters/shared/read-raw.js';
import {withoutQuotes} from '../../adapters/shared/session-parts/typed-text.js';
import {closeViews} from '../../adapters/shared/sqlite.js';
import {type ResumeRequest, type Source, SourceUnreadable} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readBatches,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';
import {
	assistant,
	buildSessions,
	type Fields,
	insert,
	rewritePart,
	START_MS,
	sessionSql,
	type TestMessage,
	text,
	user,
} from '../helpers/session-tables.js';

const FOLDER = '.local/share/opencode';

let home: string;
let database: string;
beforeEach(() => {
	home = emptyHome();
	database = join(home, FOLDER, 'opencode.db');
});
afterEach(() => {
	closeViews();
	removeHome(home);
});

const put = (path: string, content: unknown): void => {
	const file = join(home, FOLDER, path);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const found = (env: Readonly<Record<string, string>> = {}) =>
	discoverAll(opencode, surroundingsOf(home, env));
const sourceOf = (id: string): Source => {
	const source = found().sources.find(({sessionId}) => sessionId === id);
	expect(source).toBeDefined();
	return source as Source;
};
/** A database with one session, read. */
const readOne = (messages: readonly TestMessage[], columns: Fields = {}): Folded => {
	buildSessions(database, sessionSql('ses_1', messages, columns));
	return readFolded(opencode, sourceOf('ses_1'));
};
const said = ({events}: Folded): readonly unknown[] =>
	events.map(({kind, role, text: words}) => [role ?? kind, words]);

describe('places', () => {
	const rootsWith = (env: Readonly<Record<string, string>>) =>
		opencode.roots(surroundingsOf('/home/someone', env));

	test('the data folder, or the one below XDG_DATA_HOME if that is absolute', () => {
		const standard = '/home/someone/.local/share/opencode';
		expect(rootsWith({})).toEqual([{path: standard, from: 'default', resumeEnv: {}}]);
		expect(rootsWith({XDG_DATA_HOME: 'share'})).toEqual(rootsWith({}));
		expect(rootsWith({XDG_DATA_HOME: '/home/someone/.local/share'})).toEqual(rootsWith({}));
		expect(rootsWith({XDG_DATA_HOME: '/data'})).toEqual([
			{path: '/data/opencode', from: 'environment', resumeEnv: {XDG_DATA_HOME: '/data'}},
		]);
	});

	test.each([
		['/data/other.db', '/data/other.db'],
		['work.db', '/home/someone/.local/share/opencode/work.db'],
	])('OPENCODE_DB=%s replaces the database, not the documents', (stated, path) => {
		expect(rootsWith({OPENCODE_DB: stated})).toEqual([
			{path, from: 'environment', resumeEnv: {OPENCODE_DB: path}},
			{path: '/home/someone/.local/share/opencode/storage', from: 'default', resumeEnv: {}},
		]);
	});

	test('a database in memory leaves nothing but the documents', () => {
		expect(rootsWith({OPENCODE_DB: ':memory:'}).map(({path}) => path)).toEqual([
			'/home/someone/.local/share/opencode/storage',
		]);
	});

	test('roots from the config say how the agent is pointed at them', () => {
		const extraRoots = [
			{path: '/mnt/laptop/opencode', label: 'laptop'},
			{path: '/mnt/copy'},
			{path: '/mnt/one.db'},
		];
		const [, ...others] = opencode.roots({...surroundingsOf('/home/someone'), extraRoots});
		expect(others.map(({label, resumeEnv}) => [label, resumeEnv])).toEqual([
			['laptop', {XDG_DATA_HOME: '/mnt/laptop'}],
			[undefined, {OPENCODE_DB: '/mnt/copy/opencode.db'}],
			[undefined, {OPENCODE_DB: '/mnt/one.db'}],
		]);
	});

	test('another database hides the usual one, and documents are found all the same', () => {
		const other = join(home, 'other.db');
		buildSessions(database, sessionSql('ses_usual', []));
		buildSessions(other, sessionSql('ses_other', []));
		put('storage/session/p/ses_tree.json', {id: 'ses_tree'});
		const {sources, problems} = found({OPENCODE_DB: other});
		expect(sources.map(({sessionId}) => sessionId).sort()).toEqual(['ses_other', 'ses_tree']);
		expect(problems).toEqual([]);
	});

	test('several channels: the release comes first', () => {
		for (const name of ['opencode-beta.db', 'opencode.db', 'opencode-local-1.db', 'notes.db']) {
			buildSessions(join(home, FOLDER, name), sessionSql('ses_1', []));
		}
		const {sources} = found();
		expect(
			sources.map(({key, preference}) => [key.slice(database.length - 11), preference]),
		).toEqual([
			['opencode-beta.db#ses_1', 1],
			['opencode-local-1.db#ses_1', 1],
			['opencode.db#ses_1', undefined],
		]);
	});
});

describe('while the agent writes', () => {
	test('a part that is rewritten in place marks its session, and no other', () => {
		const sql = ['ses_1', 'ses_2'].map(id => sessionSql(id, [assistant(`m_${id}`, text('half'))]));
		buildSessions(database, 'PRAGMA journal_mode = WAL;', ...sql);
		const marks = () => found().sources.map(({mark}) => mark);
		const before = marks();
		const agent = new Database(database);
		try {
			rewritePart(agent, 'm_ses_2p0', {data: text('whole'), atMs: START_MS + 5});
			const after = marks();
			expect(after[0]).toBe(before[0]);
			expect(after[1]).not.toBe(before[1]);
			expect(said(readFolded(opencode, sourceOf('ses_2')))).toEqual([['assistant', 'whole']]);
		} finally {
			agent.close();
		}
		closeViews();
		expect(readdirSync(join(home, FOLDER))).toEqual(['opencode.db']);
	});

	test('a call without a result gets one when it ends, under the key of the call', () => {
		const call = {type: 'tool', callID: 'c', tool: 'bash'};
		const input = {command: 'ls'};
		const running = {...call, state: {status: 'running', input}};
		const {events} = readOne([assistant('m1', running)]);
		expect(events.map(({key, kind}) => [key, kind])).toEqual([['m1p0', 'tool_use']]);
		const agent = new Database(database);
		const done = {...call, state: {status: 'completed', input, output: 'a.ts'}};
		rewritePart(agent, 'm1p0', {data: done, atMs: START_MS + 9});
		agent.close();
		const folded = readFolded(opencode, sourceOf('ses_1'));
		expect(folded.events.map(({key, kind, text: words}) => [key, kind, words])).toEqual([
			['m1p0', 'tool_use', 'ls'],
			['m1p0.1', 'tool_result', 'a.ts'],
		]);
	});

	test('a session that was deleted since it was found gives nothing', () => {
		buildSessions(database, sessionSql('ses_1', [user('m1', text('hello'))]));
		const source = sourceOf('ses_1');
		const agent = new Database(database);
		agent.exec('DELETE FROM session');
		agent.close();
		expect(readBatches(opencode, source)).toEqual([]);
	});
});

describe('databases of another kind', () => {
	test('without the tables: a problem, and nothing else', () => {
		buildSessions(
			database,
			'DROP TABLE part; DROP TABLE message;',
			insert('session', {id: 'ses_1'}),
		);
		expect(found()).toMatchObject({sources: [], problems: [{code: 'unsupported-schema'}]});
	});

	test('no database at all under its name', () => {
		put('opencode.db', 'not a database, but long enough to be looked at as if it were one');
		expect(found()).toMatchObject({sources: [], problems: [{code: 'unreadable'}]});
	});

	test('as few columns as can be', () => {
		const tables = `CREATE TABLE session (id text); CREATE TABLE message (id text, session_id text, data text);
			CREATE TABLE part (id text, message_id text, session_id text, data text);`;
		mkdirSync(dirname(database), {recursive: true});
		const agent = new Database(database);
		agent.exec(tables + insert('session', {id: 'ses_1'}));
		agent.exec(insert('message', {id: 'm1', session_id: 'ses_1', data: {role: 'user'}}));
		agent.exec(
			insert('part', {id: 'p1', message_id: 'm1', session_id: 'ses_1', data: text('hello')}),
		);
		agent.close();
		expect(said(readFolded(opencode, sourceOf('ses_1')))).toEqual([['user', 'hello']]);
	});

	test('raw records come from the tables of the talk only', () => {
		buildSessions(
			database,
			'CREATE TABLE credential (id text, data text);',
			insert('credential', {id: 'c1', data: 'secret'}),
			sessionSql('ses_1', [user('m1', text('hello'))]),
		);
		const source = sourceOf('ses_1');
		expect(readRaw(opencode, source, {table: 'part', row: 'm1p0'})).toBe(
			'{"type":"text","text":"hello"}',
		);
		expect(readRaw(opencode, source, {table: 'part', row: 'm2p0'})).toBe(undefined);
		expect(readRaw(opencode, source, {table: 'credential', row: 'c1'})).toBe(undefined);
	});
});

describe('titles', () => {
	test.each([
		['New session - 2026-11-30T00:53:20.000Z', undefined],
		['New session - 2026-11-30T00:53:20.000Z (fork #2)', undefined],
		['New session - about pears', 'New session - about pears'],
		['Pears (fork #1)', 'Pears (fork #1)'],
		['Pears\n and  plums', 'Pears and plums'],
	])('%s → %s', (title, expected) => {
		expect(readOne([user('m1', text('hello'))], {title}).facts.generatedTitle).toBe(expected);
	});

	test('an untitled sub-agent is called after its task', () => {
		const title = 'Child session - 2026-11-30T00:53:20.000Z';
		const {facts} = readOne([user('m1', text('count\nthe pears'))], {title, parent_id: 'ses_0'});
		expect(facts).toMatchObject({description: 'count the pears', isSubagent: true});
		expect(facts.generatedTitle).toBe(undefined);
	});
});

describe('prompts', () => {
	test.each([
		['"two words"', 'two words'],
		['"say \\"hello\\" twice"', 'say "hello" twice'],
		['"word"', '"word"'],
		['"two words" "and more"', '"two words" "and more"'],
		['"open ended', '"open ended'],
		['"a b\\"', '"a b\\"'],
		['"', '"'],
	])('%s reads %s', (stored, expected) => {
		expect(withoutQuotes(stored)).toBe(expected);
	});

	test('every prompt given as one argument comes back as it was typed', () => {
		const words = fc.string().filter(prompt => prompt.includes(' ') && !prompt.includes('\\'));
		fc.assert(
			fc.property(words, prompt => {
				expect(withoutQuotes(`"${prompt.replaceAll('"', '\\"')}"`)).toBe(prompt);
			}),
		);
	});

	test('an image without a word is a prompt', () => {
		const file = {type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA'};
		expect(said(readOne([user('m1', file)]))).toEqual([['user', '[image png, 3 B]']]);
	});

	test('a file behind nothing but synthetic text is not', () => {
		const file = {type: 'file', mime: 'text/plain', filename: 'a.ts', url: 'file:///a.ts'};
		const folded = readOne([user('m1', text('Called the Read tool', {synthetic: true}), file)]);
		expect(said(folded)).toEqual([
			['meta', 'Called the Read tool'],
			['meta', '[file a.ts]'],
		]);
	});
});

describe('tokens', () => {
	const usageOf = (tokens: Fields, cost = 0) => {
		const {data, ...message} = assistant('m1', text('hello'));
		return readOne([{...message, data: {...data, tokens, cost}}]).usage;
	};
	const tokens = {input: 10, output: 5, reasoning: 2, cache: {read: 3, write: 1}};

	test('reasoning is added where the total says that it is not within the output', () => {
		expect(usageOf({...tokens, total: 21})).toMatchObject([{output: 7, reasoning: 2}]);
	});

	test.each([[19], [undefined]])('reasoning is within the output: total %s', total => {
		expect(usageOf({...tokens, total})).toEqual([
			{
				key: 'm1',
				atMs: START_MS,
				input: 10,
				output: 5,
				cacheRead: 3,
				cacheWrite: 1,
				reasoning: 2,
				model: 'pear-2',
			},
		]);
	});

	test('nothing for an answer that never came', () => {
		expect(usageOf({input: 0, output: 0, reasoning: 0, cache: {read: 0, write: 0}})).toEqual([]);
	});
});

test('what was taken back stays so when its first message is gone', () => {
	const messages = [user('m1', text('one')), user('m3', text('three'))];
	const {events} = readOne(messages, {revert: {messageID: 'm2'}});
	expect(events.map(({state}) => state)).toEqual([undefined, 'undone']);
});

describe('documents', () => {
	const putSession = (id: string): void => {
		put(`storage/session/p/${id}.json`, {id, directory: '/home/ada/barn', title: 'Barn'});
		put(`storage/message/${id}/m1.json`, {id: 'm1', role: 'user', time: {created: START_MS}});
		put('storage/part/m1/p1.json', {id: 'p1', ...text('paint it')});
	};

	test('are left out once the database has the session', () => {
		putSession('ses_1');
		putSession('ses_2');
		buildSessions(database, sessionSql('ses_1', []));
		expect(found().sources.map(({key}) => key)).toEqual([
			`${database}#ses_1`,
			join(home, FOLDER, 'storage/session/p/ses_2.json'),
		]);
	});

	test('stand in for a database that cannot be read, and give way to it later', () => {
		putSession('ses_1');
		put('opencode.db', 'not a database, but long enough to be looked at as if it were one');
		const {sources, problems} = found();
		expect(problems.map(({code}) => code)).toEqual(['unreadable']);
		expect(sources.map(({sessionId, rank}) => [sessionId, rank])).toEqual([['ses_1', -1]]);
	});

	test('a half-written session is tried again, not read as empty', () => {
		putSession('ses_1');
		put('storage/session/p/ses_1.json', '{"id":"ses_1","dire');
		expect(() => readBatches(opencode, sourceOf('ses_1'))).toThrow(SourceUnreadable);
	});

	test('a new message is noticed', () => {
		putSession('ses_1');
		const before = sourceOf('ses_1').mark;
		put('storage/message/ses_1/m2.json', {id: 'm2', role: 'user'});
		expect(sourceOf('ses_1').mark).not.toBe(before);
	});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: 'ses_1',
		cwd: '/home/ada/orchard',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/someone/.local/share/opencode/opencode.db',
		resumeEnv: {},
		hint: {},
	};
	const argv = ['opencode', '--session', 'ses_1'];

	test('in the directory of the session, or as a fork', () => {
		const plan = {argv, cwd: '/home/ada/orchard', env: {}, forkArgv: [...argv, '--fork']};
		expect(opencode.resume(request)).toEqual(plan);
		expect(opencode.resume({...request, cwd: 'C:\\work'})).toMatchObject({cwd: 'C:\\work'});
		expect(opencode.resume({...request, cwd: 'orchard'})).toMatchObject({cwd: null});
	});

	test('a session of another channel needs its database', () => {
		const location = '/data/opencode/opencode-beta.db';
		const resumeEnv = {XDG_DATA_HOME: '/data'};
		expect(opencode.resume({...request, location, resumeEnv})).toMatchObject({
			env: {XDG_DATA_HOME: '/data', OPENCODE_DB: location},
		});
		expect(
			opencode.resume({...request, location: '/data/opencode/storage/session/p/ses_1.json'}),
		).toMatchObject({env: {}});
	});

	test.each([
		[{id: 'ses_1; rm'}, 'ses_1; rm is no session id of OpenCode'],
		[{id: '--help'}, '--help is no session id of OpenCode'],
		[
			{isSubagent: true, parentId: 'ses_0'},
			'sub-agent session; resume the parent: opencode --session ses_0',
		],
		[{isSubagent: true, parentId: '-x'}, 'sub-agent session, not meant to be resumed'],
	])('refused: %o', (change, reason) => {
		expect(opencode.resume({...request, ...change})).toEqual({reason});
	});
});
