/** What the fixture home cannot show: roots, changes, what the mirror gets. */
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {astrbot} from '../../adapters/astrbot.js';
import {
	copyFixture,
	discoverAll,
	type FixtureHome,
	readFolded,
	surroundingsOf,
} from '../helpers/fixtures.js';

let fixture: FixtureHome;
beforeEach(() => {
	fixture = copyFixture('astrbot');
});
afterEach(() => fixture.dispose());

const ID = '00000000-0000-4000-8000-000000000001';
const sourceOf = (id: string) => {
	const found = discoverAll(astrbot, fixture.around).sources;
	const source = found.find(({sessionId}) => sessionId === id);
	if (source === undefined) throw new Error('no source');
	return source;
};

test('roots: the own folder or what a variable names, the launcher, installations in projects', () => {
	const around = {
		...surroundingsOf('/home/me', {ASTRBOT_ROOT: '/srv/bot'}),
		projectDirs: ['/home/ada/bot'],
		extraRoots: [{path: '/copy'}],
	};
	expect(astrbot.roots(around).map(({path, from}) => [path, from])).toEqual([
		['/srv/bot', 'environment'],
		['/copy', 'config'],
		['/home/me/.astrbot_launcher/instances', 'default'],
		['/home/ada/bot/data/data_v4.db', 'default'],
	]);
	expect(astrbot.roots(surroundingsOf('/home/me'))[0]?.path).toBe('/home/me/.astrbot');
});

test('an installation in a project is found by its database', () => {
	const around = {...surroundingsOf('/home/me'), projectDirs: [join(fixture.home, '.astrbot')]};
	expect(discoverAll(astrbot, around).sources.map(({sessionId}) => sessionId)).toContain(ID);
});

test('a longer conversation changes the mark', () => {
	const before = sourceOf(ID);
	const database = new Database(join(fixture.home, '.astrbot/data/data_v4.db'));
	database.exec(`UPDATE conversations SET content = content || ' '`);
	database.close();
	expect(sourceOf(ID).mark).not.toBe(before.mark);
});

test('the mirror gets messages and linked lines as the locators name them, and no names of people', () => {
	const source = sourceOf(ID);
	const rows = [...(astrbot.rows?.(source) ?? [])];
	for (const {table, row, raw} of rows) {
		expect(astrbot.raw?.(source, {table, row})).toBe(raw);
		expect(raw).not.toContain('A sailor');
	}
	const named = readFolded(astrbot, source).events.map(({locator}) => locator);
	expect(rows.map(({table, row}) => ({table, row}))).toEqual(expect.arrayContaining(named));
});
