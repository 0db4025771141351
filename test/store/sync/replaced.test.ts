import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import type {Adapter, Source} from '../../../adapters/types.js';
import {applyMark} from '../../../store/marks-file.js';
import {findEventSource} from '../../../store/raw.js';
import {mirrorFilesIn, mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

/** An agent whose files say in their first line which session they are of. */
const named = (change: Partial<Adapter> = {}): Adapter => {
	const toy = toyAdapter();
	const withoutId = ({sessionId: _, ...source}: Source): Source => source;
	return {
		...toy,
		*discover(root) {
			for (const item of toy.discover(root))
				yield 'source' in item ? {source: withoutId(item.source)} : item;
		},
		*read(source, from) {
			const [head = '{}'] = readFileSync(source.path, 'utf8').split('\n', 1);
			const {id} = JSON.parse(head) as {id: string};
			yield* toy.read({...source, sessionId: id}, from);
		},
		...change,
	};
};

const head = (id: string, facts: object = {}): string => `${JSON.stringify({id, facts})}\n`;
const talk = [line('a', 'how do tides work'), line('b', 'the moon pulls', {role: 'assistant'})];

let world: ToyWorld;
let path: string;
beforeEach(async () => {
	world = createToyWorld([named()]);
	path = world.write('one.jsonl', head('old', {cwd: '/w/alpha', customTitle: 'Tides'}), ...talk);
	await world.sync();
});
afterEach(() => world.close());

const sessions = () =>
	world
		.all<{native_id: string}>('SELECT native_id FROM session ORDER BY 1')
		.map(row => row.native_id);

describe('a file that holds another session now', () => {
	it('gives the new one, and leaves the old one as its agent deleted it', async () => {
		writeFileSync(path, head('new', {cwd: '/w/beta'}) + line('x', 'what is rust'));
		expect(await world.sync()).toMatchObject({sources: 1, read: 1, added: 1});
		expect(world.session('new')).toMatchObject({cwd: '/w/beta', source_state: 'present'});
		expect(world.texts('new')).toEqual(['what is rust']);
		expect(world.session('old')).toMatchObject({
			title: 'Tides',
			cwd: '/w/alpha',
			source_state: 'deleted',
			deleted_at: expect.any(Number),
		});
		expect(world.texts('old')).toEqual(['how do tides work', 'the moon pulls']);
		expect(world.found('moon')).toEqual(['old']);
		expect(await world.sync()).toMatchObject({read: 0, unchanged: 1, updated: 0});
	});

	it('is not asked for the records of the old one', async () => {
		writeFileSync(path, head('new') + line('x', 'what is rust'));
		await world.sync();
		const placeOf = (key: string) => {
			const [event] = world.all<{id: number}>('SELECT id FROM event WHERE key = ?', key);
			return event && findEventSource(world.database, event.id)?.source.path;
		};
		expect(placeOf('x')).toBe(path);
		expect(placeOf('a')).toBeUndefined();
	});

	it('gives the old one back when that lies there again, whatever lay there between', async () => {
		const before = readFileSync(path);
		for (const id of ['new', 'newer']) {
			writeFileSync(path, head(id) + line('x', `what is ${id}`));
			await world.sync();
		}
		writeFileSync(path, before);
		await world.sync();
		expect(world.session('old')).toMatchObject({source_state: 'present', title: 'Tides'});
		expect(world.texts('old')).toEqual(['how do tides work', 'the moon pulls']);
		expect(world.session('newer')).toMatchObject({source_state: 'deleted'});
		expect(sessions()).toEqual(['new', 'newer', 'old']);
	});

	it('lets the old one go on where it went', async () => {
		renameSync(path, join(world.home, 'toy/two.jsonl'));
		writeFileSync(path, head('new') + line('x', 'what is rust'));
		await world.sync();
		expect(world.session('old')).toMatchObject({source_state: 'present'});
		expect(world.texts('new')).toEqual(['what is rust']);
	});
});

describe('a session under another id', () => {
	const renamed = head('new', {cwd: '/w/alpha'}) + talk.join('') + line('c', 'and at night');

	it('is read from its start, and replaces the one under the old id', async () => {
		await mirrorToys(world, {adapters: [named()]});
		expect(mirrorFilesIn(world.data)).toHaveLength(1);
		writeFileSync(path, renamed);
		await world.sync();
		expect(sessions()).toEqual(['new']);
		expect(world.texts('new')).toEqual(['how do tides work', 'the moon pulls', 'and at night']);
		expect(world.session('new')).toMatchObject({parent_native: null, prompts: 2});
		expect(world.found('moon')).toEqual(['new']);
		expect(mirrorFilesIn(world.data)).toEqual([]);
		expect(await world.sync()).toMatchObject({read: 0, unchanged: 1});
	});

	it('is the same when only what stands outside of the file says so', async () => {
		const told = named({
			read: (source, from) => toyAdapter().read({...source, sessionId: 'new'}, from),
		});
		writeFileSync(path, readFileSync(path, 'utf8') + line('c', 'and at night'));
		await world.sync({adapters: [told]});
		expect(sessions()).toEqual(['new']);
		expect(world.texts('new')).toEqual(['how do tides work', 'the moon pulls', 'and at night']);
	});

	it('leaves the old one alone that the user has marked', async () => {
		const at = '2026-01-01T00:00:00Z';
		applyMark(world.database, {at, agent: 'toy', id: 'old', starred: true});
		writeFileSync(path, renamed);
		await world.sync();
		expect(sessions()).toEqual(['new', 'old']);
		expect(world.session('old')).toMatchObject({source_state: 'deleted'});
	});

	it('leaves the old one alone that has a record more', async () => {
		writeFileSync(path, head('new') + talk[0] + line('c', 'and at night'));
		await world.sync();
		expect(sessions()).toEqual(['new', 'old']);
		expect(world.found('moon')).toEqual(['old']);
	});

	it('leaves the old one alone as long as another file feeds it', async () => {
		world.write('copy.jsonl', head('old'), ...talk);
		await world.sync();
		writeFileSync(path, renamed);
		await world.sync();
		expect(sessions()).toEqual(['new', 'old']);
		expect(world.session('old')).toMatchObject({source_state: 'present'});
	});

	it('by a newer parser replaces it, whatever that no longer reads', async () => {
		const newer = named({
			parserVersion: 2,
			*read(source) {
				for (const batch of toyAdapter().read({...source, sessionId: 'new'}))
					yield {...batch, events: batch.events.filter(({key}) => key !== 'b')};
			},
		});
		await world.sync({adapters: [newer]});
		expect(sessions()).toEqual(['new']);
		expect(world.texts('new')).toEqual(['how do tides work']);
	});
});
