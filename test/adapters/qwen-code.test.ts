/** What the contract test cannot see: places, branches in all their forms, what tells a typed prompt, resume. */
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {qwenCode} from '../../adapters/qwen-code/index.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = 'a00000aa-00aa-4000-8000-0000000000aa';
const CHATS = '.qwen/projects/-home-ada-kitchen/chats';
const FILE = `${CHATS}/${ID}.jsonl`;

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
const line = (uuid: string, parentUuid: string | null, more: Json): Json => ({
	uuid,
	parentUuid,
	sessionId: ID,
	timestamp: '2026-10-05T09:00:00.000Z',
	cwd: '/home/ada/kitchen',
	...more,
});
const user = (uuid: string, parent: string | null, text: string, more: Json = {}): Json =>
	line(uuid, parent, {type: 'user', message: {role: 'user', parts: [{text}]}, ...more});
const model = (uuid: string, parent: string | null, text: string): Json =>
	line(uuid, parent, {type: 'assistant', message: {role: 'model', parts: [{text}]}});
const note = (uuid: string, parent: string | null, subtype: string, payload: Json = {}): Json =>
	line(uuid, parent, {type: 'system', subtype, systemPayload: payload});

const found = (env: Readonly<Record<string, string>> = {}) =>
	discoverAll(qwenCode, surroundingsOf(home, env));
const onlySource = (): Source => {
	const {sources} = found();
	expect(sources).toHaveLength(1);
	return sources[0] as Source;
};
const readRecords = (...records: readonly Json[]): Folded => {
	put(FILE, records.map(record => `${JSON.stringify(record)}\n`).join(''));
	return readFolded(qwenCode, onlySource());
};
const textsOf = ({events}: Folded, state: 'live' | 'undone'): readonly string[] =>
	events.filter(event => (event.state ?? 'live') === state).map(({text}) => text);

describe('places', () => {
	test.each([
		[{}, '/home/someone/.qwen', {}],
		[{QWEN_HOME: '/data/q'}, '/data/q', {QWEN_HOME: '/data/q'}],
		[{QWEN_HOME: '/data/q', QWEN_RUNTIME_DIR: '/run/q'}, '/run/q', {QWEN_RUNTIME_DIR: '/run/q'}],
		[{QWEN_RUNTIME_DIR: '~/q'}, '/home/someone/q', {QWEN_RUNTIME_DIR: '/home/someone/q'}],
	])('%j leads to %s', (env, path, resumeEnv) => {
		expect(qwenCode.roots(surroundingsOf('/home/someone', env))).toMatchObject([{path, resumeEnv}]);
	});

	test('the folder that the settings name is looked into as well; a relative one is not', () => {
		put(FILE, '');
		put(`other/projects/p/chats/${ID}.jsonl`, '');
		put('.qwen/settings.json', JSON.stringify({advanced: {runtimeOutputDir: join(home, 'other')}}));
		expect(found().sources).toHaveLength(2);
		put('.qwen/settings.json', JSON.stringify({advanced: {runtimeOutputDir: 'other'}}));
		expect(found().sources).toHaveLength(1);
		put('.qwen/settings.json', '{"advanced"');
		expect(found()).toMatchObject({sources: [{key: join(home, FILE)}], problems: []});
	});

	test('a session in the archive yields to its active copy', () => {
		put(FILE, '');
		put(`${CHATS}/archive/${ID}.jsonl`, '');
		const states = found().sources.map(({preference = 0, outside}) => [
			preference,
			outside?.archived,
		]);
		expect(states).toEqual([
			[0, undefined],
			[1, true],
		]);
	});
});

describe('branches', () => {
	const start = [user('u1', null, 'one'), model('a1', 'u1', 'first')];

	test('a rewind takes back at once, and what follows it is live', () => {
		const taken = [...start, user('u2', 'a1', 'two'), model('a2', 'u2', 'second')];
		const rewound = readRecords(...taken, note('r1', 'a1', 'rewind'));
		expect(textsOf(rewound, 'undone')).toEqual(['two', 'second']);
		const onward = readRecords(...taken, note('r1', 'a1', 'rewind'), user('u3', 'r1', 'three'));
		expect(textsOf(onward, 'undone')).toEqual(['two', 'second']);
		expect(textsOf(onward, 'live')).toEqual(['one', 'first', 'three']);
	});

	test('a rewind reaches over more records than are remembered one by one', () => {
		const notes = Array.from({length: 400}, (_, index) =>
			note(`n${index}`, index === 0 ? 'u2' : `n${index - 1}`, 'ui_telemetry'),
		);
		const read = readRecords(
			...start,
			user('u2', 'a1', 'two'),
			...notes,
			model('a2', 'n399', 'second'),
			note('r1', 'a1', 'rewind'),
			user('u3', 'r1', 'three'),
		);
		expect(textsOf(read, 'undone')).toEqual(['two', 'second']);
	});

	test('notes beside the chain leave no turn behind', () => {
		const read = readRecords(
			...start,
			note('s1', 'a1', 'session_source', {sourceType: 'default'}),
			user('u2', 'a1', 'two'),
			note('t1', 'u1', 'custom_title', {customTitle: 'Late', titleSource: 'manual'}),
			model('a2', 'u2', 'second'),
		);
		expect(textsOf(read, 'undone')).toEqual([]);
		expect(read.facts.customTitle).toBe('Late');
	});

	test('the chain of the last record is what is live, whatever was rewound before', () => {
		// Each step: go on, or go back to before one of the live turns.
		fc.assert(
			fc.property(fc.array(fc.nat({max: 3}), {minLength: 1, maxLength: 12}), steps => {
				const records: Json[] = [];
				let live: string[] = [];
				let tip: string | null = null;
				for (const [index, back] of steps.entries()) {
					if (back > 0) {
						live = live.slice(0, Math.max(0, live.length - back));
						tip = live.at(-1) ?? null;
						records.push(note(`r${index}`, tip, 'rewind'));
						tip = `r${index}`;
					}
					records.push(user(`u${index}`, tip, `u${index}`));
					tip = `u${index}`;
					live.push(tip);
				}
				expect(textsOf(readRecords(...records), 'live')).toEqual(live);
			}),
			{numRuns: 100},
		);
	});
});

describe('prompts', () => {
	const inputs = (read: Folded) =>
		read.events.map(({kind, input, text}) => `${kind} ${input ?? 'typed'} ${text}`);

	test('a command that the model gets is one prompt, not two', () => {
		const read = readRecords(
			note('s1', null, 'slash_command', {
				phase: 'invocation',
				rawCommand: '/fix it',
				sentToModel: true,
			}),
			user('u1', 's1', 'You are an expert. Fix: it'),
			user('u2', 'u1', 'And now?'),
		);
		expect(inputs(read)).toEqual([
			'message command /fix it',
			'meta typed You are an expert. Fix: it',
			'message typed And now?',
		]);
	});

	test('a file that was named but not sent does not become the next prompt', () => {
		const read = readRecords(
			note('s1', null, 'at_command', {userText: '@gone.md', status: 'error'}),
			user('u1', 's1', 'Something else'),
		);
		expect(inputs(read)).toEqual(['message typed Something else']);
	});

	test.each([
		['provenance', {provenance: 'system'}],
		['subtype', {subtype: 'cron'}],
	])('what the agent marks by its %s is not typed', (_, mark) => {
		expect(inputs(readRecords(user('u1', null, 'Looks typed', mark)))).toEqual([
			'meta typed Looks typed',
		]);
	});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada/kitchen',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
	};

	test('takes the whole id to the project folder, and can fork', () => {
		expect(qwenCode.resume(request)).toEqual({
			argv: ['qwen', '--resume', ID],
			cwd: '/home/ada/kitchen',
			env: {},
			forkArgv: ['qwen', '--resume', ID, '--fork-session'],
		});
	});

	test.each([
		['a foreign id', {id: 'sample-7'}, 'no session id'],
		['a session in the archive', {archived: true}, 'archived'],
		['an unknown folder', {cwd: null}, '--dir'],
		['a sub-agent', {id: `${ID}/helper-1`, isSubagent: true}, `qwen --resume ${ID}`],
		['a document of the first versions', {hint: {form: 'old'}}, '0.4'],
	])('refuses %s', (_, change, reason) => {
		expect(qwenCode.resume({...request, ...change})).toEqual({
			reason: expect.stringContaining(reason),
		});
	});
});
