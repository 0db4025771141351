import {
	appendFileSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {readRawEvent} from '../../../source/raw-event.js';
import {readMirrorHead} from '../../../store/archive/adopt.js';
import {createMirrorReader} from '../../../store/archive/mirror-read.js';
import {mirrorFiles, versionsOf} from '../../../store/archive/mirror-rows.js';
import {verifyMirror} from '../../../store/archive/verify.js';
import {bytesOf, mirrorFilesIn, mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';
import {zstdFrame} from '../../helpers/zstd-frame.js';

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => world.close());

const both = async (): Promise<void> => {
	await world.sync();
	await mirrorToys(world);
};

const sessionId = (id: string): number => Number(world.session(id)['id']);

/** What the mirror says a file of a session holds now. */
const mirrored = (id: string, path?: string): string | undefined => {
	const files = mirrorFiles(world.database, sessionId(id));
	const file = path === undefined ? files[0] : files.find(one => one.path === path);
	const [state] = file ? versionsOf(world.database, file.id) : [];
	const reader = createMirrorReader(world.database, world.data);
	return file && state && reader.version(file.id, state)?.toString();
};

/** The raw record of each event, in order. */
const rawRecords = (id: string): readonly (string | undefined)[] =>
	world
		.all<{id: number}>('SELECT id FROM event WHERE session_id = ? ORDER BY position', sessionId(id))
		.map(event => readRawEvent(world.database, [toyAdapter()], event.id));

const talk = [
	line('aa', 'how do tides work'),
	line('bb', 'the moon pulls'),
	line('cc', 'at night'),
];

describe('a mirror pass', () => {
	it('keeps the bytes of a session in a file that says whose they are, for the owner only', async () => {
		world.write('s1.jsonl', ...talk);
		await both();
		const [path = ''] = mirrorFilesIn(world.data);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		const source = join(world.home, 'toy', 's1.jsonl');
		const root = join(world.home, 'toy');
		expect(readMirrorHead(path)).toEqual({
			agent: 'toy',
			id: 's1',
			files: [{path: source, root, kind: 'file'}],
		});
		expect(mirrored('s1')).toBe(talk.join(''));
	});

	it('writes nothing when nothing changed, and only what was appended when something did', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		const before = bytesOf(mirrorFilesIn(world.data));
		expect(await mirrorToys(world)).toMatchObject({sources: 0, bytes: 0});
		expect(bytesOf(mirrorFilesIn(world.data))).toBe(before);
		const more = line('dd', 'one more');
		appendFileSync(path, more);
		await world.sync();
		expect(await mirrorToys(world)).toMatchObject({sources: 1, bytes: more.length});
		expect(mirrored('s1')).toBe(talk.join('') + more);
	});

	it('keeps a torn last line as it is, and its rest when it comes', async () => {
		const path = world.write('s1.jsonl', ...talk, '{"k":"dd","t":"cut');
		await both();
		appendFileSync(path, ' off"}\n');
		await both();
		expect(mirrored('s1')).toBe(readFileSync(path, 'utf8'));
	});

	it('follows a file that was moved, and one that was compressed, without keeping it twice', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		const moved = join(dirname(path), 'archive', 's1.jsonl');
		mkdirSync(dirname(moved));
		renameSync(path, moved);
		await world.sync();
		expect(await mirrorToys(world)).toMatchObject({bytes: 0});
		expect(mirrored('s1', moved)).toBe(talk.join(''));
		writeFileSync(`${moved}.zst`, zstdFrame(talk.join('')));
		rmSync(moved);
		await world.sync();
		expect(await mirrorToys(world)).toMatchObject({bytes: 0});
		expect(mirrored('s1', `${moved}.zst`)).toBe(talk.join(''));
	});

	it('keeps a compressed transcript as the plain one', async () => {
		world.write('s1.jsonl.zst');
		writeFileSync(join(world.home, 'toy', 's1.jsonl.zst'), zstdFrame(talk.join('')));
		await both();
		expect(mirrored('s1')).toBe(talk.join(''));
	});

	it('skips what belongs to several sessions, and keeps companions', async () => {
		const index = world.write('index.txt', 'names of all sessions');
		const output = world.write('outputs/1.txt', 'a very long output');
		const stampOfIndex = {...statSync(index)};
		const adapter = toyAdapter({
			*discover(root) {
				for (const item of toyAdapter().discover(root))
					if ('source' in item)
						yield {
							source: {
								...item.source,
								files: [
									...item.source.files,
									{
										path: index,
										sizeBytes: stampOfIndex.size,
										mtimeMs: stampOfIndex.mtimeMs,
										inode: stampOfIndex.ino,
										device: stampOfIndex.dev,
									},
								],
							},
						};
			},
			companions: ({sessionId: id}) => (id === 's1' ? [output] : []),
		});
		world.write('s1.jsonl', ...talk);
		world.write('s2.jsonl', line('x', 'other'));
		await world.sync({adapters: [adapter]});
		await mirrorToys(world, {adapters: [adapter]});
		expect(mirrorFiles(world.database, sessionId('s1')).map(({path}) => path)).toEqual([
			join(world.home, 'toy', 's1.jsonl'),
			output,
		]);
		expect(mirrored('s1', output)).toBe('a very long output');
	});

	it('keeps the rows of a database session, and what they were before', async () => {
		const path = join(world.home, 'toy', 'store.db');
		let rows = [{table: 'message', row: 'm1', raw: '{"text":"first words"}'}];
		writeFileSync(path, 'SQLite format 3\0 and the rest');
		const adapter = toyAdapter({
			*discover() {
				const {size, mtimeMs, ino, dev} = statSync(path);
				const stamp = {path, sizeBytes: size, mtimeMs, inode: ino, device: dev};
				yield {
					source: {
						key: `${path}#s1`,
						path,
						files: [stamp],
						mode: 'replace',
						mark: JSON.stringify(rows),
						sessionId: 's1',
					},
				};
			},
			*read() {
				yield {
					sessionId: 's1',
					facts: {},
					events: rows.map(({table, row, raw}) => ({
						key: row,
						kind: 'message' as const,
						role: 'user' as const,
						text: (JSON.parse(raw) as {text: string}).text,
						locator: {table, row},
					})),
					usage: [],
					problems: [],
					unknown: {},
					undo: [],
					cursor: {offset: 0, lineNumber: 0, state: null},
				};
			},
			raw: (_, locator) =>
				'table' in locator ? rows.find(({row}) => row === locator.row)?.raw : undefined,
		});
		const options = {adapters: [adapter]};
		await world.sync(options);
		await mirrorToys(world, options);
		rows = [{table: 'message', row: 'm2', raw: '{"text":"second words"}'}];
		await world.sync(options);
		await mirrorToys(world, options);
		rmSync(path);
		const events = world.all<{id: number}>('SELECT id FROM event ORDER BY position');
		expect(events.map(({id}) => readRawEvent(world.database, [], id))).toEqual([
			'{"text":"first words"}',
			'{"text":"second words"}',
		]);
	});
});

describe('a rewritten file', () => {
	it('is kept anew only as far as it differs, and gives vanished records back', async () => {
		const long = Array.from({length: 200}, (_, index) =>
			line(`old-${index}`, `${index} ${'x'.repeat(200)} ${Math.sin(index)}`),
		);
		world.write('s1.jsonl', ...long);
		await both();
		const before = bytesOf(mirrorFilesIn(world.data));
		world.write('s1.jsonl', line('new-1', 'a summary of it'), ...long.slice(100));
		await both();
		expect(bytesOf(mirrorFilesIn(world.data)) - before).toBeLessThan(before / 10);
		expect(mirrored('s1')).toBe(line('new-1', 'a summary of it') + long.slice(100).join(''));
		const texts = rawRecords('s1').map(raw => (JSON.parse(raw ?? '{}') as {k?: string}).k);
		expect(texts.toSorted()).toEqual(
			[...long.map((_, index) => `old-${index}`), 'new-1'].toSorted(),
		);
	});

	it('is byte for byte what it is, whatever is done to it', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(fc.integer({min: 0, max: 30}), {maxLength: 12}), {
					minLength: 1,
					maxLength: 5,
				}),
				async states => {
					const own = createToyWorld();
					try {
						for (const state of states) {
							own.write(
								's1.jsonl',
								line('first', 'always there'),
								...state.map(n => line(`k${n}`, `${'words '.repeat(n)}${n}`)),
							);
							await own.sync();
							await mirrorToys(own);
							const id = Number(own.session('s1')['id']);
							const [file] = mirrorFiles(own.database, id);
							const [now] = versionsOf(own.database, file?.id ?? 0);
							const reader = createMirrorReader(own.database, own.data);
							expect(now && reader.version(file?.id ?? 0, now)?.toString()).toBe(
								readFileSync(join(own.home, 'toy', 's1.jsonl'), 'utf8'),
							);
						}
						expect((await verifyMirror(own.database, own.data)).damage).toEqual([]);
					} finally {
						own.close();
					}
				},
			),
			{numRuns: 15},
		);
	});
});

describe('raw records', () => {
	it('come from the mirror when the source is gone', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		rmSync(path);
		expect(rawRecords('s1')).toEqual(talk.map(text => text.trimEnd()));
		await world.sync();
		expect(rawRecords('s1')).toEqual(talk.map(text => text.trimEnd()));
	});

	it('are not there when they were never mirrored', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		rmSync(path);
		await world.sync();
		expect(rawRecords('s1')).toEqual([undefined, undefined, undefined]);
	});
});

describe('damage', () => {
	it('a torn member is cut off and written again', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		const [mirror = ''] = mirrorFilesIn(world.data);
		const whole = readFileSync(mirror).length;
		// A pass that was killed between the bytes and the rows.
		appendFileSync(mirror, readFileSync(mirror).subarray(0, 30));
		world.database.prepare("INSERT INTO meta VALUES ('mirroring', '1')").run();
		world.write('s2.jsonl', line('zz', 'another'));
		await both();
		expect(readFileSync(mirror).length).toBe(whole);
		appendFileSync(path, line('dd', 'later'));
		await both();
		expect(mirrored('s1')).toBe(readFileSync(path, 'utf8'));
		expect((await verifyMirror(world.database, world.data)).damage).toEqual([]);
	});

	it('is found, and mended while the source is there', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		const [mirror = ''] = mirrorFilesIn(world.data);
		const bytes = readFileSync(mirror);
		bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 0xff;
		writeFileSync(mirror, bytes);
		const check = await verifyMirror(world.database, world.data);
		expect(check.damage).toMatchObject([{session: 'toy:s1', path: mirror, members: 1}]);
		await mirrorToys(world);
		expect(mirrored('s1')).toBe(readFileSync(path, 'utf8'));
		expect((await verifyMirror(world.database, world.data)).damage).toEqual([]);
	});

	it('a file that lost its end, or the whole mirror, is written again', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await both();
		const [mirror = ''] = mirrorFilesIn(world.data);
		truncateSync(mirror, 40);
		appendFileSync(path, line('dd', 'later'));
		await both();
		expect(mirrored('s1')).toBe(readFileSync(path, 'utf8'));
		rmSync(join(world.data, 'mirror'), {recursive: true});
		await mirrorToys(world);
		expect(mirrored('s1')).toBe(readFileSync(path, 'utf8'));
	});

	it('a pass that is stopped goes on where it was', async () => {
		const path = world.write('s1.jsonl', `${line('big', 'x'.repeat(3_000_000))}`, ...talk);
		await world.sync();
		let members = 0;
		const summary = await mirrorToys(world, {shouldStop: () => ++members > 1});
		expect(summary.pending).toBe(1);
		expect(summary.bytes).toBeLessThan(statSync(path).size);
		await mirrorToys(world);
		expect(mirrored('s1')).toBe(readFileSync(path, 'utf8'));
		expect(mirrorFiles(world.database, sessionId('s1'))[0]?.kept).toBe(statSync(path).size);
	});
});
