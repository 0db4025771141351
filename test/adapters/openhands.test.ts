import {afterEach, beforeEach, expect, test} from 'vitest';
import {openhands} from '../../adapters/openhands/index.js';
import {localTimeMs} from '../../adapters/shared/time.js';
import {surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '0a000000-0000-4000-8000-00000000000a';
const BARE = ID.replaceAll('-', '');

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(openhands);
});
afterEach(() => store.dispose());

const message = (text: string, parent?: string) => ({
	kind: 'MessageEvent',
	source: 'user',
	llm_message: {role: 'user', content: text},
	...(parent === undefined ? {} : {parent_id: parent}),
});
const put = (number: number, event: unknown, folder = `conversations/${BARE}/events`) =>
	store.put(`.openhands/${folder}/event-${number}-e${number}.json`, event as object);

test('the first variable that is set names the folder, and a cloud holds no files', () => {
	const pathsOf = (env: Readonly<Record<string, string>>) =>
		openhands.roots(surroundingsOf('/h', env)).map(({path}) => path);
	expect(pathsOf({})).toEqual(['/h/.openhands/conversations', '/h/.openhands/v1_conversations']);
	expect(
		pathsOf({
			OPENHANDS_CONVERSATIONS_DIR: '/c',
			OPENHANDS_PERSISTENCE_DIR: '/p',
			FILE_STORE_PATH: '/f',
			OPENHANDS_USER_ID: 'me',
		}),
	).toEqual(['/c', '/f/v1_conversations', '/f/me/v1_conversations']);
	expect(pathsOf({OPENHANDS_PERSISTENCE_DIR: '/p', FILE_STORE: 's3'})).toEqual([
		'/p/conversations',
	]);
});

test('events come in the order of their numbers, whatever their width', () => {
	for (const number of [2, 10, 9]) put(number, message(`word ${number}`));
	expect(said(store.read()).map(([, text]) => text)).toEqual(['word 2', 'word 9', 'word 10']);
});

test('a new event and a new state are noticed, and keys of the model provider are never copied', () => {
	put(0, message('Hello'));
	const before = store.source();
	put(1, message('Hello again'));
	const after = store.source();
	expect(after.mark).not.toBe(before.mark);
	store.put(`.openhands/conversations/${BARE}/base_state.json`, {agent: {llm: {api_key: 'k'}}});
	expect(store.source().mark).not.toBe(after.mark);
	expect(
		store
			.source()
			.files.map(({path}) => path)
			.join(' '),
	).not.toContain('base_state');
	expect(JSON.stringify(store.read())).not.toContain('api_key');
});

test('both layouts hold one conversation, and the newer one is shown', () => {
	put(0, message('New form'));
	store.put(`.openhands/v1_conversations/${ID}/0.json`, message('Old form'));
	const found = store.sources().map(({sessionId, rank}) => [sessionId, rank]);
	expect(found).toEqual([
		[BARE, 1],
		[BARE, 0],
	]);
});

test('what was left by going back is undone, what follows the leaf is not', () => {
	put(0, {...message('one'), id: 'e0'});
	put(1, {...message('left', 'e0'), id: 'e1'});
	put(2, {...message('two', 'e0'), id: 'e2'});
	put(3, {...message('three'), id: 'e3'});
	store.put(`.openhands/conversations/${BARE}/base_state.json`, {leaf_event_id: 'e2'});
	expect(said(store.read()).map(([, text]) => text)).toEqual(['one', 'two', 'three']);
});

test('times without a zone are of the clock on the wall', () => {
	expect(localTimeMs('2026-07-22T12:00:00.123456')).toBe(
		new Date(2026, 6, 22, 12, 0, 0, 123).getTime(),
	);
	expect(localTimeMs('2026-07-22T12:00:00+02:00')).toBe(Date.UTC(2026, 6, 22, 10));
	expect(localTimeMs('soon')).toBeUndefined();
});

test('resumes conversations of the command line by the id that it prints', () => {
	const location = `/h/.openhands/conversations/${BARE}/events/event-00000-x.json`;
	expect(resumeOf(openhands, {id: BARE, location})).toMatchObject({
		argv: ['openhands', '--resume', ID],
	});
	const old = `/h/.openhands/v1_conversations/${BARE}/000000.json`;
	expect(resumeOf(openhands, {id: BARE, location: old})).toHaveProperty('reason');
	expect(resumeOf(openhands, {id: '--last', location})).toHaveProperty('reason');
});
