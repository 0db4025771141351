import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {expect, it} from 'vitest';
import {readRawEvent} from '../../../source/raw-event.js';
import {restoreSession} from '../../../store/archive/restore.js';
import {verifyMirror} from '../../../store/archive/verify.js';
import {mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';
import {zstdFrame} from '../../helpers/zstd-frame.js';

/** What an agent, or a person, does to a transcript between two passes. */
const ACTIONS = [
	'append',
	'shorten',
	'rewrite',
	'delete',
	'create',
	'move',
	'compress',
	'unpack',
	'unmount',
	'mount',
] as const;
type Action = (typeof ACTIONS)[number];

const createActor = (world: ToyWorld) => {
	const root = join(world.home, 'toy');
	const away = join(world.home, 'unmounted');
	let path = join(root, 's1.jsonl');
	let next = 0;
	const records = (count: number): string =>
		Array.from({length: count}, () => {
			next++;
			return line(`key-${next}-`, `record ${next} ${'and so on '.repeat(next % 9)}`);
		}).join('');
	const lines = (): readonly string[] => readFileSync(path, 'utf8').split(/(?<=\n)/);
	const onFile: Readonly<Record<Action, () => void>> = {
		append: () => appendFileSync(path, records(3)),
		shorten: () => writeFileSync(path, lines().slice(0, -2).join('')),
		rewrite: () => writeFileSync(path, records(1) + lines().slice(2).join('')),
		delete: () => rmSync(path),
		create: () => undefined,
		move() {
			const to = join(root, path.includes('archive') ? '' : 'archive', 's1.jsonl');
			mkdirSync(dirname(to), {recursive: true});
			renameSync(path, to);
			path = to;
		},
		compress() {
			packed = readFileSync(path, 'utf8');
			writeFileSync(`${path}.zst`, zstdFrame(packed));
			rmSync(path);
		},
		unpack: () => undefined,
		unmount: () => renameSync(root, away),
		mount: () => undefined,
	};
	/** A compressed transcript is only ever taken as a whole. */
	const onPacked: Readonly<Partial<Record<Action, () => void>>> = {
		delete: () => rmSync(`${path}.zst`),
		unmount: onFile.unmount,
		unpack() {
			writeFileSync(path, packed);
			rmSync(`${path}.zst`);
		},
	};
	let packed = '';
	const content = (): string | undefined => {
		if (existsSync(path)) return readFileSync(path, 'utf8');
		return existsSync(`${path}.zst`) ? packed : undefined;
	};
	const act = (action: Action): void => {
		if (existsSync(away)) {
			if (action === 'mount') renameSync(away, root);
			return;
		}
		if (existsSync(path)) onFile[action]();
		else if (existsSync(`${path}.zst`)) onPacked[action]?.();
		else if (action === 'create') writeFileSync(path, records(4));
		else if (action === 'unmount') onFile.unmount();
	};
	return {act, content, isMounted: () => !existsSync(away), path: () => path};
};

/** Raw record by key, of everything that the history holds. */
const rawByKey = (world: ToyWorld): ReadonlyMap<string, string | undefined> =>
	new Map(
		world
			.all<{id: number; key: string}>('SELECT id, key FROM event')
			.map(({id, key}) => [key, readRawEvent(world.database, [toyAdapter()], id)]),
	);

it('whatever is done to a transcript, each record that was seen can be read whole, and the last state comes back', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...ACTIONS), {minLength: 3, maxLength: 12}),
			async actions => {
				const world = createToyWorld();
				try {
					const {act, ...file} = createActor(world);
					let last: {readonly path: string; readonly content: string} | undefined;
					const seen = new Map<string, string>();
					for (const action of ['create', ...actions] as const) {
						act(action);
						await world.sync();
						await mirrorToys(world);
						const content = file.isMounted() ? file.content() : undefined;
						if (content !== undefined) last = {path: file.path(), content};
						const now = rawByKey(world);
						for (const [key, raw] of seen) expect(now.get(key), `${key} after ${action}`).toBe(raw);
						for (const [key, raw] of now) {
							expect(raw, `${key} after ${action}`).toContain(`"${key}"`);
							seen.set(key, raw ?? '');
						}
					}
					expect((await verifyMirror(world.database, world.data)).damage).toEqual([]);
					if (!file.isMounted() || last === undefined) return;
					for (const ending of ['', '.zst']) rmSync(last.path + ending, {force: true});
					await world.sync();
					restoreSession(world.database, world.data, Number(world.session('s1')['id']));
					expect(readFileSync(last.path, 'utf8'), 'restored').toBe(last.content);
				} finally {
					world.close();
				}
			},
		),
		{numRuns: 25},
	);
});
