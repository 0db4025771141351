/** What the fixture home cannot show: the document after a compaction, a half written one, roots, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {continueDev} from '../../adapters/continue/index.js';
import {SourceUnreadable} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const ID = '0c0c0001-0000-4000-8000-000000000001';
const said = (role: string, content: string) => ({message: {role, content}, contextItems: []});

/** Reads a document as it stands on disk. */
const readText = (text: string) => {
	const path = join(home, `.continue/sessions/${ID}.json`);
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, text);
	writeFileSync(join(dirname(path), 'sessions.json'), '[{"half');
	const [source] = discoverAll(continueDev, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	return readFolded(continueDev, source);
};
const keysOf = (history: readonly unknown[]): readonly string[] =>
	readText(JSON.stringify({sessionId: ID, history})).events.map(({key}) => key);

test('what stands behind a compaction takes no key of what was there before', () => {
	const before = keysOf([said('user', 'Ask'), said('assistant', 'Answer')]);
	const summary = {...said('assistant', 'All said.'), conversationSummary: 'All said.'};
	const after = keysOf([summary, said('user', 'More')]);
	expect(before).toHaveLength(2);
	expect(after).toHaveLength(2);
	expect(after.filter(key => before.includes(key))).toEqual([]);
});

test('a document that is being written keeps what was read before', () => {
	expect(() => readText('{"sessionId":"x","history":[{"message"')).toThrow(SourceUnreadable);
});

test('the variable moves the folder', () => {
	const around = surroundingsOf('/home/me', {CONTINUE_GLOBAL_DIR: '/data/continue'});
	expect(continueDev.roots(around)).toEqual([
		{
			path: '/data/continue',
			from: 'environment',
			resumeEnv: {CONTINUE_GLOBAL_DIR: '/data/continue'},
		},
	]);
});

test('a given session goes on as a copy only', () => {
	const request = {
		id: ID,
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x.json',
		resumeEnv: {},
		hint: {},
	};
	const argv = ['cn', '--fork', ID];
	expect(continueDev.resume(request)).toEqual({argv, cwd: '/home/ada', env: {}, forkArgv: argv});
	expect(continueDev.resume({...request, id: '-x'})).toHaveProperty('reason');
});
