/** What the fixture home cannot show: a history that was cleared, a side file that is half written, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {rovodev} from '../../adapters/rovodev/index.js';
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

const request = (content: string, second: number) => ({
	kind: 'request',
	parts: [{part_kind: 'user-prompt', content, timestamp: `2026-11-08T08:00:0${second}Z`}],
});
const readHistory = (history: readonly unknown[]) => {
	const folder = join(home, '.rovodev/sessions/s1');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'session_context.json'), JSON.stringify({message_history: history}));
	writeFileSync(join(folder, 'metadata.json'), '{"title":');
	const [source] = discoverAll(rovodev, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	return readFolded(rovodev, source);
};

test('what is said after a clearance takes no key of what was there before', () => {
	const before = readHistory([request('one', 1), request('two', 2)]);
	const after = readHistory([request('two', 2), request('three', 3)]);
	const keyOf = (text: string) =>
		[before, after].map(({events}) => events.find(event => event.text === text)?.key);
	expect(new Set(keyOf('two')).size).toBe(1);
	expect(before.events.map(({key}) => key)).not.toContain(keyOf('three')[1]);
});

test('a side file that is half written is told, and the talk is read', () => {
	const {events, problems, sessionId} = readHistory([request('one', 1)]);
	expect([events.length, sessionId]).toEqual([1, 's1']);
	expect(problems.map(({code}) => code)).toEqual(['truncated']);
});

test('resume by the whole id', () => {
	const base = {
		id: 's-1',
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
	};
	const argv = ['acli', 'rovodev', 'run', '--restore', 's-1'];
	expect(rovodev.resume(base)).toEqual({argv, cwd: '/home/ada', env: {}});
	expect(rovodev.resume({...base, id: '-s'})).toHaveProperty('reason');
});
