/** What the contract test cannot see: rules that hold between records, and between reads. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {factoryDroid} from '../../adapters/factory-droid/index.js';
import type {ResumeRequest, Source} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	type Folded,
	foldBatches,
	readBatches,
	readFolded,
	removeHome,
	restamp,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = 'd401d0aa-0000-4000-8000-0000000000aa';
const FILE = `.factory/sessions/-home-ada-smithy/${ID}.jsonl`;

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

type Json = Record<string, unknown>;

const put = (path: string, content: string): void => {
	mkdirSync(dirname(join(home, path)), {recursive: true});
	writeFileSync(join(home, path), content);
};
const header = (more: Json = {}): Json => ({type: 'session_start', id: ID, cwd: '/w', ...more});
const message = (id: string, role: string, content: unknown, more: Json = {}): Json => ({
	type: 'message',
	id,
	timestamp: '2026-10-06T10:00:00.000Z',
	message: {role, content},
	...more,
});
const putRecords = (...records: readonly Json[]): void =>
	put(FILE, records.map(record => `${JSON.stringify(record)}\n`).join(''));
const onlySource = (): Source => {
	const {sources} = discoverAll(factoryDroid, surroundingsOf(home));
	expect(sources).toHaveLength(1);
	return sources[0] as Source;
};
const readAll = (): Folded => readFolded(factoryDroid, onlySource());

test.each([
	[header({title: 'How heavy is'}), {}],
	[header({title: 'New Session'}), {}],
	[header({title: 'Anvils'}), {generatedTitle: 'Anvils'}],
	[
		header({title: 'x', sessionTitle: 'Mine', isSessionTitleManuallySet: true}),
		{customTitle: 'Mine'},
	],
	[header({title: 'Task', callingSessionId: 'p'}), {description: 'Task'}],
])('a title is the user’s, the agent’s, or no more than the prompt: %j', (head, titles) => {
	putRecords(head, message('m1', 'user', 'How heavy is the anvil?'));
	const {customTitle, generatedTitle, description} = readAll().facts;
	expect({customTitle, generatedTitle, description}).toEqual({
		customTitle: undefined,
		generatedTitle: undefined,
		description: undefined,
		...titles,
	});
});

test('of a result that came twice the last one counts, also when it comes with a later read', () => {
	const result = (id: string, text: string): Json =>
		message(id, 'user', [{type: 'tool_result', tool_use_id: 't1', content: text}]);
	const call = message('m1', 'assistant', [{type: 'tool_use', id: 't1', name: 'Read', input: {}}]);
	putRecords(header(), call, result('m2', 'first'));
	const first = readBatches(factoryDroid, onlySource());
	putRecords(header(), call, result('m2', 'first'), result('m3', 'second'));
	const second = readBatches(factoryDroid, restamp(onlySource()), first.at(-1)?.cursor);
	const results = foldBatches([...first, ...second]).events.filter(
		({kind}) => kind === 'tool_result',
	);
	expect(results.map(({key, text}) => [key, text])).toEqual([['m2', 'second']]);
});

test('totals are replaced with the side file, never added up', () => {
	putRecords(header(), message('m1', 'user', 'hi'));
	const settings = FILE.replace('.jsonl', '.settings.json');
	put(settings, '{"tokenUsage":{"inputTokens":1,"outputTokens":2}}');
	const source = onlySource();
	const first = readBatches(factoryDroid, source);
	put(settings, '{"tokenUsage":{"inputTokens":10,"outputTokens":20}}');
	const again = foldBatches(readBatches(factoryDroid, restamp(source), first.at(-1)?.cursor));
	expect(again.facts.tokens).toEqual({input: 10, output: 20, cacheRead: 0, cacheWrite: 0});
});

describe('branches', () => {
	const talk = [
		header(),
		message('m1', 'user', 'first'),
		message('m2', 'assistant', 'answer', {parentId: 'm1'}),
		message('m3', 'user', 'old wording', {parentId: 'm2'}),
		message('m4', 'assistant', 'old answer', {parentId: 'm3'}),
	];
	const stateOf = (text: string): string | undefined =>
		readAll().events.find(event => event.text === text)?.state;

	test('an edited prompt takes back the old one and its answer', () => {
		putRecords(...talk, message('m5', 'user', 'new wording', {parentId: 'm2'}));
		expect(['old wording', 'old answer', 'new wording', 'answer'].map(stateOf)).toEqual([
			'undone',
			'undone',
			undefined,
			undefined,
		]);
	});

	test('an answer or a note that hangs on an earlier record takes back nothing', () => {
		putRecords(
			...talk,
			message('m5', 'assistant', 'more', {parentId: 'm3'}),
			message('m6', 'user', '<system-reminder>x</system-reminder>', {parentId: 'm2'}),
		);
		expect(readAll().events.filter(({state}) => state === 'undone')).toEqual([]);
	});
});

test('nothing that another session wrote is a prompt', () => {
	putRecords(header({decompSessionType: 'worker'}), message('m1', 'user', 'Sweep the floor.'));
	const {events, facts} = readAll();
	expect(events.map(({kind}) => kind)).toEqual(['meta']);
	expect(facts).toMatchObject({isSubagent: true, description: 'Sweep the floor.'});
});

test('resume: the id in full; a sub-agent names the session that started it; odd ids are refused', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/w',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '',
		resumeEnv: {},
		hint: {},
	};
	expect(factoryDroid.resume(request)).toEqual({
		argv: ['droid', '--resume', ID],
		cwd: '/w',
		env: {},
		forkArgv: ['droid', '--fork', ID],
	});
	expect(factoryDroid.resume({...request, isSubagent: true, parentId: 'p1'})).toEqual({
		reason: expect.stringContaining('droid --resume p1'),
	});
	expect(factoryDroid.resume({...request, id: '--last'})).toHaveProperty('reason');
});
