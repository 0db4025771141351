import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {mirrorPath} from '../../../store/archive/member-file.js';
import {restoreSession} from '../../../store/archive/restore.js';
import {mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld} from '../../helpers/toy-adapter.js';

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => world.close());

const talk = [line('aa', 'how do tides work'), line('bb', 'the moon pulls\u0000 é')];
const rowId = (id = 's1'): number => Number(world.session(id)['id']);
const restore = () => restoreSession(world.database, world.data, rowId());
const both = async (): Promise<void> => {
	await world.sync();
	await mirrorToys(world);
};

describe('restore', () => {
	it('puts the same bytes back, for the owner only, and the session is present again', async () => {
		const path = world.write('deep/s1.jsonl', ...talk, '{"k":"torn');
		const before = readFileSync(path);
		await both();
		rmSync(dirname(path), {recursive: true});
		await world.sync();
		expect(world.session('s1')).toMatchObject({source_state: 'deleted'});
		expect(restore()).toEqual({written: [path], existing: []});
		expect(readFileSync(path)).toEqual(before);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(readdirSync(dirname(path))).toEqual(['s1.jsonl']);
		await world.sync();
		expect(world.session('s1')).toMatchObject({source_state: 'present', events: 2});
	});

	it('brings sub-agents back too', async () => {
		world.write('s1.jsonl', ...talk);
		const child = world.write(
			'child.jsonl',
			line('cc', 'look at the moon', {
				facts: {isSubagent: true, parent: {id: 's1', relation: 'subagent', certainty: 'exact'}},
			}),
		);
		await both();
		rmSync(join(world.home, 'toy', 's1.jsonl'));
		rmSync(child);
		await world.sync();
		expect(restore()).toMatchObject({written: [join(world.home, 'toy', 's1.jsonl'), child]});
	});

	it('never touches what is there', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		writeFileSync(path, 'something else');
		expect(restore()).toEqual({written: [], existing: [path]});
		expect(readFileSync(path, 'utf8')).toBe('something else');
		rmSync(path);
		symlinkSync('/nowhere', path);
		expect(restore()).toEqual({written: [], existing: [path]});
	});

	it('refuses when a folder on the way leads out of the root, and when the root is not mounted', async () => {
		const path = world.write('deep/s1.jsonl', ...talk);
		await both();
		rmSync(dirname(path), {recursive: true});
		const elsewhere = join(world.home, 'elsewhere');
		mkdirSync(elsewhere);
		symlinkSync(elsewhere, dirname(path));
		expect(restore()).toMatchObject({reason: expect.stringContaining('no longer lies in')});
		expect(readdirSync(elsewhere)).toEqual([]);
		rmSync(join(world.home, 'toy'), {recursive: true});
		expect(restore()).toMatchObject({reason: expect.stringContaining('not mounted')});
		expect(existsSync(join(world.home, 'toy'))).toBe(false);
	});

	it('refuses a session that lies in a database', async () => {
		world.write('s1.jsonl', ...talk);
		await both();
		world.database.prepare("UPDATE mirror_file SET kind = 'rows'").run();
		rmSync(join(world.home, 'toy', 's1.jsonl'));
		expect(restore()).toMatchObject({reason: expect.stringContaining('never written to')});
		expect(readdirSync(join(world.home, 'toy'))).toEqual([]);
	});

	it('says so when nothing was mirrored, and writes nothing out of a damaged copy', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		rmSync(path);
		expect(restore()).toMatchObject({reason: expect.stringContaining('not mirrored')});
		world.write('s1.jsonl', ...talk);
		await both();
		rmSync(path);
		const [{name = ''} = {}] = world.all<{name: string}>('SELECT name FROM mirror');
		const mirror = mirrorPath(world.data, name);
		const bytes = readFileSync(mirror);
		bytes[bytes.length - 12] = (bytes[bytes.length - 12] ?? 0) ^ 0xff;
		chmodSync(mirror, 0o600);
		writeFileSync(mirror, bytes);
		expect(restore).toThrow(/damaged/);
		expect(readdirSync(join(world.home, 'toy'))).toEqual([]);
	});
});
