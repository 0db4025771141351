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
import {verifyMirror} from '../../../store/archive/verify.js';
import {mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

/** What an agent, or a person, does to a transcript between two passes. */
const ACTIONS = [
	'append',
	'shorten',
	'rewrite',
	'delete',
	'create',
	'move',
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
		unmount: () => renameSync(root, away),
		mount: () => undefined,
	};
	return (action: Action): void => {
		if (existsSync(away)) {
			if (action === 'mount') renameSync(away, root);
			return;
		}
		if (existsSync(path)) onFile[action]();
		else if (action === 'create') writeFileSync(path, records(4));
		else if (action === 'unmount') onFile.unmount();
	};
};

/** Raw record by key, of everything that the history holds. */
const rawByKey = (world: ToyWorld): ReadonlyMap<string, string | undefined> =>
	new Map(
		world
			.all<{id: number; key: string}>('SELECT id, key FROM event')
			.map(({id, key}) => [key, readRawEvent(world.database, [toyAdapter()], id)]),
	);

it('whatever is done to a transcript, each record that was seen can be read whole', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...ACTIONS), {minLength: 3, maxLength: 12}),
			async actions => {
				const world = createToyWorld();
				try {
					const act = createActor(world);
					const seen = new Map<string, string>();
					for (const action of ['create', ...actions] as const) {
						act(action);
						await world.sync();
						await mirrorToys(world);
						const now = rawByKey(world);
						for (const [key, raw] of seen) expect(now.get(key), `${key} after ${action}`).toBe(raw);
						for (const [key, raw] of now) {
							expect(raw, `${key} after ${action}`).toContain(`"${key}"`);
							seen.set(key, raw ?? '');
						}
					}
					expect((await verifyMirror(world.database, world.data)).damage).toEqual([]);
				} finally {
					world.close();
				}
			},
		),
		{numRuns: 15},
	);
});
