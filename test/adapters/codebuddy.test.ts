/** What the fixture home cannot show: roots, a session that moves on to another folder, chats without a date, resume. */
import {mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {codebuddy} from '../../adapters/codebuddy/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
import {
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

const ID = '0b0b0001-0000-4000-8000-000000000001';
const START = 1_793_001_600_000;

const put = (path: string, text: string): void => {
	const whole = join(home, path);
	mkdirSync(dirname(whole), {recursive: true});
	writeFileSync(whole, text);
};
const prompt = (text: string, second: number, cwd: string): string =>
	JSON.stringify({
		id: text,
		type: 'message',
		role: 'user',
		timestamp: START + second * 1000,
		content: [{type: 'input_text', text}],
		sessionId: ID,
		cwd,
	});
const only = () => {
	const [source, ...others] = discoverAll(codebuddy, surroundingsOf(home)).sources;
	if (source === undefined || others.length > 0) throw new Error('not one source');
	return source;
};

test('a session that goes on in another folder stays one source, in the order of its times', () => {
	const first = join(home, `.codebuddy/projects/home-ada-z/${ID}.jsonl`);
	put(`.codebuddy/projects/home-ada-z/${ID}.jsonl`, `${prompt('one', 0, '/home/ada/z')}\n`);
	const alone = only();
	put(
		`.codebuddy/projects/home-ada-z/${ID}.jsonl`,
		`${prompt('one', 0, '/home/ada/z')}\n${prompt('three', 9, '/home/ada/z')}\n`,
	);
	put(`.codebuddy/projects/home-ada-a/${ID}.jsonl`, `${prompt('two', 5, '/home/ada/a')}\n`);
	utimesSync(first, 1_000_000, 1_000_000);
	const split = only();
	expect([alone.mode, split.mode]).toEqual(['append', 'replace']);
	expect(split.key).toBe(alone.key);
	expect(split.path).toBe(first);
	const {events, facts} = readFolded(codebuddy, split);
	expect(events.map(({text}) => text)).toEqual(['one', 'two', 'three']);
	expect(facts.cwd).toBe('/home/ada/z');
});

test('a chat that no index dates has the time of its files', () => {
	const chat = '.local/share/CodeBuddyExtension/Data/history/00112233445566778899aabbccddeeff/chat';
	put(`${chat}/index.json`, '{"messages":[{"id":"m1","role":"user"}]}');
	put(`${chat}/messages/m1.json`, '{"id":"m1","message":"Ask"}');
	utimesSync(join(home, chat, 'messages/m1.json'), START / 1000, START / 1000);
	expect(readFolded(codebuddy, only()).events).toMatchObject([{text: 'Ask', atMs: START}]);
	rmSync(join(home, chat, 'index.json'));
	expect(discoverAll(codebuddy, surroundingsOf(home)).sources).toEqual([]);
});

test.each([
	['linux', {}, '/home/me/.local/share/CodeBuddyExtension/Data'],
	['darwin', {}, '/home/me/Library/Application Support/CodeBuddyExtension/Data'],
	['win32', {LOCALAPPDATA: '/local'}, '/local/CodeBuddyExtension/Data'],
] as const)('the extension on %s', (platform, env, expected) => {
	const around = {...surroundingsOf('/home/me', env), platform};
	expect(codebuddy.roots(around).map(({path}) => path)).toEqual(['/home/me/.codebuddy', expected]);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: `/home/me/.codebuddy/projects/desk/${ID}.jsonl`,
		resumeEnv: {CODEBUDDY_CONFIG_DIR: '/data'},
		hint: {},
	};

	test('by the whole id', () => {
		expect(codebuddy.resume(request)).toEqual({
			argv: ['codebuddy', '--resume', ID],
			cwd: '/home/ada',
			env: {CODEBUDDY_CONFIG_DIR: '/data'},
		});
	});

	test.each([
		['an id of another form', {id: '--help'}],
		['a sub-agent', {isSubagent: true, parentId: ID}],
		['a chat of the extension', {location: '/data/chat/index.json'}],
	])('not %s', (_, change) => {
		expect(codebuddy.resume({...request, ...change})).toHaveProperty('reason');
	});
});
