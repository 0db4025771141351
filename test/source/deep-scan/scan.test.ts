import {rmSync, writeFileSync} from 'node:fs';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {deepScan} from '../../../source/deep-scan/scan.js';
import type {SearchRequest} from '../../../store/library.js';
import {createLibrary} from '../../../store/read/library.js';
import {mirrorToys} from '../../helpers/mirror.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

const adapters = [toyAdapter()];
const request = (query: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
	query,
	filters: {},
	limit: 50,
	nowMs: 1_700_000_000_000,
	...more,
});

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld(adapters);
});
afterEach(() => world.close());

const scan = (query: string, more: Partial<SearchRequest> = {}) => {
	let clock = 0;
	const {steps, ...rest} = deepScan(world.database, request(query, more), {
		adapters,
		now: () => clock++,
	});
	const all = [...steps];
	return {
		...rest,
		hits: all.flatMap(step => (step.kind === 'hit' ? [step.hit] : [])),
		progress: all.flatMap(step => (step.kind === 'progress' ? [step.progress] : [])),
	};
};

const long = (hidden: string): string =>
	`first line\n${'filler '.repeat(50_000)}${hidden} ${'filler '.repeat(50_000)}`;

describe('deepScan', () => {
	it('finds what lies beyond all that the index keeps, and shows the place', async () => {
		world.write(
			'a.jsonl',
			line('e0', 'hello'),
			line('e1', long('the Hidden:"needle", then'), {role: 'assistant'}),
		);
		await world.sync();
		const library = createLibrary(world.database);
		expect(library.search(request('hidden needle')).hits).toEqual([]);
		const {hits} = scan('hidden:"needle",');
		expect(hits).toMatchObject([
			{
				event: 'toy:a:e1',
				eventIndex: 1,
				kind: 'message',
				role: 'assistant',
				more: 0,
				session: {id: 'a'},
			},
		]);
		const [hit] = hits;
		const [[start, end] = [0, 0]] = hit?.matches ?? [];
		expect(hit?.snippet.slice(start, end)).toBe('Hidden:"needle",');
		expect(scan('"hidden needle"').hits).toEqual([]);
	});

	it('takes the best event of a session and counts the others, the newest session first', async () => {
		world.write(
			'old.jsonl',
			line('e0', 'about xylophones', {kind: 'tool_result', at: 1000}),
			line('e1', 'XYLOPHONES, please', {at: 2000}),
			line('e2', 'xylophones xylophones', {kind: 'tool_result', at: 3000}),
		);
		world.write('new.jsonl', line('n0', 'one xylophone', {at: 9000}));
		await world.sync();
		expect(scan('xylophone').hits.map(({event, more}) => [event, more])).toEqual([
			['toy:new:n0', 0],
			['toy:old:e1', 2],
		]);
	});

	it('obeys filters and places, and leaves out what -word excludes', async () => {
		world.write('a.jsonl', line('a0', 'xylophone in a prompt'));
		world.write('b.jsonl', line('b0', 'x'), line('b1', 'xylophone printed', {kind: 'tool_result'}));
		await world.sync();
		const ids = (query: string, more = {}) => scan(query, more).hits.map(({session}) => session.id);
		expect(ids('xylophone').toSorted()).toEqual(['a', 'b']);
		expect(ids('xylophone id:a')).toEqual(['a']);
		expect(ids('xylophone in:outputs')).toEqual(['b']);
		expect(ids('xylophone', {scope: 'prompts'})).toEqual(['a']);
		expect(ids('xylophone -prompt')).toEqual(['b']);
		expect(ids('agent:toy')).toEqual([]);
	});

	it('a record of which nothing is shown leads to the event before it', async () => {
		world.write(
			'a.jsonl',
			line('e0', 'one'),
			line('e1', 'two'),
			'{"type":"telemetry","secret":"xylophone"}\n',
		);
		await world.sync();
		const {hits} = scan('xylophone');
		expect(hits).toMatchObject([{event: 'toy:a:e1'}]);
		expect(hits[0]?.snippet).toContain('xylophone');
		expect(scan('xylophone in:prompts').hits).toEqual([]);
	});

	it('says how far it is, up to all that there is', async () => {
		world.write('a.jsonl', line('e0', long('needle')));
		world.write('b.jsonl', line('b0', 'small'));
		await world.sync();
		const {progress, hits} = scan('needle');
		expect(hits).toHaveLength(1);
		const done = progress.map(({bytesDone}) => bytesDone);
		expect(done).toEqual(done.toSorted((a, b) => a - b));
		const last = progress.at(-1);
		expect(last).toMatchObject({filesDone: 2, filesTotal: 2, bytesDone: last?.bytesTotal});
		expect(last?.scannedBytes).toBe(last?.bytesTotal);
		// The large file takes several steps: whoever drives the scan can end it between them.
		expect(progress.length).toBeGreaterThan(5);
	});

	it('goes on behind a cursor', async () => {
		for (const id of ['a', 'b', 'c']) world.write(`${id}.jsonl`, line(`${id}0`, 'xylophone'));
		await world.sync();
		const whole = scan('xylophone');
		const cursor = whole.cursorAfter(whole.hits.slice(0, 1));
		world.write('d.jsonl', line('d0', 'xylophone'));
		await world.sync();
		const rest = scan('xylophone', {cursor}).hits.map(({session}) => session.id);
		expect(rest).toEqual(whole.hits.slice(1).map(({session}) => session.id));
	});

	it('looks into the mirror when the agent has cleaned up', async () => {
		const path = world.write('a.jsonl', line('e0', 'hello'), line('e1', long('needle')));
		await world.sync();
		await mirrorToys(world);
		rmSync(path);
		expect(scan('needle').hits).toMatchObject([{event: 'toy:a:e1'}]);
		await world.sync();
		const {hits} = scan('needle');
		expect(hits).toMatchObject([{event: 'toy:a:e1', session: {sourceState: 'deleted'}}]);
		expect(hits[0]?.matches).toHaveLength(1);
	});

	it('a file that shrank or holds something else since is read as it is now', async () => {
		const path = world.write('a.jsonl', line('e0', 'hello'), line('e1', 'two'));
		await world.sync();
		writeFileSync(path, '{"k":"x","t":"xylophone"}');
		expect(scan('xylophone').hits).toMatchObject([{session: {id: 'a'}}]);
		expect(scan('hello').hits).toEqual([]);
	});

	it.each(['"', '*', '(', '\\', '\0', '\ud800', '{}', '-', 'x'.repeat(5000), 'é'.repeat(100_000)])(
		'%j is no error',
		async query => {
			world.write('a.jsonl', line('e0', 'hello'));
			await world.sync();
			expect(() => scan(query)).not.toThrow();
		},
	);
});
