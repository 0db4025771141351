import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {fx} from '../../adapters/fx/index.js';
import {SourceUnreadable} from '../../adapters/types.js';
import {foldBatches, readBatches} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '1790000000000-1790000000000000000-00000000000000aa';
const FOLDER = `.fx/sessions/${ID}`;
const GENERATION = '0123456789abcdef0123456789abcdef';

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(fx);
});
afterEach(() => store.dispose());

const steps = (...events: readonly object[]): readonly unknown[] =>
	events.map((event, index) => ({schema_version: 2, seq: index + 1, timestamp_ms: 1, event}));
const manifest = (fields: object = {}): object => ({schema_version: 4, id: ID, ...fields});
const turn = (prompt: string, answer: string): object => ({
	kind: 'assistant',
	user: {text: prompt, images: []},
	assistant: answer,
});

describe('version 4', () => {
	test('an output that comes late replaces its beginning', () => {
		const result = {call_id: 'c1', tool_name: 'shell', status: 'success', preview: 'one'};
		store.put(`${FOLDER}/session.json`, manifest());
		store.put(
			`${FOLDER}/events.jsonl`,
			steps({tool_result: {...result, artifact_ref: 'r.txt', output_bytes: 7}}),
		);
		const first = readBatches(fx, store.source());
		expect(foldBatches(first).events).toMatchObject([{text: 'one', fullLength: 7}]);

		store.put(`${FOLDER}/tool-results/r.txt`, 'one two');
		const later = [...first, ...readBatches(fx, store.source(), first.at(-1)?.cursor)];
		const [event] = foldBatches(later).events;
		expect(event?.text).toBe('one two');
		expect(event).not.toHaveProperty('fullLength');
		expect(foldBatches(later)).toMatchObject({events: store.read().events});
	});

	test('outputs outside of their folder are not read', () => {
		store.put(`${FOLDER}/session.json`, manifest());
		store.put(`${FOLDER}/secret.txt`, 'secret');
		store.put(
			`${FOLDER}/events.jsonl`,
			steps({tool_result: {artifact_ref: '../secret.txt', preview: 'begin'}}),
		);
		expect(said(store.read())).toEqual([['tool_result', 'begin']]);
	});

	test('a title that only repeats the prompt is none', () => {
		const prompt = `${'Rename the pear loader and keep an alias '.repeat(3)}now`;
		const titleOf = (title: string) => {
			store.put(`${FOLDER}/session.json`, manifest({title}));
			store.put(`${FOLDER}/events.jsonl`, steps({user: {text: prompt, work_id: null}}));
			return store.read().facts.customTitle;
		};
		expect(titleOf(`${prompt.slice(0, 57)}...`)).toBeNull();
		expect(titleOf(prompt.slice(0, 60))).toBeNull();
		expect(titleOf('Pear loader')).toBe('Pear loader');
	});

	test('a newer schema cannot be read', () => {
		store.put(`${FOLDER}/session.json`, {schema_version: 5});
		store.put(`${FOLDER}/events.jsonl`, steps({user: {text: 'Hi'}}));
		expect(() => store.read()).toThrow(SourceUnreadable);
	});
});

describe('version 3', () => {
	const log = (...payloads: readonly (readonly [string, object])[]): void => {
		store.put(`${FOLDER}/authority.json`, {storage_format: 'event_log_v1'});
		store.put(
			`${FOLDER}/events.jsonl`,
			payloads.map(([kind, payload], index) => ({
				log_generation: GENERATION,
				seq: index + 1,
				event_id: `${index}`.padStart(32, '0'),
				timestamp_ms: 1_790_000_000_000,
				kind,
				payload,
			})),
		);
	};
	const through = (seq: number, generation = GENERATION): void =>
		store.put(`${FOLDER}/commit.${generation}.json`, {through_seq: seq});

	test('what is not committed did not happen', () => {
		log(
			['history_turn_committed', {turn: turn('one', 'first')}],
			['history_turn_committed', {turn: turn('two', 'second')}],
		);
		expect(said(store.read()).length).toBe(4);
		through(1);
		expect(said(store.read())).toEqual([
			['user', 'one'],
			['assistant', 'first'],
		]);
		through(2);
		expect(said(store.read()).length).toBe(4);
	});

	test('a log that was compacted has its turns in the replaced state', () => {
		const history = [{kind: 'compacted_summary', summary: 'All so far.'}, turn('two', 'second')];
		const data = Buffer.from(JSON.stringify({state: {history}})).toString('base64');
		log(
			['state_replacement_started', {}],
			['state_replacement_chunk', {data}],
			['state_replacement_committed', {}],
			['history_turn_committed', {turn: turn('three', 'third')}],
		);
		expect(said(store.read())).toEqual([
			['summary', 'All so far.'],
			['user', 'two'],
			['assistant', 'second'],
			['user', 'three'],
			['assistant', 'third'],
		]);
	});

	test('a replaced state that cannot be decoded costs only itself', () => {
		log(
			['history_turn_committed', {turn: turn('one', 'first')}],
			['state_replacement_chunk', {data: '?'}],
			['state_replacement_committed', {}],
		);
		const {problems, events} = store.read();
		expect(problems.map(({code}) => code)).toEqual(['bad-record']);
		expect(events.length).toBe(2);
	});

	test('without its own files it cannot be read', () => {
		store.put(`${FOLDER}/session.json`, {schema_version: 3});
		expect(() => store.read()).toThrow(SourceUnreadable);
	});
});

test('resumes sessions, not what is private to one', () => {
	expect(resumeOf(fx, {id: ID})).toMatchObject({argv: ['fx', 'session', 'resume', '--id', ID]});
	expect(resumeOf(fx, {id: '-rf'})).toHaveProperty('reason');
	expect(resumeOf(fx, {id: ID, isSubagent: true})).toHaveProperty('reason');
});
