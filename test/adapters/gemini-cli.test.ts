/** What the contract test cannot see: how a log grows, how files of one session stand to each other, where roots lie. */
import {createHash} from 'node:crypto';
import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {geminiCli} from '../../adapters/gemini-cli.js';
import {type ResumeRequest, type Source, SourceUnreadable} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';
import {createToyWorld} from '../helpers/toy-adapter.js';

const ID = '5ec0aaaa-00aa-4000-8000-0000000000aa';
const CHATS = '.gemini/tmp/orchard/chats';
const FILE = `${CHATS}/session-2026-10-05T09-00-5ec0aaaa.jsonl`;

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => {
	rmSync(home, {recursive: true, force: true});
});

type Json = Record<string, unknown>;

const put = (path: string, content: string): void => {
	mkdirSync(dirname(join(home, path)), {recursive: true});
	writeFileSync(join(home, path), content);
};
const logOf = (...records: readonly Json[]): string =>
	records.map(record => `${JSON.stringify(record)}\n`).join('');

const header: Json = {sessionId: ID, startTime: '2026-10-05T09:00:00.000Z', kind: 'main'};
const at = (second: number): string => new Date(Date.UTC(2026, 9, 5, 9, 0, second)).toISOString();
const user = (id: string, second: number, text: string): Json => ({
	id,
	timestamp: at(second),
	type: 'user',
	content: [{text}],
});
const model = (id: string, second: number, more: Json): Json => ({
	id,
	timestamp: at(second),
	type: 'gemini',
	...more,
});
const list = (...messages: readonly Json[]): Json => ({$set: {messages}});

const found = (env: Readonly<Record<string, string>> = {}) =>
	discoverAll(geminiCli, surroundingsOf(home, env));
const sourceOf = (path: string): Source => {
	const source = found().sources.find(({key}) => key === join(home, path));
	expect(source).toBeDefined();
	return source as Source;
};
const readRecords = (...records: readonly Json[]): Folded => {
	put(FILE, logOf(header, ...records));
	return readFolded(geminiCli, sourceOf(FILE));
};
const linesOf = ({events}: Folded): readonly string[] =>
	events.map(({kind, text, state}) => [kind, state ?? 'live', text].join(' '));

describe('places', () => {
	test('GEMINI_CLI_HOME stands in for the home folder and is needed for a resume', () => {
		const around = surroundingsOf('/home/someone', {GEMINI_CLI_HOME: '/data/agents'});
		expect(geminiCli.roots(around)).toEqual([
			{
				path: '/data/agents/.gemini',
				from: 'environment',
				resumeEnv: {GEMINI_CLI_HOME: '/data/agents'},
			},
		]);
	});

	test('a further root can be resumed only where the variable can lead to it', () => {
		const extraRoots = [{path: '/mnt/laptop/.gemini'}, {path: '/mnt/copy', label: 'copy'}];
		expect(geminiCli.roots({...surroundingsOf('/home/someone'), extraRoots})).toEqual([
			{path: '/home/someone/.gemini', from: 'default', resumeEnv: {}},
			{
				path: '/mnt/laptop/.gemini',
				from: 'config',
				resumeEnv: {GEMINI_CLI_HOME: '/mnt/laptop'},
			},
			{path: '/mnt/copy', from: 'config', label: 'copy', resumeEnv: {}},
		]);
	});

	test('the project of a folder: what it says itself, else its name in the registry, else its hash', () => {
		const hash = createHash('sha256').update('/home/ada/hashed').digest('hex');
		put(
			'.gemini/projects.json',
			JSON.stringify({
				projects: {'/home/ada/named': 'named', '/home/ada/hashed': 'other', '/old': 'said'},
			}),
		);
		put('.gemini/tmp/said/.project_root', '/home/ada/said\n');
		for (const folder of ['said', 'named', hash, 'unknown']) {
			put(`.gemini/tmp/${folder}/chats/session-2026-10-05T09-00-5ec0aaaa.jsonl`, logOf(header));
		}
		const directories = found().sources.map(({outside}) => outside?.cwd);
		expect(new Set(directories)).toEqual(
			new Set(['/home/ada/said', '/home/ada/named', '/home/ada/hashed', undefined]),
		);
	});

	test('a project that is no absolute path is none', () => {
		put('.gemini/tmp/orchard/.project_root', '../orchard');
		put(FILE, logOf(header));
		expect(sourceOf(FILE).outside).toBeUndefined();
	});

	test('the document that a log goes on from is not read beside it', () => {
		put(FILE, logOf(header));
		put(FILE.replace('.jsonl', '.json'), '{}');
		expect(found().sources.map(({key}) => key)).toEqual([join(home, FILE)]);
	});

	test('the oldest file of an id owns the session, stubs of later resumes do not', () => {
		const names = ['2026-10-05T09-00', '2026-10-05T11-00', '2026-10-06T09-00'];
		for (const name of names) put(`${CHATS}/session-${name}-5ec0aaaa.jsonl`, logOf(header));
		put(`${CHATS}/session-2026-10-05T10-00-5ec0bbbb.jsonl`, logOf(header));
		const preferences = found().sources.map(({key, preference = 0}) => [basename(key), preference]);
		expect(preferences).toEqual([
			['session-2026-10-05T09-00-5ec0aaaa.jsonl', 0],
			['session-2026-10-05T10-00-5ec0bbbb.jsonl', 0],
			['session-2026-10-05T11-00-5ec0aaaa.jsonl', 1],
			['session-2026-10-06T09-00-5ec0aaaa.jsonl', 2],
		]);
	});

	test('a stub and the file that was gone on in are one session', async () => {
		const world = createToyWorld([geminiCli]);
		const chats = join(world.home, CHATS);
		mkdirSync(chats, {recursive: true});
		const context = list(user('ctx', 1, '<session_context>here</session_context>'));
		const original = join(chats, 'session-2026-10-05T09-00-5ec0aaaa.jsonl');
		writeFileSync(original, logOf(header, context, user('m1', 2, 'one'), user('m2', 90, 'two')));
		writeFileSync(original.replace('T09', 'T10'), logOf({...header, startTime: at(80)}, context));
		expect(await world.sync()).toMatchObject({sources: 2, read: 2, added: 1});
		expect(world.session(ID)).toMatchObject({location: original, prompts: 2, title: 'one'});
		expect(await world.sync()).toMatchObject({unchanged: 2, read: 0, updated: 0});
		world.close();
	});

	test('a link that leads out of the root is refused', () => {
		put('elsewhere/secret.jsonl', logOf(header));
		mkdirSync(join(home, CHATS), {recursive: true});
		symlinkSync(join(home, 'elsewhere/secret.jsonl'), join(home, FILE));
		expect(found()).toMatchObject({sources: [], problems: [{code: 'linked-out'}]});
	});
});

const call = (more: Json = {}): Json => ({
	id: 'c1',
	name: 'read_file',
	args: {file_path: 'a'},
	...more,
});
const answer = (output: string): Json => ({
	functionResponse: {id: 'c1', name: 'read_file', response: {output}},
});

describe('replay', () => {
	const growing: readonly Json[] = [
		list(user('ctx', 1, '<session_context>here</session_context>')),
		user('m1', 2, 'Look at a'),
		model('m2', 3, {content: 'I will.', tokens: null}),
		model('m2', 3, {content: 'I will.', thoughts: [{subject: 'Plan', description: 'Read.'}]}),
		model('m2', 3, {content: 'I will.', toolCalls: [call()]}),
		{id: 'm3', timestamp: at(4), type: 'user', content: [answer('inside')]},
		model('m2', 3, {content: 'I will.', toolCalls: [call({result: [answer('inside')]})]}),
		model('m4', 5, {content: 'Done.', tokens: {input: 9, output: 2, thoughts: 1, total: 12}}),
		list(
			user('ctx', 60, '<session_context>here</session_context>'),
			user('m1', 60, 'Look at a'),
			model('m2', 60, {content: [{text: 'I will.'}, {functionCall: call()}]}),
			{id: 'm2_response', timestamp: at(60), type: 'user', content: [answer('[masked]')]},
			model('m4', 60, {content: [{text: 'Done.'}]}),
		),
		user('m5', 61, 'Thanks'),
	];

	test('a log that grows never loses or renames an event', () => {
		const whole = readRecords(...growing).events.map(({key}) => key);
		for (let size = 1; size <= growing.length; size++) {
			const part = readRecords(...growing.slice(0, size)).events.map(({key}) => key);
			expect(whole).toEqual(expect.arrayContaining(part));
		}
	});

	test('a restored list brings back neither its times nor its masked outputs, and doubles nothing', () => {
		const before = readRecords(...growing.slice(0, 8));
		const after = readRecords(...growing);
		expect(after.events.slice(0, -1)).toEqual(before.events);
		expect(after.usage).toEqual(before.usage);
		expect(linesOf(after).at(-1)).toBe('message live Thanks');
	});

	test('a rewind undoes from its message on; a message that is restored is live again', () => {
		const turns = [user('m1', 1, 'one'), user('m2', 2, 'two'), user('m3', 3, 'three')];
		expect(linesOf(readRecords(...turns, {$rewindTo: 'm2'}))).toEqual([
			'message live one',
			'message undone two',
			'message undone three',
		]);
		expect(
			linesOf(
				readRecords(...turns, {$rewindTo: 'm2'}, list(user('m1', 1, 'one'), user('m2', 2, 'two'))),
			),
		).toEqual(['message live one', 'message live two', 'message undone three']);
		expect(linesOf(readRecords(...turns, {$rewindTo: 'nobody'}))).toEqual([
			'message undone one',
			'message undone two',
			'message undone three',
		]);
	});

	test('what a compression leaves is a summary and no reply', () => {
		const read = readRecords(
			user('m1', 1, 'one'),
			model('m2', 2, {content: 'two'}),
			list(
				user('s1', 3, 'One and two were said.'),
				model('s2', 3, {content: [{text: 'Got it. Thanks for the additional context!'}]}),
			),
		);
		expect(linesOf(read)).toEqual([
			'message live one',
			'message live two',
			'summary live One and two were said.',
			'meta live Got it. Thanks for the additional context!',
		]);
	});

	test('thoughts are added to the output unless the total says that they are in it', () => {
		const tokens = (total: number): Json => ({input: 10, output: 5, cached: 4, thoughts: 3, total});
		const {usage} = readRecords(
			model('m1', 1, {content: 'a', tokens: tokens(18)}),
			model('m2', 2, {content: 'b', tokens: tokens(15)}),
			model('m3', 3, {content: 'c', tokens: {}}),
		);
		expect(usage).toMatchObject([
			{key: 'm1', input: 6, output: 8, cacheRead: 4, reasoning: 3},
			{key: 'm2', input: 6, output: 5, cacheRead: 4, reasoning: 3},
		]);
	});

	test('any records in any order give sound events and no failure', () => {
		const scalar = fc.constantFrom<unknown>(null, '', 'm1', 7, [], {}, [{text: 'x'}], true);
		const record = fc.dictionary(
			fc.constantFrom(
				'$set',
				'$rewindTo',
				'id',
				'type',
				'content',
				'toolCalls',
				'tokens',
				'messages',
			),
			fc.oneof(
				scalar,
				fc.dictionary(fc.constantFrom('messages', 'summary', 'id'), scalar),
				fc.array(scalar),
			),
		);
		fc.assert(
			fc.property(fc.array(record, {maxLength: 8}), records => {
				const {events} = readRecords(...records);
				expect(new Set(events.map(({key}) => key)).size).toBe(events.length);
			}),
			{numRuns: 100},
		);
	});
});

test('a document that is half written leaves what was read before', () => {
	const path = FILE.replace('.jsonl', '.json');
	put(path, `{"sessionId": "${ID}", "messages": [{"id": "m1", "type": "us`);
	expect(() => readFolded(geminiCli, sourceOf(path))).toThrow(SourceUnreadable);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/orchard',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {GEMINI_CLI_HOME: '/data'},
		hint: {},
	};

	test('takes the whole id to the project folder', () => {
		expect(geminiCli.resume(request)).toEqual({
			argv: ['gemini', '--resume', ID],
			cwd: '/home/ada/orchard',
			env: {GEMINI_CLI_HOME: '/data'},
		});
	});

	test.each([
		['a part of an id', {id: '5ec0aaaa'}, 'no session id'],
		['an option', {id: '--list-sessions'}, 'no session id'],
		['an unknown folder', {cwd: null}, '--dir'],
		['a sub-agent', {isSubagent: true, parentId: ID}, `gemini --resume ${ID}`],
	])('refuses %s', (_, change, reason) => {
		expect(geminiCli.resume({...request, ...change})).toEqual({
			reason: expect.stringContaining(reason),
		});
	});
});
