import {statSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Adapter, Source, Surroundings} from '../../adapters/types.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {AgentSyncCounts, SessionRef, SyncSummary} from '../types.js';
import {settleLinks} from './links.js';
import {type AgentPass, lookAt} from './look.js';
import {isUnchanged, type KnownSource} from './plan.js';
import {createProjectFinder} from './project.js';
import type {SyncProgress} from './protocol.js';
import {readSource, type Task} from './read-source.js';
import {heirOf, removeTwin} from './replaced.js';
import {reserveSegments, segmentsFor} from './segments.js';
import {deriveSession} from './session-rows.js';
import {storedSource} from './source-rows.js';
import {createWriteGroup, type WriteGroup} from './write-group.js';

/** How often the thread sees to its other messages while it reads. */
const TURN_MS = 20;

export interface SyncOptions {
	readonly adapters: readonly Adapter[];
	/** What an agent's roots are resolved against. */
	surroundings(agent: string): Surroundings;
	now(): number;
	/** Only these agents; absent: all. */
	readonly agents?: readonly string[];
	/** Read every source from its start again. */
	readonly isFull?: boolean;
	/** Stop reading at this time (same clock as `now`); what is left is `pending`. */
	readonly deadlineMs?: number;
	shouldStop?(): boolean;
	onProgress?(progress: SyncProgress): void;
	/** Sessions of which something was committed. */
	onChanged?(sessions: readonly SessionRef[]): void;
}

/**
 * One pass over all roots (DESIGN section 6): discover, plan, read what changed (newest first), then mark what is gone and settle
 * links. Rows and the cursor behind them move together, so it can be killed anywhere and the next pass goes on. The caller holds
 * the lock.
 */
export const syncPass = async (database: Database, options: SyncOptions): Promise<SyncSummary> => {
	const startedMs = options.now();
	const wanted = options.adapters.filter(({id}) => options.agents?.includes(id) ?? true);
	const passes: AgentPass[] = [];
	const runs: Run[] = [];
	let pending = 0;
	// Databases that lie in projects are looked for last: the other agents tell which projects there are.
	for (const isPerProject of [false, true]) {
		const wave: AgentPass[] = [];
		for (const adapter of wanted.filter(each => (each.isPerProject === true) === isPerProject)) {
			const surroundings = options.surroundings(adapter.id);
			wave.push(lookAt(database, adapter, {surroundings, isFull: options.isFull === true}));
			await nextTurn();
		}
		const run = createRun(database, wave, options);
		pending += await readAll(run, options);
		run.group.end();
		passes.push(...wave);
		runs.push(run);
	}
	for (const run of runs) {
		if (!(options.shouldStop?.() ?? false)) settle(run, options);
		run.group.end();
	}
	releasePages(database);
	return {
		agents: countAll(database, passes, options.now()),
		ms: Math.round(options.now() - startedMs),
		unreadable: passes.reduce((sum, pass) => sum + pass.unreadable, 0),
		pending,
	};
};

/** Merging index segments leaves free pages, a tenth of the database after a first import. */
const releasePages = (database: Database): void => {
	const [free, all] = ['freelist_count', 'page_count'].map(name =>
		Number(database.pragma(name, {simple: true})),
	);
	if ((free ?? 0) > (all ?? 0) / 20) database.pragma('incremental_vacuum');
};

/** What the steps of a pass share. */
interface Run {
	readonly database: Database;
	readonly group: WriteGroup;
	readonly passes: readonly AgentPass[];
	readonly findProject: ReturnType<typeof createProjectFinder>;
	/** Sessions that were read, or changed otherwise: their links are settled. */
	readonly dirty: Set<number>;
	/** Sessions that lost a source: their row is derived again even if no link changes. */
	readonly bereft: Set<number>;
	isOver(): boolean;
	report(phase: SyncProgress['phase'], task?: Task, offset?: number): void;
	announce(ids: Iterable<number>): void;
}

const createRun = (database: Database, passes: readonly AgentPass[], options: SyncOptions): Run => {
	const tasks = passes.flatMap(pass => pass.tasks);
	const bytesTotal = tasks.reduce((sum, task) => sum + bytesOf(task), 0);
	const done = new Set<Task>();
	let bytesDone = 0;
	return {
		database,
		group: createWriteGroup(database, options.now),
		passes,
		findProject: createProjectFinder(options.surroundings('').home),
		dirty: new Set(),
		bereft: new Set(),
		isOver: () =>
			(options.shouldStop?.() ?? false) ||
			options.now() >= (options.deadlineMs ?? Number.POSITIVE_INFINITY),
		report(phase, task, offset) {
			const isPart = task !== undefined && offset !== undefined;
			if (task !== undefined && !isPart && !done.has(task)) {
				done.add(task);
				bytesDone += bytesOf(task);
			}
			options.onProgress?.({
				phase,
				sourcesTotal: tasks.length,
				sourcesDone: done.size,
				bytesTotal,
				bytesDone: bytesDone + (isPart ? Math.min(offset, bytesOf(task)) : 0),
			});
		},
		announce(ids) {
			options.onChanged?.(refsOf(database, ids));
		},
	};
};

/** Reads what changed, newest first. Returns how many sources are left when the time is up. */
const readAll = async (run: Run, {now}: SyncOptions): Promise<number> => {
	const items = run.passes.flatMap(pass => pass.tasks.map(task => ({pass, task})));
	items.sort((a, b) => mtimeOf(b.task) - mtimeOf(a.task));
	run.report('reading');
	if (items.length === 0) return 0;
	const sizes = items.map(({task}) => segmentsFor(bytesOf(task)));
	// The newest source gets the lowest segments: see segments.ts.
	let first = run.group.run(0, () =>
		reserveSegments(
			run.database,
			sizes.reduce((sum, size) => sum + size, 0),
		),
	);
	let turnMs = now();
	for (const [index, {pass, task}] of items.entries()) {
		const segments = {first, count: sizes[index] ?? 1};
		first += segments.count;
		if (run.isOver() || !readOne(run, pass, {...task, segments})) return items.length - index;
		run.report('reading', task);
		if (now() - turnMs < TURN_MS) continue;
		await nextTurn();
		turnMs = now();
	}
	return 0;
};

/** False when the pass was stopped in the middle of the source. */
const readOne = (run: Run, pass: AgentPass, task: Task): boolean => {
	const result = readSource(task, {
		group: run.group,
		findProject: run.findProject,
		shouldStop: run.isOver,
		onBatch: (sessionId, offset) => {
			run.report('reading', task, offset);
			run.announce([sessionId]);
		},
	});
	if (result.outcome === 'read') pass.read++;
	if (result.outcome === 'unreadable') pass.unreadable++;
	if (result.setAside !== undefined) pass.missing.push(result.setAside);
	if (result.sessionId === undefined) return result.outcome !== 'stopped';
	if (result.isNewSession) pass.added.add(result.sessionId);
	else if (result.hasChanged && !pass.added.has(result.sessionId))
		pass.updated.add(result.sessionId);
	if (result.isNewSession || result.hasChanged) {
		run.dirty.add(result.sessionId);
		run.announce([result.sessionId]);
	}
	return result.outcome !== 'stopped';
};

/** After the sources: what is gone, and what needs two sessions to be known. */
const settle = (run: Run, options: SyncOptions): void => {
	const {database, group, passes, dirty, bereft} = run;
	run.report('linking');
	for (const pass of passes)
		for (const takeover of group.run(0, () => markMissing(run, pass, options.now())))
			readOne(run, pass, takeover);
	const all = new Set([...dirty, ...bereft]);
	if (all.size === 0) return;
	const globalKeyAgents = new Set(
		passes.flatMap(({adapter}) => (adapter.hasGlobalKeys ? adapter.id : [])),
	);
	const touched = group.run(0, () => settleLinks(group, {dirty: all, globalKeyAgents}));
	for (const id of new Set([...bereft, ...touched]))
		if (group.run(0, () => deriveSession(group, id, run.findProject)))
			noteUpdated(database, passes, id);
	run.announce(new Set([...all, ...touched]));
};

/** Looks again at the sources of one session only, which its agent is writing now. Returns true when something changed. */
export const pollSession = (database: Database, ref: SessionRef, options: SyncOptions): boolean => {
	const sql = prepared(database);
	const [agent] = ref.split(':', 1);
	const adapter = options.adapters.find(({id}) => id === agent);
	if (adapter === undefined) return false;
	const rows = sql(
		`SELECT source.* FROM source JOIN session ON session.id = source.session_id
		WHERE session.agent = ? AND session.native_id = ? AND source.state = 'present'`,
	).all(agent, ref.slice(adapter.id.length + 1)) as KnownSource[];
	const context = {
		group: createWriteGroup(database, options.now),
		findProject: createProjectFinder(options.surroundings(adapter.id).home),
		shouldStop: () => false,
		onBatch: () => undefined,
	};
	let hasChanged = false;
	for (const known of rows) {
		const source = restamped(storedSource(known));
		// A database row's marker is only seen by a whole look at the root.
		if (
			source === undefined ||
			source.mark !== undefined ||
			isUnchanged(known, source, adapter.parserVersion)
		)
			continue;
		const task = {
			adapter,
			rootId: known.root_id,
			source,
			known,
			segments: {first: reserveSegments(database, 1), count: 1},
			isTakeover: false,
		};
		const result = readSource(task, context);
		hasChanged = result.hasChanged || hasChanged;
	}
	context.group.end();
	return hasChanged;
};

const restamped = (source: Source): Source | undefined => {
	const files = source.files.flatMap(file => {
		const info = statSync(file.path, {throwIfNoEntry: false});
		return info
			? [
					{
						path: file.path,
						sizeBytes: info.size,
						mtimeMs: info.mtimeMs,
						inode: info.ino,
						device: info.dev,
					},
				]
			: [];
	});
	return files.length === source.files.length ? {...source, files} : undefined;
};

/**
 * Marks the sources that are gone, and returns tasks for the remaining copies of their sessions, which take over the rows that
 * they hold as well.
 */
const markMissing = (
	{database, group, bereft}: Run,
	{adapter, missing}: AgentPass,
	nowMs: number,
): readonly Task[] => {
	const sql = prepared(database);
	const tasks: Task[] = [];
	for (const row of missing) {
		if (row.state === 'missing') continue;
		const heir = heirOf(database, row);
		if (heir?.isComplete === false) continue;
		const orphans = heir && removeTwin(group, row, heir);
		if (orphans !== undefined) {
			for (const id of orphans) bereft.add(id);
			continue;
		}
		sql("UPDATE source SET state = 'missing', missing_since = ?, is_complete = 0 WHERE id = ?").run(
			nowMs,
			row.id,
		);
		if (row.session_id === null) continue;
		sql('UPDATE session SET deleted_at = ? WHERE id = ?').run(nowMs, row.session_id);
		bereft.add(row.session_id);
		const others = sql(
			"SELECT * FROM source WHERE session_id = ? AND state = 'present' AND is_complete = 1",
		).all(row.session_id) as KnownSource[];
		for (const known of others)
			tasks.push({
				adapter,
				rootId: known.root_id,
				source: storedSource(known),
				known,
				segments: {first: reserveSegments(database, 1), count: 1},
				isTakeover: true,
			});
	}
	return tasks;
};

const noteUpdated = (database: Database, passes: readonly AgentPass[], id: number): void => {
	const {agent} = prepared(database)('SELECT agent FROM session WHERE id = ?').get(id) as {
		agent: string;
	};
	const pass = passes.find(({adapter}) => adapter.id === agent);
	if (!pass?.added.has(id)) pass?.updated.add(id);
};

/** One transaction for all agents: a hundred small ones took a fifth of a pass that finds nothing new. */
const countAll = (
	database: Database,
	passes: readonly AgentPass[],
	nowMs: number,
): readonly AgentSyncCounts[] =>
	database.transaction(() => passes.map(pass => countsOf(database, pass, nowMs)))();

const countsOf = (database: Database, pass: AgentPass, nowMs: number): AgentSyncCounts => {
	const sql = prepared(database);
	for (const id of pass.rootIds)
		sql(
			"UPDATE root SET last_sync = ?, sources = (SELECT count(*) FROM source WHERE root_id = root.id AND state <> 'missing') WHERE id = ?",
		).run(nowMs, id);
	const {problems} = sql(
		`SELECT coalesce(sum(count), 0) AS problems FROM problem LEFT JOIN source ON source.id = source_id
		LEFT JOIN root ON root.id = -source_id WHERE coalesce(source.agent, root.agent) = ?`,
	).get(pass.adapter.id) as {problems: number};
	return {
		agent: pass.adapter.id,
		roots: pass.rootIds.length,
		sources: pass.sources,
		read: pass.read,
		unchanged: pass.unchanged,
		added: pass.added.size,
		updated: pass.updated.size,
		problems,
	};
};

const refsOf = (database: Database, ids: Iterable<number>): readonly SessionRef[] =>
	[...ids].flatMap(id => {
		const row = prepared(database)('SELECT agent, native_id FROM session WHERE id = ?').get(id) as
			| {agent: string; native_id: string}
			| undefined;
		return row ? [`${row.agent}:${row.native_id}`] : [];
	});

const mtimeOf = (task: Task): number => task.source.files[0]?.mtimeMs ?? 0;
const bytesOf = (task: Task): number => task.source.files[0]?.sizeBytes ?? 0;
