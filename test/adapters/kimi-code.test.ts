/** What is particular to Kimi Code; the common promises are in contract.test.ts. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {kimiCode} from '../../adapters/kimi-code/index.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	readBatches,
	readFolded,
	removeHome,
	restamp,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = 'session_0e2c0001-1111-4222-8333-444455556666';
const SESSION = `.kimi-code/sessions/wd_x_0123456789ab/${ID}`;
const LEGACY = '.kimi/sessions/0123456789abcdef0123456789abcdef/0f3d0001';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const write = (path: string, records: readonly object[]): void => {
	const whole = join(home, path);
	mkdirSync(dirname(whole), {recursive: true});
	writeFileSync(whole, records.map(record => `${JSON.stringify(record)}\n`).join(''));
};

const sources = (): readonly Source[] => discoverAll(kimiCode, surroundingsOf(home)).sources;

const only = (): Source => {
	const [source, ...others] = sources();
	if (source === undefined || others.length > 0) throw new Error('not exactly one source');
	return source;
};

const wire = (...records: readonly object[]): Folded => {
	write(`${SESSION}/agents/main/wire.jsonl`, records);
	return readFolded(kimiCode, only());
};

const prompt = (text: string, more: object = {}) => ({
	type: 'turn.prompt',
	input: [{type: 'text', text}],
	origin: {kind: 'user'},
	...more,
});
const append = (text: string, more: object = {}) => ({
	type: 'context.append_message',
	message: {role: 'user', content: text, origin: {kind: 'user'}, ...more},
});
const step = (event: object) => ({type: 'context.append_loop_event', event});
const texts = ({events}: Folded) => events.map(({text}) => text);

describe('prompts', () => {
	test('a prompt and its message are one, with and without an id', () => {
		expect(
			texts(wire(prompt('a'), append('a'), prompt('b', {promptId: 'm'}), append('b'))),
		).toEqual(['a', 'b']);
	});

	test('the same words given twice are two prompts', () => {
		const twice = [prompt('again'), append('again'), prompt('again'), append('again')];
		expect(texts(wire(...twice))).toEqual(['again', 'again']);
	});

	test('a reminder between a prompt and its message takes nothing from it', () => {
		const reminder = append('late', {origin: {kind: 'injection'}});
		const {events} = wire(prompt('a'), reminder, append('a'));
		expect(events.map(({kind, text}) => [kind, text])).toEqual([
			['message', 'a'],
			['meta', 'late'],
		]);
	});

	test('taking back more turns than there are takes back all', () => {
		const {events} = wire(prompt('a'), prompt('b'), {type: 'context.undo', count: 9}, prompt('c'));
		expect(events.map(({state, text}) => [state, text])).toEqual([
			['undone', 'a'],
			['undone', 'b'],
			[undefined, 'c'],
		]);
	});
});

test('equal counts of two steps are counted twice, those of one step once', () => {
	const usage = {inputOther: 5, output: 2, inputCacheRead: 0, inputCacheCreation: 0};
	const record = {type: 'usage.record', model: 'plum', usage};
	const end = step({type: 'step.end', uuid: 's', usage});
	expect(wire(record, end, record, end).usage).toHaveLength(2);
	expect(wire(end, record, end, record).usage).toHaveLength(2);
	expect(wire(end, end).usage).toHaveLength(2);
});

test('a new title is seen although the log has not changed', () => {
	const state = (title: string) => [{title, titleKind: 'custom', cwd: '/home/ada'}];
	write(`${SESSION}/state.json`, state('One'));
	write(`${SESSION}/agents/main/wire.jsonl`, [prompt('a')]);
	const first = readBatches(kimiCode, only());
	write(`${SESSION}/state.json`, state('Two'));
	const second = readBatches(kimiCode, restamp(only()), first.at(-1)?.cursor);
	expect(second.at(-1)?.facts.customTitle).toBe('Two');
	expect(second.flatMap(({events}) => events)).toEqual([]);
});

test('a half-written side file is a problem and costs nothing else', () => {
	mkdirSync(join(home, SESSION), {recursive: true});
	writeFileSync(join(home, SESSION, 'state.json'), '{"title":"Ha');
	const {problems, events} = wire(prompt('a'));
	expect(problems.map(({code}) => code)).toEqual(['truncated']);
	expect(events).toHaveLength(1);
});

test('of a legacy session one file is read: the log as soon as there is something in it', () => {
	const names = () => sources().map(({path}) => path.slice(home.length + LEGACY.length + 1));
	write(`${LEGACY}.jsonl`, [{role: 'user', content: 'a'}]);
	expect(names()).toEqual(['.jsonl']);
	write(`${LEGACY}/context.jsonl`, [{role: 'user', content: 'a'}]);
	const header = {type: 'metadata', protocol_version: '1.10'};
	write(`${LEGACY}/wire.jsonl`, [header]);
	expect(names()).toEqual(['/context.jsonl']);
	const turn = {type: 'TurnBegin', payload: {user_input: 'a prompt of some length'}};
	write(`${LEGACY}/wire.jsonl`, [header, {timestamp: 1_760_000_000.5, message: turn}]);
	expect(names()).toEqual(['/wire.jsonl']);
});

test('roots name the variable that a resume needs', () => {
	const roots = kimiCode.roots(surroundingsOf('/h', {KIMI_CODE_HOME: '/k'}));
	expect(roots.map(({path, resumeEnv}) => [path, resumeEnv])).toEqual([
		['/k', {KIMI_CODE_HOME: '/k'}],
		['/h/.kimi', {}],
	]);
});

test('resume needs the directory, and a session of its own', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
	};
	expect(kimiCode.resume(request)).toEqual({
		argv: ['kimi', '--session', ID],
		cwd: '/home/ada',
		env: {},
	});
	expect(kimiCode.resume({...request, cwd: null})).toHaveProperty('reason');
	expect(kimiCode.resume({...request, id: '--yolo'})).toHaveProperty('reason');
	expect(kimiCode.resume({...request, id: `${ID}/agent-0`, isSubagent: true})).toEqual({
		reason: expect.stringContaining(`kimi --session ${ID}`),
	});
});
