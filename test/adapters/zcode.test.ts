import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {closeViews} from '../../adapters/shared/sqlite.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {zcode} from '../../adapters/zcode/index.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';
import {
	assistant,
	buildSessions,
	type Fields,
	insert,
	sessionSql,
	type TestMessage,
	text,
	user,
} from '../helpers/session-tables.js';

const ID = 'sess_00000000-0000-4000-8000-000000000001';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => {
	closeViews();
	removeHome(home);
});

const put = (path: string, content: unknown): void => {
	const file = join(home, path);
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const keys = (env: Readonly<Record<string, string>> = {}): readonly string[] =>
	discoverAll(zcode, surroundingsOf(home, env)).sources.map(({key}) => key);
const usual = () => join(home, '.zcode/cli/db/db.sqlite');
const readOne = (
	messages: readonly TestMessage[],
	columns: Fields = {},
	...sql: readonly string[]
): Folded => {
	const own = 'ALTER TABLE session ADD task_type text; ALTER TABLE session ADD title_source text;';
	buildSessions(usual(), own, ...sql, sessionSql(ID, messages, columns));
	const [source] = discoverAll(zcode, surroundingsOf(home)).sources;
	return readFolded(zcode, source as Source);
};

describe('places', () => {
	test('the configuration moves the database, a variable moves it from there', () => {
		const [moved, stated] = [join(home, 'moved.sqlite'), join(home, 'stated.sqlite')];
		for (const path of [usual(), moved, stated]) buildSessions(path, sessionSql(ID, []));
		expect(keys()).toEqual([`${usual()}#${ID}`]);
		put('.zcode/cli/config.json', {storage: {sessionDbPath: moved}});
		expect(keys()).toEqual([`${moved}#${ID}`]);
		put('.zcode/cli/config.json', {storage: {sessionDbPath: '~/moved.sqlite'}});
		expect(keys()).toEqual([`${moved}#${ID}`]);
		expect(keys({ZCODE_SESSION_DB: stated})).toEqual([`${stated}#${ID}`]);
		expect(keys({ZCODE_SESSION_DB: moved, ZCODE_SESSION_DB_PATH: stated})).toEqual([
			`${stated}#${ID}`,
		]);
	});

	test('a log is read unless the database has its session', () => {
		const log = (id: string) => `.zcode/projects/-work/${id}.jsonl`;
		for (const id of [ID, 'sess_other']) put(log(id), '{"role":"user","content":"hello"}\n');
		buildSessions(usual(), sessionSql(ID, []));
		expect(keys()).toEqual([`${usual()}#${ID}`, join(home, log('sess_other'))]);
		const {sources} = discoverAll(zcode, surroundingsOf(home, {ZCODE_SESSION_DB: usual()}));
		expect(sources.map(({sessionId, rank}) => [sessionId, rank])).toEqual([
			[ID, undefined],
			[ID, -1],
			['sess_other', -1],
		]);
	});
});

describe('who typed it', () => {
	const real = {origin: 'real_user', kind: 'user_prompt', uiVisibility: 'visible'};
	test.each<[Fields, string | undefined]>([
		[{semantics: real}, 'typed'],
		[{}, 'typed'],
		[{semantics: {...real, kind: 'slash_command'}}, 'command'],
		[{semantics: {...real, kind: 'rewind_notice'}}, undefined],
		[{semantics: {...real, origin: 'agent_runtime'}}, undefined],
		[{semantics: {...real, uiVisibility: 'hidden'}}, undefined],
		[{semantics: real, synthetic: true}, undefined],
		[{visibility: 'hidden'}, undefined],
	])('%j: %s', (fields, expected) => {
		const message = {...user('m1', text('hello')), data: {role: 'user', ...fields}};
		const [event] = readOne([message]).events;
		expect(event?.kind).toBe(expected === undefined ? 'meta' : 'message');
		expect(event?.input).toBe(expected);
	});

	test('a prompt in quotes keeps them', () => {
		const [event] = readOne([user('m1', text('"two words"'))]).events;
		expect(event?.text).toBe('"two words"');
	});
});

describe('titles', () => {
	test.each([
		['custom', {customTitle: 'Pears'}],
		['generated', {generatedTitle: 'Pears'}],
		['first_input', {}],
		['default', {}],
	])('%s', (source, expected) => {
		const {customTitle, generatedTitle} = readOne([user('m1', text('hello'))], {
			title_source: source,
		}).facts;
		expect({customTitle, generatedTitle}).toEqual(expected);
	});
});

describe('rewinds', () => {
	const messages = ['m1', 'm2', 'm3'].map(id => user(id, text(id)));
	const liveIn = (revert: Fields): readonly string[] =>
		readOne(messages, {revert})
			.events.filter(({state}) => state !== 'undone')
			.map(({text: words}) => words);

	test('what is kept and what comes after the cut is on the branch', () => {
		expect(liveIn({keptMessageIDs: ['m1'], branchCutAfterMessageID: 'm2'})).toEqual(['m1', 'm3']);
	});

	test('a cut that is not there takes nothing away', () => {
		expect(liveIn({keptMessageIDs: ['m1'], branchCutAfterMessageID: 'm9'})).toHaveLength(3);
	});
});

describe('relations', () => {
	const link = 'CREATE TABLE session_task_link (parent_session_id text, child_session_id text);';
	const linked = insert('session_task_link', {parent_session_id: 'sess_0', child_session_id: ID});

	test.each([
		['fork', {parent_id: 'sess_0', task_type: 'fork'}, {relation: 'fork'}],
		['sub-agent', {parent_id: 'sess_0', task_type: 'subagent_child'}, {relation: 'subagent'}],
		['sub-agent by its link', {task_type: 'subagent_child'}, {relation: 'subagent'}],
	])('%s', (_, columns, expected) => {
		const {facts} = readOne([user('m1', text('hello'))], columns, link, linked);
		expect(facts.parent).toMatchObject({id: 'sess_0', certainty: 'exact', ...expected});
	});

	test('a session that somebody opened has no parent, whatever is linked to it', () => {
		const {facts} = readOne([], {task_type: 'interactive'}, link, linked);
		expect(facts.parent).toBe(undefined);
	});
});

test('an answer that was thrown away is not counted as one', () => {
	const {id, data, parts = []} = assistant('m1', text('thrown away'));
	const {events} = readOne([{id, data: {...data, finish: 'stream_recovery_discarded'}, parts}]);
	expect(events.map(({state}) => state)).toEqual(['undone']);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/reeds',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/someone/.zcode/cli/db/db.sqlite',
		resumeEnv: {ZCODE_SESSION_DB_PATH: '/data/db.sqlite'},
		hint: {},
	};

	test('in the directory of the session, from the database it is in', () => {
		expect(zcode.resume(request)).toEqual({
			argv: ['zcode', '--resume', ID],
			cwd: '/home/ada/reeds',
			env: {ZCODE_SESSION_DB_PATH: '/data/db.sqlite'},
		});
	});

	test.each<[Partial<ResumeRequest>, string]>([
		[{id: 'latest'}, 'latest is no session id of ZCode'],
		[
			{isSubagent: true, parentId: ID},
			`sub-agent session; resume the parent: zcode --resume ${ID}`,
		],
		[{hint: {workspace: 'ws_1'}}, 'session on a remote machine; resume it in the ZCode app'],
		[
			{location: '/home/someone/.zcode/projects/-work/x.jsonl'},
			'not in the database that ZCode resumes from',
		],
	])('refused: %o', (change, reason) => {
		expect(zcode.resume({...request, ...change})).toEqual({reason});
	});
});
