import {expect, test} from 'vitest';
import type {Database} from '../../../store/open.js';
import {createLibrary} from '../../../store/read/library.js';
import {SEED_NOW_MS, said, seedSession, temporaryStore} from '../../helpers/seed.js';

const dayMs = 86_400_000;

interface Spent {
	readonly session: number;
	readonly key: string;
	readonly output: number;
	readonly state?: 'live' | 'copied';
	readonly costUsd?: number;
	readonly atMs?: number;
}

const spend = (database: Database, {session, key, output, state, costUsd, atMs}: Spent): void => {
	database
		.prepare(
			`INSERT INTO usage(session_id, key, at, model, input, output, cache_read, cache_write, cost_usd, state)
			VALUES (?, ?, ?, 'm1', 10, ?, 5, 0, ?, ?)`,
		)
		.run(session, key, atMs ?? SEED_NOW_MS, output, costUsd ?? null, state ?? 'live');
};

const filled = () => {
	const {database} = temporaryStore();
	const parent = seedSession(database, {
		id: 'parent',
		project: '/w/alpha',
		events: [said('one'), said('two'), said('answer', 'assistant')],
	});
	const fork = seedSession(database, {
		id: 'fork',
		project: '/w/alpha',
		parent: {id: 'parent', relation: 'fork'},
		events: [said('three')],
	});
	const child = seedSession(database, {
		id: 'parent/agent',
		kind: 'subagent',
		project: '/w/alpha',
		parent: {id: 'parent', relation: 'subagent'},
		events: [said('task', 'assistant')],
	});
	const old = seedSession(database, {
		id: 'old',
		agent: 'codex',
		project: '/w/beta',
		updatedAtMs: SEED_NOW_MS - 40 * dayMs,
		events: [said('long ago')],
	});
	spend(database, {session: parent.rowId, key: 'm1', output: 100, costUsd: 0.5});
	spend(database, {session: fork.rowId, key: 'm1', output: 100, state: 'copied', costUsd: 0.5});
	spend(database, {session: fork.rowId, key: 'm2', output: 30});
	spend(database, {session: child.rowId, key: 'm3', output: 7});
	spend(database, {
		session: old.rowId,
		key: 'm4',
		output: 1_000,
		atMs: SEED_NOW_MS - 40 * dayMs,
	});
	return createLibrary(database);
};

test('a model message counts once across a family, and sub-agents are no sessions', () => {
	const {total, subagents, byAgent, byProject} = filled().stats(0);
	expect(total).toMatchObject({sessions: 3, prompts: 4, output: 1_137, input: 40, costUsd: 0.5});
	expect(subagents).toBe(1);
	expect(byAgent.map(({value, output}) => [value, output])).toEqual([
		['codex', 1_000],
		['claude-code', 137],
	]);
	expect(byProject).toMatchObject([
		{value: '/w/beta', label: 'beta', sessions: 1},
		{value: '/w/alpha', label: 'alpha', sessions: 2, prompts: 3, output: 137},
	]);
});

test('days ascend, and a span leaves out what came before it', () => {
	const library = filled();
	expect(library.stats(0).byDay.map(({value}) => value)).toEqual(['2026-10-21', '2026-11-30']);
	const lately = library.stats(SEED_NOW_MS - 7 * dayMs);
	expect(lately.total).toMatchObject({sessions: 2, output: 137});
	expect(lately.byDay).toHaveLength(1);
});

test('an empty history adds up to nothing', () => {
	const {database} = temporaryStore();
	expect(createLibrary(database).stats(0)).toMatchObject({
		total: {sessions: 0, output: 0, costUsd: null},
		byDay: [],
	});
});
