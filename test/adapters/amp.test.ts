import {afterEach, beforeEach, expect, test} from 'vitest';
import {amp} from '../../adapters/amp/index.js';
import {fileUriPath} from '../../adapters/shared/file-uri.js';
import {SourceUnreadable} from '../../adapters/types.js';
import {surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = 'T-0a000000-0000-4000-8000-000000000001';
const THREAD = `.local/share/amp/threads/${ID}.json`;

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(amp);
});
afterEach(() => store.dispose());

test('AMP_DATA_DIR may name several folders', () => {
	const env = {AMP_DATA_DIR: '/one, /two,not-absolute', XDG_DATA_HOME: '/data'};
	expect(amp.roots(surroundingsOf('/home/someone', env))).toEqual([
		{path: '/one', from: 'environment', resumeEnv: {AMP_DATA_DIR: '/one'}},
		{path: '/two', from: 'environment', resumeEnv: {AMP_DATA_DIR: '/two'}},
	]);
	expect(amp.roots(surroundingsOf('/home/someone', {XDG_DATA_HOME: '/data'}))).toEqual([
		{path: '/data/amp', from: 'environment', resumeEnv: {XDG_DATA_HOME: '/data'}},
	]);
});

test('a thread that is half written cannot be read just now, so that nothing of it is taken back', () => {
	for (const text of ['{"v":2,"id":"T-1","mess', '[]', '{"messages":{}}']) {
		store.put(THREAD, text);
		expect(() => store.read()).toThrow(SourceUnreadable);
	}
});

test('a text beside results was typed only if it was sent', () => {
	const content = [
		{type: 'tool_result', toolUseID: 'c1', run: {status: 'done', result: 'ok'}},
		{type: 'text', text: 'And now?'},
	];
	store.put(THREAD, {
		messages: [
			{role: 'user', content},
			{role: 'user', content, meta: {sentAt: 1_790_000_000_000}},
		],
	});
	expect(said(store.read()).filter(([who]) => who !== 'tool_result')).toEqual([
		['meta', 'And now?'],
		['user', 'And now?'],
	]);
});

test('a message without a time has that of the one before', () => {
	const text = (words: string) => [{type: 'text', text: words}];
	store.put(THREAD, {
		created: 1_790_000_000_000,
		messages: [
			{role: 'user', content: text('one')},
			{role: 'user', content: text('two'), meta: {sentAt: 1_790_000_005_000}},
			{role: 'assistant', content: text('three')},
		],
	});
	expect(store.read().events.map(({atMs}) => (atMs ?? 0) - 1_790_000_000_000)).toEqual([
		0, 5000, 5000,
	]);
});

test('paths of addresses, also those of Windows', () => {
	expect(fileUriPath('file:///home/ada/shared%20tools')).toBe('/home/ada/shared tools');
	expect(fileUriPath('file:///c%3A/code/orchard')).toBe('C:\\code\\orchard');
	for (const value of ['vscode-remote://ssh/work', 'file:///bad%zz', '/home/ada', undefined]) {
		expect(fileUriPath(value)).toBeUndefined();
	}
});

test('resumes threads only', () => {
	expect(resumeOf(amp, {id: ID})).toMatchObject({argv: ['amp', 'threads', 'continue', ID]});
	expect(resumeOf(amp, {id: '--help'})).toHaveProperty('reason');
});
