import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {bufferContent} from '../../../source/archive/contents.js';
import {readRawEvent} from '../../../source/raw-event.js';
import {rebuildFromMirror} from '../../../store/archive/rebuild.js';
import {restoreSession} from '../../../store/archive/restore.js';
import {verifyMirror} from '../../../store/archive/verify.js';
import {forgetSessions} from '../../../store/forget.js';
import {importSession} from '../../../store/import.js';
import {setMark} from '../../../store/marks.js';
import {type Database, openStore, takeSetAsideNotice} from '../../../store/open.js';
import {syncPass} from '../../../store/sync/engine.js';
import {mirrorFilesIn, mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

let world: ToyWorld;
let anew: Database | undefined;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => {
	anew?.close();
	anew = undefined;
	world.close();
});

/** What happens when the program starts with a database file that is no database. */
const startWithDamage = async (): Promise<Database> => {
	world.database.close();
	const path = join(world.data, 'history.db');
	writeFileSync(path, 'not a database at all, '.repeat(500));
	anew = openStore(world.data);
	await pass(anew);
	return anew;
};

const pass = async (database: Database): Promise<{restored: number; unreadable: number}> => {
	await syncPass(database, {
		adapters: [toyAdapter()],
		surroundings: () => ({
			home: world.home,
			platform: 'linux',
			env: {},
			extraRoots: [],
			projectDirs: [],
		}),
		now: () => 0,
	});
	const summary = await rebuildFromMirror(database, {
		folder: world.data,
		home: world.home,
		adapters: [toyAdapter()],
		now: () => 0,
		readImported: (provenance, path) => [
			{
				sessionId: provenance.originalId ?? '',
				facts: {},
				events: [
					{
						key: 'only',
						kind: 'message',
						role: 'user',
						text: readFileSync(path, 'utf8'),
						locator: {offset: 0, length: 8},
					},
				],
				usage: [],
				problems: [],
				unknown: {},
				undo: [],
				cursor: {offset: 0, lineNumber: 0, state: null},
			},
		],
	});
	await mirrorToys({database, data: world.data});
	return summary;
};

const sessions = (database: Database): readonly Record<string, unknown>[] =>
	database
		.prepare(
			'SELECT id, native_id, title, source_state, kind, location, events FROM session WHERE hidden_by IS NULL ORDER BY native_id',
		)
		.all() as Record<string, unknown>[];

describe('a damaged database', () => {
	it('is set aside, and everything comes back: from the sources, and from the mirror where they are gone', async () => {
		const gone = world.write(
			'deep/gone.jsonl',
			line('aa', 'how do tides work'),
			line('bb', 'more'),
		);
		const before = readFileSync(gone);
		world.write('here.jsonl', line('cc', 'still here'), line('dd', 'cut later'));
		await world.sync();
		await mirrorToys(world);
		setMark(world.database, world.data, 'toy:gone', {title: 'Kept title'});
		rmSync(gone);
		world.write('here.jsonl', line('cc', 'still here'));
		await world.sync();
		await mirrorToys(world);
		const database = await startWithDamage();
		expect(takeSetAsideNotice(database)).toMatch(/history\.db\.damaged-\d{8}T\d{6}$/);
		expect(takeSetAsideNotice(database)).toBeUndefined();
		expect(readdirSync(world.data).filter(name => name.includes('damaged'))).toHaveLength(1);
		expect(sessions(database)).toMatchObject([
			{native_id: 'gone', title: 'Kept title', source_state: 'deleted', location: gone, events: 2},
			{native_id: 'here', title: 'still here', source_state: 'present'},
		]);
		const event = database.prepare("SELECT id FROM event WHERE key = 'aa'").get() as {id: number};
		expect(readRawEvent(database, [toyAdapter()], event.id)).toContain('how do tides work');
		const [{id} = {id: 0}] = sessions(database);
		expect(restoreSession(database, world.data, Number(id))).toMatchObject({written: [gone]});
		expect(readFileSync(gone)).toEqual(before);
		await pass(database);
		expect(sessions(database)).toMatchObject([
			{native_id: 'gone', source_state: 'present', events: 2},
			{native_id: 'here'},
		]);
		expect((await verifyMirror(database, world.data)).damage).toEqual([]);
	});

	it('goes on with mirror files that it does not know, without their torn end', async () => {
		const path = world.write('s1.jsonl', line('aa', 'how do tides work'));
		await world.sync();
		await mirrorToys(world);
		const [mirror = ''] = mirrorFilesIn(world.data);
		const whole = readFileSync(mirror);
		writeFileSync(mirror, Buffer.concat([whole, whole.subarray(0, 33)]));
		const database = await startWithDamage();
		expect(readFileSync(mirror).subarray(0, whole.length)).toEqual(whole);
		expect((await verifyMirror(database, world.data)).damage).toEqual([]);
		writeFileSync(path, line('bb', 'something else'));
		await pass(database);
		const events = database.prepare('SELECT id FROM event ORDER BY position').all() as {
			id: number;
		}[];
		expect(events.map(({id}) => readRawEvent(database, [toyAdapter()], id))).toEqual([
			line('aa', 'how do tides work').trimEnd(),
			line('bb', 'something else').trimEnd(),
		]);
	});

	it('brings imported sessions back, and nothing that was forgotten', async () => {
		const bytes = Buffer.from('imported words');
		importSession(
			world.database,
			{
				nativeId: 'imported-1',
				provenance: {
					format: 'archive',
					agent: 'toy',
					originalId: 'x',
					path: '/elsewhere/talk.json',
					sha256: '',
					importedAt: '2026-01-01T00:00:00.000Z',
				},
				batches: [],
				content: bufferContent(bytes, {
					path: '/elsewhere/talk.json',
					root: '',
					kind: 'import',
					stamp: '1',
				}),
			},
			{folder: world.data, home: world.home, nowMs: 0},
		);
		world.write('secret.jsonl', line('aa', 'how do tides work'));
		await world.sync();
		const secret = mirrorFilesIn(world.data);
		await mirrorToys(world);
		const kept = mirrorFilesIn(world.data).filter(path => !secret.includes(path));
		const copies = kept.map(path => [path, readFileSync(path)] as const);
		forgetSessions(world.database, {
			folder: world.data,
			home: world.home,
			nowMs: 0,
			sessions: [Number(world.session('secret')['id'])],
		});
		// Put back by a backup of the folder, say.
		for (const [path, content] of copies) writeFileSync(path, content);
		const database = await startWithDamage();
		expect(sessions(database)).toMatchObject([
			{native_id: 'imported-1', kind: 'imported', title: 'imported words'},
		]);
		expect(mirrorFilesIn(world.data)).toHaveLength(1);
	});

	it('does not write over a mirror file that nobody can read', async () => {
		world.write('s1.jsonl', line('aa', 'how do tides work'));
		await world.sync();
		await mirrorToys(world);
		const [mirror = ''] = mirrorFilesIn(world.data);
		writeFileSync(mirror, 'torn from its first byte on');
		const database = await startWithDamage();
		expect(readFileSync(`${mirror}.damaged`, 'utf8')).toBe('torn from its first byte on');
		expect((await verifyMirror(database, world.data)).damage).toEqual([]);
		expect(
			restoreSession(database, world.data, Number(sessions(database)[0]?.['id'])),
		).toMatchObject({
			written: [],
			existing: [join(world.home, 'toy', 's1.jsonl')],
		});
	});

	it('is not mistaken for one that is merely short of its log', async () => {
		world.write('s1.jsonl', line('aa', 'how do tides work'));
		await world.sync();
		world.database.close();
		rmSync(join(world.data, 'history.db-wal'), {force: true});
		anew = openStore(world.data);
		expect(readdirSync(world.data).filter(name => name.includes('damaged'))).toEqual([]);
	});
});
