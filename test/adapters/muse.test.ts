import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {muse} from '../../adapters/muse/index.js';
import {stampOf} from '../../adapters/shared/walk.js';
import {type Source, SourceUnreadable} from '../../adapters/types.js';
import {readFolded} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '0e000000-0000-4000-8000-000000000001';
const CHILD = '0e000000-0000-4000-8000-000000000002';
const FOLDER = `.local/share/muse/sessions/2026/09/21/${ID}`;

let store: StoreFiles;
let count = 0;
beforeEach(() => {
	store = storeFiles(muse);
	count = 0;
});
afterEach(() => store.dispose());

const record = (type: string, payload: object, stream = ID): object => {
	count += 1;
	return {
		id: `r${count}`,
		stream: {kind: 'session', id: stream},
		recorded_at: (1_790_000_000 + count) * 1_000_000,
		payload_type: type,
		payload,
	};
};
const run = (event: object, runId = 'R1', stream = ID): object =>
	record('runtime.session', {kind: 'run', run_id: runId, event}, stream);
const accepted = (text: string): object =>
	record('runtime.user_intent.accepted', {refill_blocks: [{kind: 'text', text}]});
const readLines = (...lines: readonly unknown[]) => {
	store.put(`${FOLDER}/session.jsonl`, lines);
	return store.read(ID);
};

describe('prompts', () => {
	const shown = {kind: 'user_prompt_display', text: 'Rename it'};
	const started = {kind: 'started', prompt: 'Rename it <file/>'};

	test('one input is one prompt, however often and in which order it is stated', () => {
		const one = [['user', 'Rename it']];
		expect(said(readLines(accepted('Rename it'), run(started), run(shown)))).toEqual(one);
		expect(said(readLines(run(shown), run(started)))).toEqual(one);
		const lines = [run(started), run(shown)];
		expect(said(readLines(...lines, ...lines))).toEqual(one);
	});

	test('accepted input counts where its run states none', () => {
		expect(said(readLines(accepted('Rename it'), run({kind: 'started'})))).toEqual([
			['user', 'Rename it'],
		]);
	});

	test('scheduled runs and streams of tasks are nobody speaking', () => {
		const lines = [run({kind: 'started', prompt: ''}), run(started, 'R2', 'task-1')];
		expect(said(readLines(...lines))).toEqual([]);
	});

	test('runs of one name with two prompts are two prompts', () => {
		const again = {kind: 'started', prompt: 'and test'};
		expect(said(readLines(run(started), run(again))).length).toBe(2);
	});
});

test('a retained frame adds only what was not there', () => {
	const [first, second] = ['one', 'two'].map(text =>
		run({kind: 'assistant_message_committed', message_id: text, text}),
	);
	const children = [first, second].map(line => ({record_json: JSON.stringify(line)}));
	expect(said(readLines(first, {retained_frame: 'f', children}))).toEqual([
		['assistant', 'one'],
		['assistant', 'two'],
	]);
});

test("a child with a directory is a sub-agent, one without is the program's own", () => {
	const path = `${FOLDER}/subagent/${CHILD}/session.jsonl`;
	const task = run({kind: 'started', prompt: 'Count callers'}, 'R1', CHILD);
	store.put(path, [task]);
	expect(store.read(CHILD).facts).toMatchObject({hiddenBy: 'observer', parent: {id: ID}});
	store.add(path, [
		record('runtime.session.metadata', {record: {workspace_root: '/home/ada/orchard'}}, CHILD),
	]);
	expect(store.read(CHILD).facts).toMatchObject({hiddenBy: null, description: 'Count callers'});
});

describe('an export', () => {
	const exported = (fields: object = {}): Source => {
		const envelopes = [
			record('runtime.session.metadata', {record: {workspace_root: '/home/ada/orchard'}}),
			run({kind: 'started', prompt: 'Rename it'}),
		];
		store.put('export.json', {
			export_schema_version: 1,
			sessions: [{session_id: ID}],
			events: envelopes.map(envelope => ({kind: 'record', envelope})),
			...fields,
		});
		const path = join(store.home, 'export.json');
		const stamp = stampOf(path);
		return {key: path, path, files: stamp === undefined ? [] : [stamp], mode: 'replace'};
	};

	test('holds the same records', () => {
		const folded = readFolded(muse, exported());
		expect(folded).toMatchObject({sessionId: ID, facts: {cwd: '/home/ada/orchard'}});
		expect(said(folded)).toEqual([['user', 'Rename it']]);
	});

	test('of another schema cannot be read', () => {
		const source = exported({export_schema_version: 2});
		expect(() => readFolded(muse, source)).toThrow(SourceUnreadable);
	});
});

test('resumes sessions, no sub-agents', () => {
	expect(resumeOf(muse, {id: ID})).toMatchObject({argv: ['muse', 'resume', ID]});
	expect(resumeOf(muse, {id: 'pear'})).toHaveProperty('reason');
	expect(resumeOf(muse, {id: CHILD, isSubagent: true, parentId: ID})).toHaveProperty('reason');
});
