import {afterEach, beforeEach, expect, test} from 'vitest';
import {rooCode} from '../../adapters/roo-code.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '0a000000-0000-4000-8000-000000000001';
const USER = '.config/Code/User';
const STORAGE = `${USER}/globalStorage/rooveterinaryinc.roo-cline`;
/** A list as one document: `put` would write lines. */
const talk = (...texts: readonly string[]) =>
	JSON.stringify(texts.map(content => ({role: 'user', content, ts: 1_790_000_000_000})));

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(rooCode);
});
afterEach(() => store.dispose());

test('tasks are found in a storage that was moved, by a setting that may stand among comments', () => {
	store.put(`${STORAGE}/tasks/old/api_conversation_history.json`, talk('Old'));
	store.put(`moved/tasks/${ID}/api_conversation_history.json`, talk('New'));
	const setting = `"roo-cline.customStoragePath": ${JSON.stringify(`${store.home}/moved`)},`;
	const ids = () => store.sources().map(({sessionId}) => sessionId);
	store.put(`${USER}/settings.json`, `{\n\t// ours\n\t${setting}\n}`);
	expect(ids().toSorted()).toEqual([ID, 'old']);
	store.put(`${USER}/settings.json`, `{\n\t// ${setting}\n}`);
	expect(ids()).toEqual(['old']);
});

test('profiles have storages of their own', () => {
	const storage = `${USER}/profiles/p1/globalStorage/rooveterinaryinc.roo-code-nightly`;
	store.put(`${storage}/tasks/${ID}/api_conversation_history.json`, talk('Hello'));
	expect(store.source().sessionId).toBe(ID);
});

test('what a parent asked for is not typed, what is said later is', () => {
	store.put(`${STORAGE}/tasks/${ID}/api_conversation_history.json`, talk('Count', 'And now?'));
	store.put(`${STORAGE}/tasks/${ID}/history_item.json`, {task: 'Count', parentTaskId: 'p'});
	const {facts, ...rest} = store.read();
	expect(said(rest)).toEqual([
		['meta', 'Count'],
		['user', 'And now?'],
	]);
	expect(facts).toMatchObject({isSubagent: true, description: 'Count'});
	expect(facts.parent).toEqual({id: 'p', relation: 'subagent', certainty: 'exact'});
});

test('the costs of requests count only when the task has no totals', () => {
	const started = {tokensIn: 5, tokensOut: 1, cost: 0.5};
	const row = {ts: 1_790_000_000_000, say: 'api_req_started', text: JSON.stringify(started)};
	store.put(`${STORAGE}/tasks/${ID}/api_conversation_history.json`, talk('Hello'));
	store.put(`${STORAGE}/tasks/${ID}/ui_messages.json`, JSON.stringify([row, row]));
	expect(store.read().usage.map(({costUsd}) => costUsd)).toEqual([0.5, 0.5]);
	store.put(`${STORAGE}/tasks/${ID}/history_item.json`, {tokensIn: 30, tokensOut: 3});
	expect(store.read().usage).toEqual([]);
	expect(store.read().facts.tokens).toMatchObject({input: 30, output: 3});
});

test('resumes tasks of the command line only', () => {
	const location = `/home/someone/.vscode-mock/global-storage/tasks/${ID}/ui_messages.json`;
	expect(resumeOf(rooCode, {id: ID, location})).toMatchObject({
		argv: ['roo', '--session-id', ID, '-w', '/home/ada/orchard'],
	});
	expect(resumeOf(rooCode, {id: ID, location: '/x/tasks/y'})).toHaveProperty('reason');
	expect(resumeOf(rooCode, {id: '--help', location})).toHaveProperty('reason');
	expect(resumeOf(rooCode, {id: ID, location, cwd: null})).toHaveProperty('reason');
});
