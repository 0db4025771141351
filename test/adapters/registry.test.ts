/** A machine that has every agent: the whole registry over one home with all fixtures. */
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Problem} from '../../adapters/model.js';
import {adapters} from '../../adapters/registry.js';
import {type Database, openStore} from '../../store/open.js';
import {syncPass} from '../../store/sync/engine.js';
import type {SyncSummary} from '../../store/types.js';
import {copyFixtures, expectedPath, type FixtureHome, snapshotOf} from '../helpers/fixtures.js';

interface Expected {
	readonly sources: readonly {
		readonly sessionId: string | null;
		readonly problems: readonly Problem[];
	}[];
	/** Of the places that were looked at. */
	readonly problems?: readonly Problem[];
}

interface Held {
	readonly sources: number;
	readonly sessions: number;
	readonly problems: Readonly<Record<string, number>>;
}

const codeCounts = (problems: readonly Problem[]): Readonly<Record<string, number>> => {
	const counts: Record<string, number> = {};
	for (const {code} of problems) counts[code] = (counts[code] ?? 0) + 1;
	return counts;
};

/** What each fixture alone holds, and the problems that were planted in it. */
const planted = (agent: string): Held => {
	const expected = JSON.parse(readFileSync(expectedPath(agent), 'utf8')) as Expected;
	const ids = expected.sources.flatMap(({sessionId}) => sessionId ?? []);
	return {
		sources: expected.sources.length,
		sessions: new Set(ids).size,
		problems: codeCounts([
			...expected.sources.flatMap(({problems}) => problems),
			...(expected.problems ?? []),
		]),
	};
};

let fixture: FixtureHome;
let folder: string;
let database: Database;
beforeAll(() => {
	fixture = copyFixtures(adapters.map(({id}) => id));
	folder = mkdtempSync(join(tmpdir(), 'backscroll-registry-'));
	database = openStore(folder);
});
afterAll(() => {
	database.close();
	rmSync(folder, {recursive: true, force: true});
	fixture.dispose();
});

let clock = Date.UTC(2026, 0, 3);
const sync = (): Promise<SyncSummary> =>
	syncPass(database, {adapters, surroundings: () => fixture.around, now: () => clock++});

const held = (agent: string, sources: number): Held => {
	const {sessions} = database
		.prepare('SELECT count(*) AS sessions FROM session WHERE agent = ?')
		.get(agent) as {sessions: number};
	const problems = database
		.prepare(
			`SELECT code, sum(count) AS count FROM problem LEFT JOIN source ON source.id = source_id
			LEFT JOIN root ON root.id = -source_id WHERE coalesce(source.agent, root.agent) = ? GROUP BY code`,
		)
		.all(agent) as {code: string; count: number}[];
	return {
		sources,
		sessions,
		problems: Object.fromEntries(problems.map(({code, count}) => [code, count])),
	};
};

test('every agent finds its own sessions and no others, with the planted problems only', async () => {
	const before = snapshotOf(fixture.home);
	const {agents, pending} = await sync();
	expect(pending).toBe(0);
	expect(
		Object.fromEntries(agents.map(({agent, sources}) => [agent, held(agent, sources)])),
	).toEqual(Object.fromEntries(adapters.map(({id}) => [id, planted(id)])));
	expect(snapshotOf(fixture.home)).toEqual(before);
});

const rows = (): readonly unknown[] =>
	['session', 'source', 'event', 'usage', 'problem'].map(table =>
		database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
	);

test('a second pass reads nothing and changes nothing', async () => {
	const before = rows();
	const {agents} = await sync();
	for (const {agent, read, added, updated} of agents)
		expect({agent, read, added, updated}).toEqual({agent, read: 0, added: 0, updated: 0});
	expect(rows()).toEqual(before);
});
