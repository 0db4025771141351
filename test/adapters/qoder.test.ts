/** What the fixture home cannot show: roots, branches that come back, damage in the chain, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {qoder} from '../../adapters/qoder/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
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

const row = (uuid: string, parentUuid: string | null, role: 'user' | 'assistant') =>
	JSON.stringify({type: role, uuid, parentUuid, sessionId: 's1', message: {role, content: uuid}});
const leaf = (leafUuid: string | null) =>
	JSON.stringify({type: 'active-leaf', leafUuid, explicit: true, sessionId: 's1'});

/** Texts of the events that are not taken back. */
const live = (lines: readonly string[]): readonly string[] => {
	const path = join(home, '.qoder/projects/-work/s1.jsonl');
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, `${lines.join('\n')}\n`);
	const [source] = discoverAll(qoder, surroundingsOf(home)).sources;
	if (source === undefined) throw new Error('no source');
	const {events} = readFolded(qoder, source);
	return events.filter(({state}) => state !== 'undone').map(({text}) => text);
};

const FIRST = [row('ask', null, 'user'), row('answer', 'ask', 'assistant')];

test('a branch that was left comes back with its leaf', () => {
	const left = [...FIRST, row('other', null, 'user'), row('reply', 'other', 'assistant')];
	expect(live(left)).toEqual(['other', 'reply']);
	expect(live([...left, leaf('answer')])).toEqual(['ask', 'answer']);
});

test('a rewind to the very beginning takes everything back', () => {
	expect(live([...FIRST, leaf(null)])).toEqual([]);
});

test('a leaf that is not there takes nothing back', () => {
	expect(live([...FIRST, leaf('elsewhere')])).toEqual(['ask', 'answer']);
});

test('a damaged line in the chain takes nothing back', () => {
	const lines = [...FIRST, '{"type":"user","uuid":"lost"', row('more', 'lost', 'assistant')];
	expect(live(lines)).toEqual(['ask', 'answer', 'more']);
});

test('the variable moves the folder, and what was there before is still read', () => {
	const around = surroundingsOf('/home/me', {QODER_CONFIG_DIR: '/data/qoder'});
	expect(qoder.roots(around).map(({path, resumeEnv}) => [path, resumeEnv])).toEqual([
		['/data/qoder', {QODER_CONFIG_DIR: '/data/qoder'}],
		['/home/me/.qoder', {}],
		['/home/me/.qoderwork', {}],
		['/home/me/.config/Qoder/SharedClientCache/cli', {}],
	]);
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: '0a0a0001-0000-4000-8000-000000000001',
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/home/me/.qoder/projects/-work/x.jsonl',
		resumeEnv: {},
		hint: {},
	};

	test('by the whole id, or as a copy', () => {
		expect(qoder.resume(request)).toEqual({
			argv: ['qodercli', '-r', request.id],
			cwd: '/home/ada',
			env: {},
			forkArgv: ['qodercli', '-r', request.id, '--fork-session'],
		});
	});

	test.each([
		['of another form', {id: '--help'}],
		['of a sub-agent', {isSubagent: true, parentId: request.id}],
		['of the application', {location: '/home/me/.qoderwork/projects/desk/x.jsonl'}],
	])('not with an id %s', (_, change) => {
		expect(qoder.resume({...request, ...change})).toHaveProperty('reason');
	});
});
