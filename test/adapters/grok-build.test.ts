import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {grokBuild} from '../../adapters/grok-build/index.js';
import {surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '0f000000-0000-7000-8000-000000000001';
const FOLDER = `.grok/sessions/%2Fhome%2Fada%2Forchard/${ID}`;
const LOG = `${FOLDER}/updates.jsonl`;

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(grokBuild);
});
afterEach(() => store.dispose());

let count = 0;
const update = (kind: string, fields: object = {}, meta: object = {}): unknown => {
	count += 1;
	return {
		timestamp: 1_790_000_000 + count,
		method: 'session/update',
		params: {
			sessionId: ID,
			update: {sessionUpdate: kind, ...fields, _meta: meta},
			_meta: {eventId: `${ID}-${count}`},
		},
	};
};
const chunk = (who: 'user' | 'agent', text: string, meta: object = {}): unknown =>
	update(`${who}_message_chunk`, {content: {type: 'text', text}}, meta);
const rewind = (index: number): unknown => update('rewind_marker', {target_prompt_index: index});

describe('places', () => {
	test('GROK_HOME moves everything if it is absolute', () => {
		const paths = (value: string) =>
			grokBuild.roots(surroundingsOf('/home/someone', {GROK_HOME: value}));
		expect(paths('/data/grok/')).toEqual([
			{path: '/data/grok', from: 'environment', resumeEnv: {GROK_HOME: '/data/grok'}},
		]);
		expect(paths('grok')).toEqual([{path: '/home/someone/.grok', from: 'default', resumeEnv: {}}]);
	});

	test('what another program keeps in the same folder is no session', () => {
		store.put('.grok/grok.db', 'SQLite format 3');
		store.put('.grok/delegations/one/summary.json', {info: {id: ID}});
		store.put('.grok/sessions/notes/today/chat_history.jsonl', [{type: 'user', content: 'Hi'}]);
		expect(store.sources()).toEqual([]);
	});

	test('an empty log does not hide the history beside it', () => {
		store.put(LOG, '');
		store.put(`${FOLDER}/chat_history.jsonl`, [{type: 'user', content: 'Rename it'}]);
		expect(said(store.read())).toEqual([['user', 'Rename it']]);
	});

	test("a sub-agent is known by its parent's file, also when that folder has another name", () => {
		const child = ID.replace(/1$/, '2');
		store.put(LOG, [chunk('user', 'Rename it')]);
		store.put(LOG.replace(ID, child), [chunk('user', 'Count callers')]);
		store.put(`${FOLDER}/subagents/a1/meta.json`, {
			parent_session_id: ID,
			child_session_id: child,
			description: 'Callers',
		});
		const {facts, events} = store.read(child);
		expect(facts).toMatchObject({isSubagent: true, description: 'Callers', parent: {id: ID}});
		expect(events.map(({kind}) => kind)).toEqual(['meta']);
	});
});

describe('the log', () => {
	test('a text is the same however it was cut into chunks', () => {
		const parts = fc.array(fc.string({minLength: 1, maxLength: 8}), {minLength: 1, maxLength: 8});
		fc.assert(
			fc.property(parts, texts => {
				store.put(
					LOG,
					texts.map(text => chunk('agent', text)),
				);
				const whole = texts.join('');
				expect(said(store.read())).toEqual(whole.trim() === '' ? [] : [['assistant', whole]]);
			}),
			{numRuns: 30},
		);
	});

	test('prompts that follow each other are told apart by their number', () => {
		store.put(LOG, [
			chunk('user', 'Rename ', {promptIndex: 0}),
			chunk('user', 'it', {promptIndex: 0}),
			chunk('user', 'and test', {promptIndex: 1}),
		]);
		expect(said(store.read())).toEqual([
			['user', 'Rename it'],
			['user', 'and test'],
		]);
	});

	test('rewinds count the prompts that are left', () => {
		store.put(LOG, [
			chunk('user', 'one', {promptIndex: 0}),
			chunk('agent', 'first'),
			chunk('user', 'note', {hostTurn: true}),
			chunk('user', 'two', {promptIndex: 1}),
			chunk('agent', 'second'),
			rewind(1),
			chunk('user', 'three', {promptIndex: 1}),
			chunk('agent', 'third'),
			rewind(7),
		]);
		const live = [
			['user', 'one'],
			['assistant', 'first'],
			['meta', 'note'],
		];
		expect(said(store.read())).toEqual([...live, ['user', 'three'], ['assistant', 'third']]);
		store.add(LOG, [rewind(1)]);
		expect(said(store.read())).toEqual(live);
	});

	test('a result that is stated twice is one result', () => {
		const result = (text: string) =>
			update('tool_call_update', {
				toolCallId: 'c1',
				status: 'completed',
				content: [{type: 'content', content: {type: 'text', text}}],
			});
		store.put(LOG, [
			update('tool_call', {toolCallId: 'c1', title: 'read_file', rawInput: {target_file: 'a.ts'}}),
			result('half'),
			result('whole'),
		]);
		expect(said(store.read())).toEqual([
			['tool_use', 'target_file: a.ts'],
			['tool_result', 'whole'],
		]);
	});

	test('outputs are found where each tool keeps them', () => {
		const outputs = [
			{type: 'ListDir', Content: {content: 'a.ts'}},
			{type: 'WebSearch', pre_formatted: 'a.ts'},
			{type: 'MCP', output: {OkayOutput: 'a.ts'}},
			{type: 'Todo', TodosUpdated: {summary_for_prompt: 'a.ts'}},
			{type: 'Bash', output: 'a.ts'},
			'a.ts',
		];
		store.put(
			LOG,
			outputs.map((rawOutput, index) =>
				update('tool_call_update', {toolCallId: `c${index}`, status: 'completed', rawOutput}),
			),
		);
		expect(said(store.read())).toEqual(outputs.map(() => ['tool_result', 'a.ts']));
	});

	test('a long text is cut, its true length is told', () => {
		store.put(LOG, [chunk('agent', 'a'.repeat(200_000)), chunk('agent', 'b'.repeat(200_000))]);
		const [event] = store.read().events;
		expect(event?.text.length).toBe(262_144);
		expect(event?.fullLength).toBe(400_000);
	});
});

test('resumes by full ids in their directory only', () => {
	expect(resumeOf(grokBuild, {id: ID})).toEqual({
		argv: ['grok', '--resume', ID],
		cwd: '/home/ada/orchard',
		env: {},
		forkArgv: ['grok', '--resume', ID, '--fork-session'],
	});
	// Any other text is taken as the title of a session.
	expect(resumeOf(grokBuild, {id: 'pear'})).toHaveProperty('reason');
	expect(resumeOf(grokBuild, {id: ID, cwd: null})).toHaveProperty('reason');
	expect(resumeOf(grokBuild, {id: ID, isSubagent: true, parentId: 'p'})).toHaveProperty('reason');
});
