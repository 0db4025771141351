import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {cline} from '../../adapters/cline/index.js';
import {searchReplacePatch} from '../../adapters/shared/search-replace.js';
import {SourceUnreadable} from '../../adapters/types.js';
import {surroundingsOf} from '../helpers/fixtures.js';
import {resumeOf, type StoreFiles, said, storeFiles} from '../helpers/store-files.js';

const ID = '1790000000000_aaaa1';
const TALK = `.cline/data/sessions/${ID}/${ID}.messages.json`;
const TASKS = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks';

let store: StoreFiles;
beforeEach(() => {
	store = storeFiles(cline);
});
afterEach(() => store.dispose());

const user = (text: string) => ({role: 'user', content: [{type: 'text', text}]});
const talk = (...messages: readonly unknown[]) => ({version: 1, sessionId: ID, messages});
/** A list as one document: `put` would write lines. */
const list = (...items: readonly unknown[]) => JSON.stringify(items);

describe('roots', () => {
	const pathsOf = (env: Readonly<Record<string, string>>) =>
		cline
			.roots(surroundingsOf('/home/someone', env))
			.filter(({path}) => !path.includes('User'))
			.map(({path, resumeEnv}) => [path, resumeEnv]);

	test('the first variable that is set names the data folder, the sandbox only when it is on', () => {
		expect(pathsOf({})).toEqual([['/home/someone/.cline/data', {}]]);
		expect(pathsOf({CLINE_DIR: '/c'})).toEqual([['/c/data', {CLINE_DATA_DIR: '/c/data'}]]);
		const sandbox = {CLINE_DIR: '/c', CLINE_SANDBOX_DATA_DIR: '/s'};
		expect(pathsOf(sandbox)).toEqual([['/c/data', {CLINE_DATA_DIR: '/c/data'}]]);
		expect(pathsOf({...sandbox, CLINE_SANDBOX: '1'})).toEqual([['/s', {CLINE_DATA_DIR: '/s'}]]);
		expect(pathsOf({...sandbox, CLINE_DATA_DIR: ' /d '})).toEqual([['/d', {CLINE_DATA_DIR: '/d'}]]);
	});

	test('sessions that lie elsewhere are found there, and resumed there', () => {
		store.put(`elsewhere/${ID}/${ID}.messages.json`, talk(user('Hello')));
		const env = {CLINE_SESSION_DATA_DIR: `${store.home}/elsewhere`};
		expect(store.sources(env).map(({sessionId}) => sessionId)).toEqual([ID]);
		expect(pathsOf(env)).toContainEqual([`${store.home}/elsewhere`, env]);
	});
});

test('a document that is half written cannot be read just now, so that nothing of it is taken back', () => {
	for (const text of ['{"messages": [', '[]', '{"messages": {}}']) {
		store.put(TALK, text);
		expect(() => store.read()).toThrow(SourceUnreadable);
	}
});

test('a title that is the beginning of the first prompt is the prompt', () => {
	store.put(
		TALK,
		talk(user('<user_input mode="act">Water the\n\npear trees, all of them</user_input>')),
	);
	const manifest = (title: string) => store.put(TALK.replace('.messages', ''), {metadata: {title}});
	manifest('Water the pear trees…');
	expect(store.read().facts.generatedTitle).toBeNull();
	manifest('Pears');
	expect(store.read().facts.generatedTitle).toBe('Pears');
});

test('what a person says inside of results is typed, words of files are not', () => {
	const result = (name: string, content: string) => ({
		role: 'user',
		content: [{type: 'tool_result', tool_use_id: name, name, content}],
	});
	store.put(
		TALK,
		talk(
			result('ask_followup_question', '<answer>\nThe north one\n</answer>'),
			result('read_file', '<feedback>in a file</feedback>'),
		),
	);
	expect(said(store.read())).toEqual([
		['tool_result', '<answer>\nThe north one\n</answer>'],
		['user', 'The north one'],
		['tool_result', '<feedback>in a file</feedback>'],
	]);
});

test('a task without messages is what the panel showed', () => {
	const row = (kind: string, text: string) => ({
		ts: 1_780_000_000_000,
		type: 'say',
		say: kind,
		text,
	});
	store.put(
		`${TASKS}/1780000000000/ui_messages.json`,
		list(row('text', 'Sweep'), row('text', 'Done.'), {...row('text', 'ha'), partial: true}),
	);
	expect(said(store.read())).toEqual([
		['user', 'Sweep'],
		['assistant', 'Done.'],
	]);
	store.put(
		`${TASKS}/1780000000000/api_conversation_history.json`,
		list(user('<task>Sweep</task>')),
	);
	expect(said(store.read())).toEqual([['user', 'Sweep']]);
	expect(store.source().key).toBe(`${store.home}/${TASKS}/1780000000000`);
});

test('search and replace blocks of both ages as a diff', () => {
	const old = '<<<<<<< SEARCH\n:start_line:7\n-------\none\n=======\ntwo\n>>>>>>> REPLACE';
	const both = ['--- a', '+++ a', '@@ -1,1 +1,1 @@', '-one', '+two'].join('\n');
	expect(searchReplacePatch('a', old)).toBe(both);
	expect(searchReplacePatch('a', '------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n')).toBe(
		both,
	);
	expect(searchReplacePatch('a', 'no blocks')).toBeUndefined();
});

test('resumes sessions, not tasks of the extension and not sub-agents', () => {
	const location = `/home/someone/${TALK}`;
	const env = {CLINE_DATA_DIR: '/d'};
	expect(resumeOf(cline, {id: ID, location, resumeEnv: env})).toEqual({
		argv: ['cline', '--id', ID],
		cwd: '/home/ada/orchard',
		env,
	});
	expect(resumeOf(cline, {id: '1780000000000', location: '/t/ui_messages.json'})).toHaveProperty(
		'reason',
	);
	expect(resumeOf(cline, {id: `${ID}__agent_1`, location, isSubagent: true, parentId: ID})).toEqual(
		{reason: `sub-agent session; resume the parent: cline --id ${ID}`},
	);
	expect(resumeOf(cline, {id: '--help', location})).toHaveProperty('reason');
});
