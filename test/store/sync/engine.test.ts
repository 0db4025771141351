import {
	appendFileSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {SourceUnreadable} from '../../../adapters/types.js';
import {rememberForgotten} from '../../../store/forgotten.js';
import {createToyWorld, line, type ToyWorld, toyAdapter} from '../../helpers/toy-adapter.js';

let world: ToyWorld;
beforeEach(() => {
	world = createToyWorld();
});
afterEach(() => world.close());

const talk = [
	line('a', 'how do tides work', {facts: {cwd: '/w/alpha'}}),
	line('b', 'the moon pulls', {role: 'assistant'}),
	line('c', 'and at night', {}),
];

describe('a first pass', () => {
	it('stores the session with its counts, title and times', async () => {
		world.write(
			's1.jsonl',
			...talk,
			line('d', 'ls', {kind: 'tool_use', call: 'c1', at: 5_000_000}),
		);
		expect(await world.sync()).toMatchObject({
			sources: 1,
			read: 1,
			added: 1,
			updated: 0,
			problems: 0,
		});
		expect(world.session('s1')).toMatchObject({
			title: 'how do tides work',
			title_from: 'prompt',
			prompts: 2,
			replies: 1,
			tool_calls: 1,
			events: 4,
			cwd: '/w/alpha',
			kind: 'main',
			source_state: 'present',
			updated_at: 5_000_000,
		});
		expect(world.found('moon')).toEqual(['s1']);
	});

	it('gives newer sources lower event ids, whatever the order of reading', async () => {
		const old = world.write('old.jsonl', line('o', 'old words'));
		const young = world.write('young.jsonl', line('y', 'young words'));
		utimesSync(old, 1000, 1000);
		utimesSync(young, 2000, 2000);
		await world.sync();
		expect(
			world.all<{text: string}>('SELECT text FROM event ORDER BY id').map(({text}) => text),
		).toEqual(['young words', 'old words']);
	});

	it('hides a source without any message', async () => {
		world.write('s1.jsonl', line('m', 'injected', {kind: 'meta'}));
		await world.sync();
		expect(world.session('s1')).toMatchObject({hidden_by: 'empty', events: 1});
	});

	it('holds a session that its agent began by itself for automated, until a person types', async () => {
		const begun = line('m', 'nightly job', {kind: 'meta', facts: {isAutomated: true}});
		const path = world.write('s1.jsonl', begun, line('b', 'all is well', {role: 'assistant'}));
		await world.sync();
		expect(world.session('s1')).toMatchObject({kind: 'automated', prompts: 0, title_from: 'reply'});
		appendFileSync(path, line('c', 'and the backups?'));
		await world.sync();
		expect(world.session('s1')).toMatchObject({kind: 'main', prompts: 1});
	});

	it('counts damaged lines and unknown kinds, and keeps what stands around them', async () => {
		world.write(
			's1.jsonl',
			talk[0] as string,
			'{"k": broken\n',
			'{"type":"new-kind"}\n',
			talk[1] as string,
		);
		expect(await world.sync()).toMatchObject({problems: 1});
		expect(world.texts('s1')).toEqual(['how do tides work', 'the moon pulls']);
		expect(world.session('s1')).toMatchObject({problems: 1});
		expect(world.all('SELECT unknown FROM source')).toEqual([{unknown: '{"new-kind":1}'}]);
	});
});

describe('an unchanged store', () => {
	it('is neither read nor written again', async () => {
		world.write('s1.jsonl', ...talk);
		world.write('s2.jsonl', line('x', 'other'));
		await world.sync();
		const before = world.all('SELECT * FROM session, source, event');
		expect(await world.sync()).toMatchObject({
			sources: 2,
			read: 0,
			unchanged: 2,
			added: 0,
			updated: 0,
		});
		expect(world.all('SELECT * FROM session, source, event')).toEqual(before);
	});

	it('only touched, is looked at but not read', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		utimesSync(path, 5000, 5000);
		expect(await world.sync()).toMatchObject({read: 0, added: 0, updated: 0});
	});
});

describe('a log that grows', () => {
	it('is read on from the cursor', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		appendFileSync(path, line('e', 'because it turns', {role: 'assistant', at: 9_000_000}));
		expect(await world.sync()).toMatchObject({read: 1, added: 0, updated: 1});
		expect(world.texts('s1')).toEqual([
			'how do tides work',
			'the moon pulls',
			'and at night',
			'because it turns',
		]);
		expect(world.session('s1')).toMatchObject({replies: 2, updated_at: 9_000_000});
	});

	it('waits for the end of a half-written line', async () => {
		const whole = line('b', 'the moon pulls');
		const path = world.write('s1.jsonl', line('a', 'one'), whole.slice(0, 12));
		expect(await world.sync()).toMatchObject({problems: 0});
		expect(world.texts('s1')).toEqual(['one']);
		appendFileSync(path, whole.slice(12));
		await world.sync();
		expect(world.texts('s1')).toEqual(['one', 'the moon pulls']);
	});

	it('shows a record again at its first place with its newest text', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		appendFileSync(path, line('b', 'the sun pulls as well', {role: 'assistant'}));
		await world.sync();
		expect(world.texts('s1')).toEqual([
			'how do tides work',
			'the sun pulls as well',
			'and at night',
		]);
		expect(world.found('moon')).toEqual([]);
		expect(world.found('sun')).toEqual(['s1']);
	});

	it('marks what the user took back, and does not count it', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		appendFileSync(path, `${JSON.stringify({undo: 'c'})}\n${line('d', 'and by day')}`);
		await world.sync();
		expect(world.texts('s1')).toEqual([
			'how do tides work',
			'the moon pulls',
			'and at night (undone)',
			'and by day',
		]);
		expect(world.session('s1')).toMatchObject({prompts: 2});
	});
});

describe('a branch that is gone back to', () => {
	it('is live again when the agent says so', async () => {
		const adapter = toyAdapter();
		const reviving = {
			...adapter,
			*read(...args: Parameters<typeof adapter.read>) {
				for (const batch of adapter.read(...args))
					yield {
						...batch,
						events: batch.events.map(event =>
							event.text === 'back'
								? {...event, text: 'and at night', state: 'live' as const}
								: event,
						),
					};
			},
		};
		const path = world.write('s1.jsonl', ...talk, `${JSON.stringify({undo: 'c'})}\n`);
		await world.sync({adapters: [reviving]});
		appendFileSync(path, line('c', 'back'));
		await world.sync({adapters: [reviving]});
		expect(world.texts('s1')).toEqual(['how do tides work', 'the moon pulls', 'and at night']);
	});
});

describe('a source that is rewritten', () => {
	it('keeps what vanished, in its place and searchable', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		writeFileSync(
			path,
			`${line('n', 'a summary', {kind: 'summary'})}${talk[2]}${line('d', 'new words')}`,
		);
		expect(await world.sync()).toMatchObject({read: 1, added: 0, updated: 1});
		expect(world.texts('s1')).toEqual([
			'how do tides work (gone)',
			'the moon pulls (gone)',
			'a summary',
			'and at night',
			'new words',
		]);
		expect(world.found('moon')).toEqual(['s1']);
		expect(world.session('s1')).toMatchObject({
			prompts: 3,
			title: 'how do tides work',
			source_state: 'present',
		});
		expect(await world.sync()).toMatchObject({read: 0, updated: 0});
	});

	it('keeps the old key of a record that got a new one', async () => {
		const path = world.write('s1.jsonl', line('L1', 'same words'), line('L2', 'more words'));
		await world.sync();
		writeFileSync(path, line('o0', 'same words') + line('o1', 'more words'));
		await world.sync();
		expect(world.texts('s1')).toEqual(['same words', 'more words']);
		expect(
			world.all(
				'SELECT event_alias.key AS old, event.key AS new FROM event_alias JOIN event ON event.id = event_id ORDER BY 1',
			),
		).toEqual([
			{old: 'L1', new: 'o0'},
			{old: 'L2', new: 'o1'},
		]);
	});
});

describe('a newer parser', () => {
	it('reads again, and removes what it no longer yields', async () => {
		world.write('s1.jsonl', ...talk);
		await world.sync();
		const {read, ...newer} = toyAdapter({parserVersion: 2});
		const withoutC = {
			...newer,
			*read(...args: Parameters<typeof read>) {
				for (const batch of read(...args))
					yield {...batch, events: batch.events.filter(({key}) => key !== 'c')};
			},
		};
		expect(await world.sync({adapters: [withoutC]})).toMatchObject({read: 1, updated: 1});
		expect(world.texts('s1')).toEqual(['how do tides work', 'the moon pulls']);
		expect(world.found('night')).toEqual([]);
	});
});

describe('a newer parser and what had vanished', () => {
	it('keeps what only the history has', async () => {
		const usage = {key: 'c', input: 1, output: 2, cacheRead: 0, cacheWrite: 0};
		const last = line('c', 'and at night', {role: 'assistant', usage});
		const path = world.write('s1.jsonl', ...talk.slice(0, 2), last);
		await world.sync();
		writeFileSync(path, talk.slice(0, 2).join(''));
		await world.sync();
		await world.sync({adapters: [toyAdapter({parserVersion: 2})]});
		expect(world.texts('s1')).toEqual([
			'how do tides work',
			'the moon pulls',
			'and at night (gone)',
		]);
		expect(world.session('s1')).toMatchObject({replies: 2, output_tokens: 2});
	});
});

describe('a newer parser that counts less', () => {
	it('keeps the usage it still yields and drops the rest', async () => {
		const usage = (key: string) => ({
			usage: {key, input: 1, output: 2, cacheRead: 0, cacheWrite: 0},
		});
		world.write('s1.jsonl', line('a', 'one', usage('m1')), line('b', 'two', usage('m2')));
		await world.sync();
		expect(world.session('s1')).toMatchObject({output_tokens: 4});
		const {read, ...newer} = toyAdapter({parserVersion: 2});
		const once = {
			...newer,
			*read(...args: Parameters<typeof read>) {
				for (const batch of read(...args))
					yield {...batch, usage: batch.usage.filter(({key}) => key === 'm1')};
			},
		};
		await world.sync({adapters: [once]});
		expect(world.session('s1')).toMatchObject({output_tokens: 2});
	});
});

describe('a root that cannot be looked at', () => {
	it('loses nothing', async () => {
		world.write('s1.jsonl', ...talk);
		await world.sync();
		for (const code of ['unreadable', 'busy', 'unsupported-schema'] as const) {
			const blind = toyAdapter({
				*discover() {
					yield {problem: {code, detail: 'not now'}};
				},
			});
			await world.sync({adapters: [blind]});
			expect(world.session('s1')).toMatchObject({source_state: 'present'});
		}
	});
});

describe('one session in two places', () => {
	it('is one session with the union of the records', async () => {
		world.write('one/s1.jsonl', talk[0] as string, talk[1] as string);
		world.write('two/s1.jsonl', ...talk);
		expect(await world.sync()).toMatchObject({sources: 2, added: 1});
		expect(world.texts('s1')).toEqual(['how do tides work', 'the moon pulls', 'and at night']);
		expect(await world.sync()).toMatchObject({read: 0, updated: 0});
	});

	it('stays whole and present when one copy goes', async () => {
		world.write('one/s1.jsonl', talk[0] as string, talk[1] as string);
		const path = world.write('two/s1.jsonl', ...talk);
		await world.sync();
		rmSync(path);
		await world.sync();
		expect(world.texts('s1')).toEqual([
			'how do tides work',
			'the moon pulls',
			'and at night (gone)',
		]);
		expect(world.session('s1')).toMatchObject({source_state: 'present', prompts: 2});
		expect(
			world.all(
				'SELECT DISTINCT path FROM event JOIN source ON source.id = source_id WHERE event.state = ?',
				'live',
			),
		).toEqual([{path: join(world.home, 'toy/one/s1.jsonl')}]);
	});
});

describe('sources that go away', () => {
	it('leave their session, marked', async () => {
		const path = world.write('s1.jsonl', ...talk);
		world.write('s2.jsonl', line('x', 'other'));
		await world.sync();
		rmSync(path);
		await world.sync();
		expect(world.session('s1')).toMatchObject({source_state: 'deleted', prompts: 2});
		expect(world.session('s2')).toMatchObject({source_state: 'present'});
		writeFileSync(path, talk.join(''));
		await world.sync();
		expect(world.session('s1')).toMatchObject({source_state: 'present'});
		expect(world.texts('s1')).toHaveLength(3);
	});

	it('with their whole root are not deleted', async () => {
		world.write('s1.jsonl', ...talk);
		await world.sync();
		renameSync(join(world.home, 'toy'), join(world.home, 'away'));
		await world.sync();
		expect(world.session('s1')).toMatchObject({source_state: 'present'});
		expect(world.all('SELECT state FROM root')).toEqual([{state: 'absent'}]);
		renameSync(join(world.home, 'away'), join(world.home, 'toy'));
		expect(await world.sync()).toMatchObject({read: 0, added: 0});
	});

	it('to another folder keep their session and are not read again', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		const ids = world.all('SELECT id, key FROM event');
		mkdirSync(join(world.home, 'toy/archive'));
		renameSync(path, join(world.home, 'toy/archive/s1.jsonl'));
		expect(await world.sync()).toMatchObject({read: 0, added: 0});
		expect(world.session('s1')).toMatchObject({
			location: join(world.home, 'toy/archive/s1.jsonl'),
			source_state: 'present',
		});
		expect(world.all('SELECT id, key FROM event')).toEqual(ids);
	});
});

describe('sources that cannot be read', () => {
	it('keep their rows and are tried again', async () => {
		const path = world.write('s1.jsonl', ...talk);
		await world.sync();
		appendFileSync(path, line('d', 'later'));
		const refusing = toyAdapter({
			// biome-ignore lint/correctness/useYield: it ends before the first batch
			*read() {
				throw new SourceUnreadable('busy', 'locked by its agent');
			},
		});
		expect(await world.sync({adapters: [refusing]})).toMatchObject({read: 0, problems: 1});
		expect(world.texts('s1')).toHaveLength(3);
		expect(await world.sync()).toMatchObject({read: 1, problems: 0});
		expect(world.texts('s1')).toHaveLength(4);
	});
});

describe('a pass that ends early', () => {
	it('goes on where it stopped, without loss or double', async () => {
		const path = world.write('s1.jsonl', ...talk, line('d', 'four'), line('e', 'five'));
		for (let stopAfter = 0; stopAfter < 6; stopAfter++) {
			let batches = 0;
			await world.sync({shouldStop: () => batches++ > 1});
		}
		await world.sync();
		expect(world.texts('s1')).toEqual([
			'how do tides work',
			'the moon pulls',
			'and at night',
			'four',
			'five',
		]);
		expect(await world.sync()).toMatchObject({read: 0});
		expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(6);
	});

	it('says what is left', async () => {
		world.write('s1.jsonl', ...talk);
		world.write('s2.jsonl', line('x', 'other'));
		const {home, database} = world;
		const {syncPass} = await import('../../../store/sync/engine.js');
		const summary = await syncPass(database, {
			adapters: [toyAdapter()],
			surroundings: () => ({home, platform: 'linux', env: {}, extraRoots: [], projectDirs: []}),
			now: () => 5,
			deadlineMs: 5,
		});
		expect(summary.pending).toBe(2);
	});
});

describe('a forgotten session', () => {
	it('is not imported again', async () => {
		world.write('s1.jsonl', ...talk);
		rememberForgotten(world.database, world.data, {
			sessions: [{agent: 'toy', nativeId: 's1'}],
			nowMs: 0,
		});
		expect(await world.sync()).toMatchObject({added: 0});
		expect(world.all('SELECT * FROM event')).toEqual([]);
		expect(await world.sync()).toMatchObject({read: 0});
	});
});
