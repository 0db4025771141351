/** What the fixture home cannot show: roots, an archive without its project, resume. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {headlesscode} from '../../adapters/headlesscode.js';
import {
	discoverAll,
	emptyHome,
	readFolded,
	removeHome,
	surroundingsOf,
} from '../helpers/fixtures.js';

const ID = '0f0f0001-0000-4000-8000-000000000001';
const request = {
	id: ID,
	cwd: '/home/ada',
	isSubagent: false,
	parentId: null,
	archived: false,
	location: '/x',
	resumeEnv: {},
	hint: {},
};

test('the variable names the data folder', () => {
	const around = surroundingsOf('/home/me', {HEADLESSCODE_DATA_DIR: ' /data/hc '});
	expect(headlesscode.roots(around)).toEqual([
		{path: '/data/hc', from: 'environment', resumeEnv: {HEADLESSCODE_DATA_DIR: '/data/hc'}},
	]);
});

test('an archive of a folder that says nothing of its project is read all the same', () => {
	const home = emptyHome();
	const folder = join(home, '.local/share/headlesscode/projects/k/sessions');
	mkdirSync(folder, {recursive: true});
	const messages = [{role: 'user', content: 'Ask'}];
	writeFileSync(join(folder, `${ID}.json`), JSON.stringify({version: 1, messages}));
	const [source] = discoverAll(headlesscode, surroundingsOf(home)).sources;
	if (source !== undefined) {
		const {events, facts, sessionId} = readFolded(headlesscode, source);
		expect([events.map(({text}) => text), facts, sessionId]).toEqual([['Ask'], {}, ID]);
	}
	removeHome(home);
	expect(source).toBeDefined();
});

test('resume by the whole id, in the directory if it is known', () => {
	const argv = ['headlesscode', 'chat', '--resume', ID];
	expect(headlesscode.resume(request)).toEqual({
		argv: [...argv, '--workspace', '/home/ada'],
		cwd: '/home/ada',
		env: {},
	});
	expect(headlesscode.resume({...request, cwd: null})).toMatchObject({argv});
	expect(headlesscode.resume({...request, id: '--all'})).toHaveProperty('reason');
});
