/** The mirror of a session that is followed while it is written. */
import {appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {afterEach, beforeEach, expect, it} from 'vitest';
import {readRawEvent} from '../../../source/raw-event.js';
import {readMirrorHead} from '../../../store/archive/adopt.js';
import {restoreSession} from '../../../store/archive/restore.js';
import {verifyMirror} from '../../../store/archive/verify.js';
import {forgetSessions} from '../../../store/forget.js';
import {bytesOf, mirrorFilesIn, mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => world.close());

const both = async (): Promise<void> => {
	await world.sync();
	await mirrorToys(world);
};
const sessionId = (): number => Number(world.session('s1')['id']);
const members = (): number => world.all('SELECT 1 FROM mirror_member').length;

let next = 0;
/** Passes over a transcript that grows by a line each. @returns its path */
const follow = async (passes: number): Promise<string> => {
	const path = join(world.home, 'toy', 's1.jsonl');
	for (let pass = 0; pass < passes; pass++) {
		next++;
		appendFileSync(path, line(`k${next}`, `${next} ${'the moon pulls and pulls '.repeat(20)}`));
		await both();
	}
	return path;
};

/** What comes back when the transcript is gone. */
const restored = async (path: string): Promise<string> => {
	rmSync(path);
	await world.sync();
	restoreSession(world.database, world.data, sessionId());
	return readFileSync(path, 'utf8');
};

it('is written anew when it has many small members, and takes less', async () => {
	await follow(30);
	const [scattered, before] = [members(), bytesOf(mirrorFilesIn(world.data))];
	const path = await follow(20);
	expect(members()).toBeLessThan(scattered);
	const [mirror = '', ...others] = mirrorFilesIn(world.data);
	expect(others).toEqual([]);
	expect(basename(mirror)).toMatch(/^[\da-f]{40}\.2\.mirror$/);
	expect(bytesOf([mirror])).toBeLessThan(before);
	expect(readMirrorHead(mirror)).toMatchObject({agent: 'toy', id: 's1', files: [{path}]});
	expect((await verifyMirror(world.database, world.data)).damage).toEqual([]);
	const content = readFileSync(path, 'utf8');
	expect(await restored(path)).toBe(content);
});

it('keeps earlier states, and goes on growing', async () => {
	const path = await follow(20);
	const gone = Number(world.all<{id: number}>('SELECT max(id) AS id FROM event')[0]?.id);
	const raw = readRawEvent(world.database, [toyAdapter()], gone);
	writeFileSync(path, line('other', 'written anew'));
	await both();
	await follow(45);
	expect(mirrorFilesIn(world.data)[0]).toMatch(/\.3\.mirror$/);
	expect(raw).toContain('the moon');
	expect(readRawEvent(world.database, [toyAdapter()], gone)).toBe(raw);
	const content = readFileSync(path, 'utf8');
	expect(await restored(path)).toBe(content);
});

it('a pass that is killed in between leaves one that counts', async () => {
	const path = await follow(25);
	const [old = ''] = mirrorFilesIn(world.data);
	const killed = old.replace('.mirror', '.2.mirror');
	copyFileSync(old, killed);
	writeFileSync(`${killed}.draft`, 'half of it');
	world.database.prepare("INSERT INTO meta VALUES ('mirroring', '1')").run();
	appendFileSync(path, line('last', 'one more'));
	await both();
	expect(mirrorFilesIn(world.data)).toEqual([old]);
	const content = readFileSync(path, 'utf8');
	expect(await restored(path)).toBe(content);
});

it('a damaged one stays as it is', async () => {
	const path = await follow(31);
	const [mirror = ''] = mirrorFilesIn(world.data);
	const bytes = readFileSync(mirror);
	bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
	writeFileSync(mirror, bytes);
	for (const key of ['x', 'y', 'z']) {
		appendFileSync(path, line(key, 'more'));
		await both();
	}
	expect(mirrorFilesIn(world.data)).toEqual([mirror]);
	expect((await verifyMirror(world.database, world.data)).damage).toHaveLength(1);
});

it('what an interrupted one left is forgotten as well', async () => {
	await follow(3);
	const [old = ''] = mirrorFilesIn(world.data);
	copyFileSync(old, old.replace('.mirror', '.2.mirror'));
	forgetSessions(world.database, {
		folder: world.data,
		home: world.home,
		nowMs: 0,
		sessions: [sessionId()],
	});
	expect(mirrorFilesIn(world.data)).toEqual([]);
});
