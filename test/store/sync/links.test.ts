import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

let world: ToyWorld;
afterEach(() => world.close());

const shared = [line('a', 'first question'), line('b', 'first answer', {role: 'assistant'})];
const fork = (...more: readonly string[]) => [
	`${JSON.stringify({facts: {parent: {id: 'p', relation: 'fork', certainty: 'exact'}}})}\n`,
	...more,
];
const parentOf = (id: string) =>
	world.all(
		`SELECT parent.native_id AS id, child.parent_relation AS relation, event.key AS event FROM session AS child
		LEFT JOIN session AS parent ON parent.id = child.parent_id LEFT JOIN event ON event.id = child.parent_event WHERE child.native_id = ?`,
		id,
	)[0];

describe('records copied from a parent', () => {
	beforeEach(() => {
		world = createToyWorld();
	});

	it('are shown, counted and found once, at the parent', async () => {
		world.write('p.jsonl', ...shared, line('c', 'more of the parent'));
		world.write('f.jsonl', ...fork(...shared, line('d', 'own question')));
		await world.sync();
		expect(world.texts('f')).toEqual([
			'first question (copied)',
			'first answer (copied)',
			'own question',
		]);
		expect(world.session('f')).toMatchObject({prompts: 1, replies: 0, title: 'own question'});
		expect(world.session('p')).toMatchObject({prompts: 2, replies: 1});
		expect(world.found('first')).toEqual(['p']);
		expect(parentOf('f')).toEqual({id: 'p', relation: 'fork', event: 'b'});
		expect(await world.sync()).toMatchObject({read: 0, updated: 0});
	});

	it('are settled when the parent is read later', async () => {
		world.write('f.jsonl', ...fork(...shared, line('d', 'own question')));
		await world.sync();
		expect(world.found('first')).toEqual(['f']);
		world.write('p.jsonl', ...shared);
		await world.sync();
		expect(world.found('first')).toEqual(['p']);
		expect(world.session('f')).toMatchObject({prompts: 1});
	});

	it('count their usage once', async () => {
		const usage = {usage: {key: 'm1', input: 10, output: 5, cacheRead: 0, cacheWrite: 0}};
		world.write('p.jsonl', line('a', 'one', usage));
		world.write(
			'f.jsonl',
			...fork(line('a', 'one', usage), line('b', 'two', {usage: {...usage.usage, key: 'm2'}})),
		);
		await world.sync();
		expect(world.session('p')).toMatchObject({output_tokens: 5});
		expect(world.session('f')).toMatchObject({output_tokens: 5});
	});

	it('prove a fork without a pointer: the file begun later is the child', async () => {
		world.write(
			'x.jsonl',
			`${JSON.stringify({facts: {bornAtMs: 2000}})}\n`,
			...shared,
			line('d', 'own words'),
		);
		world.write(
			'y.jsonl',
			`${JSON.stringify({facts: {bornAtMs: 1000}})}\n`,
			...shared,
			line('c', 'other words'),
		);
		await world.sync();
		expect(parentOf('x')).toEqual({id: 'y', relation: 'fork', event: 'b'});
		expect(parentOf('y')).toMatchObject({id: null});
		expect(world.texts('y')).toEqual(['first question', 'first answer', 'other words']);
	});
});

describe('keys that are unique in a session only', () => {
	it('copies are the events that follow the parent from the start', async () => {
		world = createToyWorld([toyAdapter({hasGlobalKeys: false})]);
		world.write(
			'p.jsonl',
			line('L1', 'first question'),
			line('L2', 'first answer', {role: 'assistant'}),
			line('L3', 'yes'),
		);
		world.write(
			'f.jsonl',
			...fork(
				line('L4', 'first question'),
				line('L5', 'first answer', {role: 'assistant'}),
				line('L6', 'no'),
				line('L7', 'yes'),
			),
		);
		await world.sync();
		expect(world.texts('f')).toEqual([
			'first question (copied)',
			'first answer (copied)',
			'no',
			'yes',
		]);
		expect(parentOf('f')).toEqual({id: 'p', relation: 'fork', event: 'L2'});
	});

	it('what the parent had rewound before the fork does not end the copies', async () => {
		world = createToyWorld([toyAdapter({hasGlobalKeys: false})]);
		world.write(
			'p.jsonl',
			line('L1', 'first question'),
			line('L2', 'a wrong turn'),
			`${JSON.stringify({undo: 'L2'})}\n`,
			line('L3', 'second question'),
		);
		world.write(
			'f.jsonl',
			...fork(
				line('M1', 'first question'),
				line('M2', 'second question'),
				line('M3', 'own question'),
			),
		);
		await world.sync();
		expect(world.texts('f')).toEqual([
			'first question (copied)',
			'second question (copied)',
			'own question',
		]);
	});

	it('a fork that was never continued has the title of what it copied', async () => {
		world = createToyWorld([toyAdapter({hasGlobalKeys: false})]);
		world.write('p.jsonl', line('L1', 'first question'), line('L2', 'second question'));
		world.write('f.jsonl', ...fork(line('M1', 'first question')));
		await world.sync();
		expect(world.session('f')).toMatchObject({title: 'first question', prompts: 0});
	});

	it('a fork that only points to its parent copies nothing', async () => {
		world = createToyWorld([toyAdapter({hasGlobalKeys: false})]);
		world.write(
			'p.jsonl',
			line('o1', 'go on'),
			line('o2', 'done', {role: 'assistant'}),
			line('o3', 'later'),
		);
		world.write(
			'f.jsonl',
			`${JSON.stringify({facts: {parent: {id: 'p', relation: 'fork', certainty: 'exact', beforeKey: 'o3'}}})}\n`,
			line('o3', 'go on'),
		);
		await world.sync();
		expect(world.texts('f')).toEqual(['go on']);
		expect(parentOf('f')).toEqual({id: 'p', relation: 'fork', event: 'o2'});
	});
});

describe('sub-agents', () => {
	it('hang on the call that started them and are counted at their parent', async () => {
		world = createToyWorld();
		world.write('p.jsonl', ...shared, line('t', 'look around', {kind: 'tool_use', call: 'c7'}));
		world.write(
			'k.jsonl',
			`${JSON.stringify({facts: {isSubagent: true, description: 'Look around', parent: {id: 'p', relation: 'subagent', certainty: 'exact', callId: 'c7'}}})}\n`,
			line('m', 'the task', {kind: 'meta'}),
		);
		await world.sync();
		expect(parentOf('k')).toEqual({id: 'p', relation: 'subagent', event: 't'});
		expect(world.session('p')).toMatchObject({children: 1});
		expect(world.session('k')).toMatchObject({
			kind: 'subagent',
			title: 'Look around',
			title_from: 'description',
			hidden_by: null,
			children: 0,
		});
		expect(world.session('k')['family_id']).toBe(world.session('p')['id']);
	});
});
