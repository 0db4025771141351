/** What the fixture home cannot show: roots, change marks, damaged graphs, long chats, resume, and text rules one by one. */
import {createHash} from 'node:crypto';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {walkGraph} from '../../adapters/cursor/blobs.js';
import {cursor} from '../../adapters/cursor/index.js';
import {parseTimeTag, readUserText, withoutRedacted} from '../../adapters/cursor/prompts.js';
import {callFacts, resultFacts} from '../../adapters/cursor/tools.js';
import {pathOfUri} from '../../adapters/cursor/uri.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	buildDatabase,
	copyFixture,
	discoverAll,
	emptyHome,
	type Folded,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = '5d0d0001-1111-4aaa-8bbb-000000000001';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const put = (path: string, content: string): string => {
	const whole = join(home, path);
	mkdirSync(dirname(whole), {recursive: true});
	writeFileSync(whole, content);
	return whole;
};

const found = (env: Readonly<Record<string, string>> = {}) =>
	discoverAll(cursor, surroundingsOf(home, env));

const sourceOf = (id: string): Source => {
	const source = found().sources.find(({sessionId}) => sessionId === id);
	if (source === undefined) throw new Error(`no source for ${id}`);
	return source;
};

const textsOf = ({events}: Folded): readonly string[] => events.map(({text}) => text);

describe('roots', () => {
	const rootsOf = (more: Partial<ReturnType<typeof surroundingsOf>>) =>
		cursor.roots({...surroundingsOf('/home/me'), ...more});
	const pathsOf = (more: Parameters<typeof rootsOf>[0]) => rootsOf(more).map(({path}) => path);

	test('command line and editor, by system', () => {
		expect(pathsOf({})).toEqual([
			'/home/me/.cursor',
			'/home/me/.config/cursor',
			'/home/me/.config/Cursor/User',
		]);
		expect(pathsOf({env: {XDG_CONFIG_HOME: '/etc/me'}})).toEqual([
			'/home/me/.cursor',
			'/etc/me/cursor',
			'/etc/me/Cursor/User',
		]);
		expect(pathsOf({platform: 'darwin'})).toContain(
			'/home/me/Library/Application Support/Cursor/User',
		);
		expect(pathsOf({platform: 'win32', env: {APPDATA: '/roaming'}})).toContain(
			'/roaming/Cursor/User',
		);
	});

	test('a variable replaces the folder of the command line and goes along to a resume', () => {
		expect(rootsOf({env: {CURSOR_CONFIG_DIR: '/c', CURSOR_DATA_DIR: '/d'}})).toEqual([
			{path: '/d', from: 'environment', resumeEnv: {CURSOR_DATA_DIR: '/d'}},
			{path: '/c', from: 'environment', resumeEnv: {CURSOR_CONFIG_DIR: '/c'}},
			{path: '/home/me/.config/Cursor/User', from: 'default', resumeEnv: {}},
		]);
	});
});

test('one conversation in three stores is one session, the editor’s form first', () => {
	const fixture = copyFixture('cursor');
	try {
		const forms = discoverAll(cursor, fixture.around).sources.filter(
			({sessionId}) => sessionId === '5c0c0001-1111-4aaa-8bbb-000000000001',
		);
		const byRank = forms.toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
		expect(
			byRank.map(({path}) => /[^/]+$/.exec(path)?.[0]?.replace(/^.*\.jsonl$/, 'transcript')),
		).toEqual(['state.vscdb', 'store.db', 'transcript']);
		expect(new Set(forms.map(({rank}) => rank)).size).toBe(3);
	} finally {
		fixture.dispose();
	}
});

describe('editor', () => {
	const GLOBAL = '.config/Cursor/User/globalStorage/state.vscdb';
	const TABLES = `
		CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
		CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);`;

	const write = (key: string, value: unknown): void => {
		const database = new Database(join(home, GLOBAL));
		database
			.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)')
			.run(key, Buffer.from(JSON.stringify(value)));
		database.close();
	};

	const chat = (count: number): void => {
		buildDatabase(join(home, GLOBAL), TABLES);
		const bubbleIds = Array.from({length: count}, (_, index) => `b${index}`);
		for (const bubbleId of bubbleIds)
			write(`bubbleId:${ID}:${bubbleId}`, {type: 2, text: bubbleId});
		write(`composerData:${ID}`, {
			fullConversationHeadersOnly: bubbleIds.map(bubbleId => ({bubbleId, type: 2})),
		});
	};

	test('keeps the order of a chat over many bubbles, stored as bytes', () => {
		chat(230);
		expect(textsOf(readFolded(cursor, sourceOf(ID)))).toEqual(
			Array.from({length: 230}, (_, index) => `b${index}`),
		);
	});

	test('notices a bubble that is written anew, and nothing else', () => {
		chat(3);
		const {mark} = sourceOf(ID);
		write('bubbleId:another:b1', {type: 2, text: 'of another chat'});
		expect(sourceOf(ID).mark).toBe(mark);
		write(`bubbleId:${ID}:b1`, {type: 2, text: 'longer'});
		expect(sourceOf(ID).mark).not.toBe(mark);
		expect(textsOf(readFolded(cursor, sourceOf(ID)))).toEqual(['b0', 'longer', 'b2']);
	});

	test('without times in the bubbles the chat’s own frame them', () => {
		chat(0);
		write(`composerData:${ID}`, {
			createdAt: 1796200000000,
			lastUpdatedAt: 1796200060000,
			conversation: [
				{type: 1, text: 'ask'},
				{type: 2, text: 'think'},
				{type: 2, text: 'answer'},
			],
		});
		expect(readFolded(cursor, sourceOf(ID)).events.map(({atMs}) => atMs)).toEqual([
			1796200000000, 1796200000000, 1796200060000,
		]);
	});

	test('a database without its tables gives nothing', () => {
		buildDatabase(join(home, GLOBAL), 'CREATE TABLE other (x)');
		expect(found()).toEqual({sources: [], problems: []});
	});

	test('a damaged database of a workspace does not hide the chats', () => {
		chat(1);
		put('.config/Cursor/User/workspaceStorage/ab/state.vscdb', 'no database');
		const {sources, problems} = found();
		expect(sources.map(({sessionId}) => sessionId)).toEqual([ID]);
		expect(problems).toMatchObject([{code: 'unreadable'}]);
	});
});

describe('graph of a chat store', () => {
	const reference = (field: number, id: string): Buffer =>
		Buffer.concat([Buffer.from([field * 8 + 2, 32]), Buffer.from(id, 'hex')]);
	const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
	const [root, node, leaf] = ['root', 'node', 'leaf'].map(hash) as [string, string, string];

	test('ends where nodes refer to each other', () => {
		const blobs = new Map([
			[root, Buffer.concat([reference(1, leaf), reference(2, node)])],
			[node, Buffer.concat([reference(1, leaf), reference(2, root), reference(2, node)])],
		]);
		expect(walkGraph(id => blobs.get(id), root)?.leaves).toEqual([
			{key: leaf, blobId: leaf, isCertain: true},
		]);
	});

	test('a message that its node names twice was said twice', () => {
		const bytes = Buffer.concat([reference(1, leaf), reference(1, leaf)]);
		const {leaves = []} = walkGraph(() => bytes, root) ?? {};
		expect(leaves.map(({key}) => key)).toEqual([leaf, `${leaf}-2`]);
	});

	test('what is no message of that kind has no leaves', () => {
		expect(walkGraph(() => undefined, root)).toBeUndefined();
		expect(walkGraph(() => Buffer.from([7, 7]), root)).toBeUndefined();
	});
});

describe('transcripts', () => {
	const path = `.cursor/projects/home-ada-shed/agent-transcripts/${ID}/${ID}.jsonl`;

	test('a cut-off record does not give its inner message', () => {
		put(
			path,
			'{"role":"user","message":{"content":"ask"}}\n{"role":"assistant","message":{"role":"assistant","content":"half"}\n',
		);
		const folded = readFolded(cursor, sourceOf(ID));
		expect(textsOf(folded)).toEqual(['ask']);
		expect(folded.problems).toHaveLength(1);
	});

	test('records that were glued into one line are all there', () => {
		const record = (content: string): string => JSON.stringify({role: 'user', message: {content}});
		put(path, `${record('one')}${record('two')}\n${record('three')}\n`);
		const {events} = readFolded(cursor, sourceOf(ID));
		expect(events.map(({key, text}) => [key, text])).toEqual([
			['L1', 'one'],
			['L1-1', 'two'],
			['L2', 'three'],
		]);
	});

	test('a file beside the transcript of a session is none', () => {
		put(path.replace(/[^/]+$/, 'other.jsonl'), '{}\n');
		expect(found().sources).toEqual([]);
	});
});

describe('text of user records', () => {
	test.each([
		['plain', [{kind: 'prompt', text: 'plain'}]],
		[
			'<user_query>\nask </user_query> rest',
			[
				{kind: 'context', text: 'rest'},
				{kind: 'prompt', text: 'ask'},
			],
		],
		['<user_query>not closed', [{kind: 'prompt', text: 'not closed'}]],
		[
			'<user_info>x</user_info>\nand more',
			[{kind: 'context', text: '<user_info>x</user_info>\nand more'}],
		],
		[
			'<rules>r</rules>ask',
			[
				{kind: 'context', text: '<rules>r</rules>'},
				{kind: 'prompt', text: 'ask'},
			],
		],
		['use <rules> in the file', [{kind: 'prompt', text: 'use <rules> in the file'}]],
		['<summary>s</summary>', [{kind: 'summary', text: '<summary>s</summary>'}]],
		['<timestamp>x</timestamp>', []],
	])('%s', (text, told) => {
		expect(readUserText(text, false)).toEqual(told);
	});

	test('beside a query all else is context', () => {
		expect(readUserText('anything', true)).toEqual([{kind: 'context', text: 'anything'}]);
	});

	test.each([
		['Sunday, Jul 26, 2026, 1:06 PM (UTC+3)', '2026-07-26T10:06:00.000Z'],
		['Tuesday, Dec 1, 2026, 12:06 AM (UTC-3:30)', '2026-12-01T03:36:00.000Z'],
		['Monday, Oct 5, 2026, 12:00 PM (UTC)', '2026-10-05T12:00:00.000Z'],
	])('time %s', (text, iso) => {
		expect(new Date(parseTimeTag(text) ?? 0).toISOString()).toBe(iso);
	});

	test.each([
		'',
		'yesterday',
		'Sunday, Foo 26, 2026, 1:06 PM (UTC+3)',
		'Sunday, anF 26, 2026, 1:06 PM (UTC)',
	])('no time in "%s"', text => {
		expect(parseTimeTag(text)).toBeUndefined();
	});

	test('hidden reasoning leaves no trace, the word in a sentence stays', () => {
		expect(withoutRedacted('[REDACTED]')).toBe('');
		expect(withoutRedacted('done\n\n[REDACTED]\n')).toBe('done');
		expect(withoutRedacted('it says [REDACTED]')).toBe('it says [REDACTED]');
	});
});

describe('tools', () => {
	test('one tool has many names', () => {
		for (const name of ['Read', 'read_file', 'read_file_v2']) {
			expect(callFacts(name, {targetFile: 'a.ts'}).files).toEqual([{path: 'a.ts', change: 'read'}]);
		}
	});

	test('a new file is a patch, the sketch of an edit is none', () => {
		expect(callFacts('Write', {path: 'a.ts', contents: 'x'}).patch).toContain('+x');
		expect(callFacts('edit_file_v2', {path: 'a.ts', streamingContent: 'x'}).patch).toBeUndefined();
	});

	test('failure is told from the text only where nothing states it', () => {
		expect(resultFacts('Error: no')).toEqual({isError: true});
		expect(resultFacts('Error: no', false)).toEqual({});
		expect(resultFacts('Exit code: 0\nfine')).toEqual({exitCode: 0});
		expect(resultFacts(`${'x'.repeat(2000)}\nexited with code 7`)).toEqual({
			isError: true,
			exitCode: 7,
		});
	});
});

test.each([
	['file:///home/ada/b%C3%A4rn', '/home/ada/bärn'],
	['file:///c%3A/work', 'c:/work'],
	['vscode-remote://host/work', undefined],
	['file:///bad%', undefined],
])('%s', (uri, path) => {
	expect(pathOfUri(uri)).toBe(path);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/elsewhere',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x/store.db',
		resumeEnv: {CURSOR_DATA_DIR: '/x'},
		hint: {store: 'chat', directory: '/home/ada/shed'},
	};

	test('in the directory that the chat store is filed under, also when the editor shows it', () => {
		const plan = {
			argv: ['cursor-agent', '--resume', ID],
			cwd: '/home/ada/shed',
			env: {CURSOR_DATA_DIR: '/x'},
		};
		expect(cursor.resume(request)).toEqual(plan);
		expect(cursor.resume({...request, location: '/x/state.vscdb'})).toEqual(plan);
	});

	test.each([
		['a transcript alone', {hint: {}, location: '/x/a.jsonl'}, /only a transcript/],
		['the editor alone', {hint: {}, location: '/x/state.vscdb'}, /chats of the editor/],
		['another program', {hint: {store: 'acp'}}, /ACP/],
		['no directory', {cwd: null, hint: {store: 'chat'}}, /directory is not known/],
		['no id of the agent', {id: '--help'}, /session id/],
		['a sub-agent', {isSubagent: true, parentId: 'p'}, /cursor-agent --resume p/],
	])('%s cannot be resumed', (_, more, reason) => {
		expect(cursor.resume({...request, ...more})).toEqual({
			reason: expect.stringMatching(reason) as unknown,
		});
	});
});
