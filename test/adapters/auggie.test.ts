/** What the fixture home cannot show: a document without its list, a folder of another place, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {auggie} from '../../adapters/auggie/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = '0d0d0001-0000-4000-8000-000000000001';
const request: ResumeRequest = {
	id: ID,
	cwd: '/home/ada',
	isSubagent: false,
	parentId: null,
	archived: false,
	location: `/home/me/.augment/sessions/${ID}.json`,
	resumeEnv: {},
	hint: {},
};

test('a document without exchanges has facts, and no events', () => {
	const home = emptyHome();
	const path = join(home, `.augment/sessions/${ID}.json`);
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, '{"sessionId":"x","customTitle":"Empty"}');
	const [source] = discoverAll(auggie, surroundingsOf(home)).sources;
	expect(source?.sessionId).toBe(ID);
	if (source !== undefined) {
		expect(readFolded(auggie, source)).toMatchObject({facts: {customTitle: 'Empty'}, events: []});
	}
	removeHome(home);
});

test('a session goes on by its whole id, with the folder it lies in if that is another one', () => {
	expect(auggie.resume(request)).toEqual({
		argv: ['auggie', '--resume', ID],
		cwd: '/home/ada',
		env: {},
	});
	expect(auggie.resume({...request, location: `/copy/cache/sessions/${ID}.json`})).toMatchObject({
		argv: ['auggie', '--resume', ID, '--augment-cache-dir', '/copy/cache'],
	});
});

test.each([
	['an id of another form', {id: '--help'}],
	['a sub-agent', {isSubagent: true, parentId: ID}],
])('not %s', (_, change) => {
	expect(auggie.resume({...request, ...change})).toHaveProperty('reason');
});
