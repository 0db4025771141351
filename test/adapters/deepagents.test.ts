/** What the fixture home cannot show: the older place, new steps, resume. */
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {deepagents} from '../../adapters/deepagents/index.js';
import type {ResumeRequest} from '../../adapters/types.js';
import {copyFixture, discoverAll, type FixtureHome, readFolded} from '../helpers/fixtures.js';

let fixture: FixtureHome;
beforeEach(() => {
	fixture = copyFixture('deepagents');
});
afterEach(() => fixture.dispose());

const sources = () => discoverAll(deepagents, fixture.around).sources;

test('the older database is read when there is no newer one', () => {
	expect(sources().map(({sessionId}) => sessionId)).not.toContain('0ld00001');
	rmSync(join(fixture.home, '.deepagents/.state'), {recursive: true});
	expect(sources().map(({sessionId}) => sessionId)).toEqual(['0ld00001']);
});

test('a new step changes the mark of its thread only, and a prompt after a summary is none', () => {
	const before = sources().map(({mark}) => mark);
	const database = new Database(join(fixture.home, '.deepagents/.state/sessions.db'));
	database.exec(
		`INSERT INTO writes VALUES ('ab12cd35', '', '1f170001', 'task', 0, 'messages', 'json',
			'[{"type":"remove","id":"__remove_all__"},{"type":"human","id":"n0","content":"So far"}]'),
		('ab12cd35', '', '1f170002', 'task', 0, 'messages', 'json', '{"type":"remove","id":"__remove_all__"}'),
		('ab12cd35', '', '1f170003', 'task', 0, 'messages', 'json', '{"type":"human","id":"n1","content":"Typed"}')`,
	);
	database.close();
	const changed = sources().filter(({mark}, index) => mark !== before[index]);
	expect(changed.map(({sessionId}) => sessionId)).toEqual(['ab12cd35']);
	const events = changed.flatMap(source => readFolded(deepagents, source).events);
	expect(events.map(({kind, text}) => [kind, text])).toEqual([
		['message', 'Hello reef'],
		['summary', 'So far'],
		['message', 'Typed'],
	]);
});

test('a message that was removed stays as undone', () => {
	const [source] = sources();
	if (source === undefined) throw new Error('no source');
	const undone = readFolded(deepagents, source).events.filter(({state}) => state === 'undone');
	expect(undone.map(({text}) => text)).toEqual(['no call']);
});

test('resume: in its directory; sub-agents lead to their parent, options are refused', () => {
	const request: ResumeRequest = {
		id: 'ab12cd34',
		cwd: '/home/ada/reef',
		isSubagent: false,
		parentId: null,
		archived: false,
		location: '/x/sessions.db',
		resumeEnv: {},
		hint: {},
	};
	expect(deepagents.resume(request)).toEqual({
		argv: ['dcode', '-r', 'ab12cd34'],
		cwd: '/home/ada/reef',
		env: {},
	});
	expect(deepagents.resume({...request, isSubagent: true, parentId: 'ab12cd34'})).toEqual({
		reason: 'sub-agents cannot be resumed; their parent can: dcode -r ab12cd34',
	});
	expect(deepagents.resume({...request, id: '-y'})).toHaveProperty('reason');
});
