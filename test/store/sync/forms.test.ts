import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, it} from 'vitest';
import {SourceUnreadable} from '../../../adapters/types.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

let world: ToyWorld;
let isLocked = false;
beforeEach(() => {
	isLocked = false;
	const toy = toyAdapter();
	world = createToyWorld([
		toyAdapter({
			*discover(root) {
				for (const item of toy.discover(root))
					yield 'source' in item
						? {source: {...item.source, rank: item.source.path.includes('/rich/') ? 1 : 0}}
						: item;
			},
			*read(source, from) {
				if (isLocked && source.rank === 1) throw new SourceUnreadable('busy', 'locked');
				yield* toy.read(source, from);
			},
		}),
	]);
});
afterEach(() => world.close());

const poor = () =>
	world.write(
		'poor/s1.jsonl',
		line('L1', 'how do tides work'),
		line('L2', 'the moon', {role: 'assistant'}),
	);
const rich = () =>
	world.write(
		'rich/s1.jsonl',
		line('r1', 'how do tides work'),
		line('r2', 'the moon pulls', {role: 'assistant'}),
		line('r3', 'ls', {kind: 'tool_use', call: 'c1'}),
	);

it('shows only the richest form, whichever is read first', async () => {
	poor();
	await world.sync();
	rich();
	await world.sync();
	expect(world.session('s1')).toMatchObject({prompts: 1, replies: 1, tool_calls: 1});
	expect(await world.sync()).toMatchObject({read: 0, updated: 0});
});

it('shows the poorer form while the richest cannot be read, or is gone', async () => {
	poor();
	const path = rich();
	isLocked = true;
	await world.sync();
	expect(world.session('s1')).toMatchObject({prompts: 1, replies: 1, tool_calls: 0});
	isLocked = false;
	await world.sync();
	expect(world.session('s1')).toMatchObject({prompts: 1, replies: 1, tool_calls: 1});
	rmSync(join(path));
	await world.sync();
	expect(world.session('s1')).toMatchObject({prompts: 1, replies: 1});
});
