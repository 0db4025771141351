/** What the fixture home cannot show: roots, a session whose id becomes known later, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {mistralVibe} from '../../adapters/mistral-vibe/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	readBatches,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

let home: string;
beforeEach(() => {
	home = emptyHome();
});
afterEach(() => removeHome(home));

const ID = '0a1a0001-0000-4000-8000-000000000001';
const NAME = 'session_20261106_080000_0a1a0001';

test('a session without its side file is read whole, and again once its id is known', () => {
	const folder = join(home, '.vibe/logs/session', NAME);
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'messages.jsonl'),
		'{"role":"user","content":"Ask","message_id":"m"}\n',
	);
	const only = () => {
		const [source] = discoverAll(mistralVibe, surroundingsOf(home)).sources;
		if (source === undefined) throw new Error('no source');
		return source;
	};
	const before = only();
	const [batch] = readBatches(mistralVibe, before);
	expect([before.mode, batch?.sessionId, batch?.cursor.offset]).toEqual(['replace', NAME, 0]);
	writeFileSync(join(folder, 'meta.json'), JSON.stringify({session_id: ID}));
	const after = only();
	expect([after.key, after.mode]).toEqual([before.key, 'append']);
	const {sessionId, events} = readFolded(mistralVibe, after);
	expect([sessionId, events.length]).toEqual([ID, 1]);
});

describe('roots', () => {
	const pathsOf = (env: Record<string, string>) =>
		mistralVibe.roots(surroundingsOf('/home/me', env)).map(({path}) => path);

	test.each([
		[{}, ['/home/me/.vibe']],
		[{VIBE_HOME: '/data/vibe'}, ['/data/vibe']],
		[{VIBE_SESSION_LOGGING__SAVE_DIR: '~/gales'}, ['/home/me/gales', '/home/me/.vibe']],
		[{VIBE_SESSION_LOGGING: '{"save_dir":"/gales"}'}, ['/gales', '/home/me/.vibe']],
		[{VIBE_SESSION_LOGGING: 'nonsense'}, ['/home/me/.vibe']],
	])('with %j', (env, expected) => {
		expect(pathsOf(env)).toEqual(expected);
	});
});

describe('resume', () => {
	const request: ResumeRequest = {
		id: ID,
		cwd: '/home/ada',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x',
		resumeEnv: {},
		hint: {},
	};

	test('by the whole id', () => {
		expect(mistralVibe.resume(request)).toEqual({
			argv: ['vibe', '--resume', ID],
			cwd: '/home/ada',
			env: {},
		});
	});

	test.each([
		['an id of another form', {id: '--help'}],
		['the name of a folder', {id: NAME}],
		['a sub-agent', {isSubagent: true, parentId: ID}],
	])('not %s', (_, change) => {
		expect(mistralVibe.resume({...request, ...change})).toHaveProperty('reason');
	});
});
