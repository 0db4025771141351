/** What the contract test cannot see: the rules of the log, and what half-written files do. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {type Source, SourceUnreadable} from '../../adapters/types.js';
import {vscodeCopilot} from '../../adapters/vscode-copilot/index.js';
import {createMutationLog} from '../../adapters/vscode-copilot/mutation-log.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

type Json = Record<string, unknown>;

const stateAfter = (...entries: readonly Json[]): unknown => {
	const log = createMutationLog();
	for (const entry of entries) log.apply(entry);
	return log.state();
};

describe('the log of changes', () => {
	const start = (): Json => ({kind: 0, v: {list: [1, 2, 3]}});

	test.each<readonly [string, Json, unknown]>([
		['sets', {kind: 1, k: ['a'], v: {b: 1}}, {list: [1, 2, 3], a: {b: 1}}],
		['appends', {kind: 2, k: ['list'], v: [4, 5]}, {list: [1, 2, 3, 4, 5]}],
		['cuts, then appends', {kind: 2, k: ['list'], i: 1, v: [9]}, {list: [1, 9]}],
		['only cuts', {kind: 2, k: ['list'], i: 0}, {list: []}],
		['makes the list', {kind: 2, k: ['new'], v: [1]}, {list: [1, 2, 3], new: [1]}],
		['deletes', {kind: 3, k: ['list', 1]}, {list: [1, undefined, 3]}],
		['begins anew', {kind: 0, v: {x: 1}}, {x: 1}],
	])('%s', (_, entry, expected) => {
		expect(stateAfter(start(), entry)).toEqual(expected);
	});

	test.each<Json>([
		{kind: 1, k: ['list', 1e9], v: 1},
		{kind: 1, k: ['__proto__', 'polluted'], v: 1},
		{kind: 1, k: ['constructor', 'prototype', 'polluted'], v: 1},
		{kind: 1, k: [], v: 1},
		{kind: 1, k: ['no', 'such', 'place'], v: 1},
		{kind: 2, k: ['list', 0], v: [1]},
		{kind: 9, k: ['list'], v: 1},
	])('refuses %j and changes nothing', entry => {
		const log = createMutationLog();
		log.apply(start());
		expect(log.apply(entry)).toBe(false);
		expect(log.state()).toEqual({list: [1, 2, 3]});
		expect({}).not.toHaveProperty('polluted');
	});

	test('takes any entries', () => {
		const key = fc.oneof(fc.string(), fc.nat(5), fc.constant('__proto__'));
		const entry = fc.record({
			kind: fc.nat(4),
			k: fc.array(key, {maxLength: 4}),
			v: fc.jsonValue(),
			i: fc.integer(),
		});
		fc.assert(
			fc.property(fc.array(entry), entries => {
				expect(() => stateAfter(start(), ...entries)).not.toThrow();
			}),
		);
	});
});

describe('files', () => {
	const ID = 'e5c0deaa-0000-4000-8000-0000000000aa';
	const CHATS = '.config/Code/User/workspaceStorage/0a1b/chatSessions';
	let home: string;
	beforeEach(() => {
		home = emptyHome();
	});
	afterEach(() => removeHome(home));

	const put = (path: string, content: string): void => {
		mkdirSync(dirname(join(home, path)), {recursive: true});
		writeFileSync(join(home, path), content);
	};
	const chat = (more: Json = {}): Json => ({
		sessionId: ID,
		requests: [{requestId: 'request_a', message: 'How many pots?', response: 'Nine.', ...more}],
	});
	const sources = (): readonly Source[] => discoverAll(vscodeCopilot, surroundingsOf(home)).sources;
	const onlySource = (): Source => {
		expect(sources()).toHaveLength(1);
		return sources()[0] as Source;
	};

	test('a document that is half written cannot be read now: what was read before stays', () => {
		const text = JSON.stringify(chat());
		put(`${CHATS}/${ID}.json`, text.slice(0, 60));
		expect(() => readFolded(vscodeCopilot, onlySource())).toThrow(SourceUnreadable);
		put(`${CHATS}/${ID}.json`, text);
		expect(readFolded(vscodeCopilot, onlySource()).events.map(event => event.text)).toEqual([
			'How many pots?',
			'Nine.',
		]);
	});

	test('a log without its first line cannot be read; without any line it is no chat', () => {
		put(`${CHATS}/${ID}.jsonl`, '{"kind":1,"k":["customTitle"],"v":"x"}\n');
		expect(() => readFolded(vscodeCopilot, onlySource())).toThrow(SourceUnreadable);
		put(`${CHATS}/${ID}.jsonl`, '');
		expect(readFolded(vscodeCopilot, onlySource()).sessionId).toBeNull();
	});

	test('the log ranks before the document, the extension’s transcript behind both', () => {
		put(`${CHATS}/${ID}.json`, JSON.stringify(chat()));
		put(`${CHATS}/${ID}.jsonl`, `${JSON.stringify({kind: 0, v: chat()})}\n`);
		put(`${dirname(CHATS)}/GitHub.copilot-chat/transcripts/${ID}.jsonl`, '{}\n');
		const ranked = sources().toSorted((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
		expect(ranked.map(({path}) => path.slice(path.lastIndexOf('/', path.length - 50)))).toEqual([
			`/chatSessions/${ID}.jsonl`,
			`/chatSessions/${ID}.json`,
			`/transcripts/${ID}.jsonl`,
		]);
	});

	test('folders of a saved workspace come from its file; a remote folder keeps its address', () => {
		const workspace = `${dirname(CHATS)}/workspace.json`;
		const cwdOf = (): unknown => {
			const {cwd, directories} = readFolded(vscodeCopilot, onlySource()).facts;
			return [cwd, ...(directories ?? [])];
		};
		put(`${CHATS}/${ID}.json`, JSON.stringify(chat()));
		put('garden/all.code-workspace', '{"folders":[{"path":"beds"},{"path":"/home/ada/shed"}]}');
		put(workspace, JSON.stringify({workspace: `file://${home}/garden/all.code-workspace`}));
		expect(cwdOf()).toEqual([join(home, 'garden/beds'), '/home/ada/shed']);
		put(workspace, JSON.stringify({folder: 'vscode-remote://wsl%2Bubuntu/home/dev/x'}));
		expect(cwdOf()).toEqual(['vscode-remote://wsl%2Bubuntu/home/dev/x']);
	});

	test('a draft and queued requests are never read', () => {
		const secret = {inputState: {inputText: 'draft'}, pendingRequests: [{message: 'queued'}]};
		put(`${CHATS}/${ID}.json`, JSON.stringify({...chat(), ...secret}));
		expect(JSON.stringify(readFolded(vscodeCopilot, onlySource()))).not.toMatch(/draft|queued/);
	});
});

test.each([
	['linux', {XDG_CONFIG_HOME: '/cfg'}, '/cfg/VSCodium/User'],
	['linux', {}, '/home/x/.config/Code/User'],
	['darwin', {}, '/home/x/Library/Application Support/Code - Insiders/User'],
	['win32', {APPDATA: '/roaming'}, '/roaming/Positron/User'],
	['linux', {}, '/home/x/.vscode-server/data/User'],
] as const)('on %s with %j chats are looked for in %s', (platform, env, path) => {
	const around = {...surroundingsOf('/home/x'), platform, env};
	expect(vscodeCopilot.roots(around).map(root => root.path)).toContain(path);
});

test('no chat can be resumed from the command line, and the reason says how to open it', () => {
	const plan = vscodeCopilot.resume({} as Parameters<typeof vscodeCopilot.resume>[0]);
	expect(plan).toEqual({reason: expect.stringContaining('Chat: Show Chats')});
});
