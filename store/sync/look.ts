import {existsSync, realpathSync, statSync} from 'node:fs';
import type {Problem, ProblemCode} from '../../adapters/model.js';
import type {Adapter, Root, Source, Surroundings} from '../../adapters/types.js';
import {forgottenSessions} from '../forgotten.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {findMoved, isUnchanged, type KnownSource} from './plan.js';
import type {Task} from './read-source.js';
import {knownSources, writeProblems} from './source-rows.js';

/** One agent in a pass: what was found, and what came of it. */
export interface AgentPass {
	readonly adapter: Adapter;
	readonly rootIds: number[];
	sources: number;
	unchanged: number;
	readonly tasks: Task[];
	/** Known sources under present roots that were not found. */
	readonly missing: KnownSource[];
	read: number;
	readonly added: Set<number>;
	readonly updated: Set<number>;
	unreadable: number;
}

export interface LookOptions {
	readonly surroundings: Surroundings;
	/** Read every source from its start again. */
	readonly isFull: boolean;
}

/** Problems of a root that hide sources which may well be there. */
const HIDING: ReadonlySet<ProblemCode> = new Set([
	'unreadable',
	'busy',
	'limit',
	'unsupported-schema',
	'truncated',
]);

/** Finds the sources of one agent and decides which have to be read. */
export const lookAt = (database: Database, adapter: Adapter, options: LookOptions): AgentPass => {
	const pass: AgentPass = {
		adapter,
		rootIds: [],
		sources: 0,
		unchanged: 0,
		tasks: [],
		missing: [],
		read: 0,
		added: new Set(),
		updated: new Set(),
		unreadable: 0,
	};
	const isForgotten = forgottenSessions(database);
	const known = new Map(knownSources(database, adapter.id).map(row => [row.key, row]));
	const found = new Map<string, {readonly rootId: number; readonly source: Source}>();
	const complete = new Set<number>();
	for (const root of distinctRoots(adapter.roots(options.surroundings))) {
		const state = rootState(root.path);
		const rootId = writeRoot(database, adapter.id, root, state);
		pass.rootIds.push(rootId);
		if (state !== 'present') continue;
		const problems: Problem[] = [];
		for (const item of adapter.discover(root)) {
			if ('problem' in item) problems.push(item.problem);
			else found.set(item.source.key, {rootId, source: item.source});
		}
		database.transaction(() => {
			prepared(database)('DELETE FROM problem WHERE source_id = ?').run(-rootId);
			writeProblems(database, -rootId, problems);
		})();
		// A folder that could not be listed hides its sources: none of this root counts as gone then.
		if (!problems.some(({code}) => HIDING.has(code))) complete.add(rootId);
		pass.unreadable += problems.filter(({code}) => code === 'unreadable').length;
	}
	markAbsentRoots(database, adapter.id, pass.rootIds);
	const unfound = [...known.values()].filter(row => !found.has(row.key));
	const movable = groupById(unfound);
	for (const {rootId, source} of found.values()) {
		pass.sources++;
		if (
			source.sessionId !== undefined &&
			isForgotten({agent: adapter.id, nativeId: source.sessionId})
		) {
			pass.unchanged++;
			continue;
		}
		const row = known.get(source.key) ?? takeMoved(source, movable);
		if (row && !options.isFull && isUnchanged(row, source, adapter.parserVersion)) pass.unchanged++;
		else
			pass.tasks.push({
				adapter,
				rootId,
				source,
				known: row,
				segments: {first: 0, count: 0},
				isTakeover: options.isFull === true,
			});
	}
	const moved = new Set(pass.tasks.map(({known: row}) => row?.id));
	pass.missing.push(...unfound.filter(row => complete.has(row.root_id) && !moved.has(row.id)));
	return pass;
};

const groupById = (rows: readonly KnownSource[]): Map<string, KnownSource[]> => {
	const groups = new Map<string, KnownSource[]>();
	for (const row of rows) {
		if (row.native_id === null) continue;
		const group = groups.get(row.native_id);
		if (group) group.push(row);
		else groups.set(row.native_id, [row]);
	}
	return groups;
};

const takeMoved = (
	source: Source,
	movable: Map<string, KnownSource[]>,
): KnownSource | undefined => {
	const moved = findMoved(source, movable);
	if (moved)
		movable.set(source.sessionId ?? '', (movable.get(source.sessionId ?? '') ?? []).slice(1));
	return moved;
};

/** Roots that are one place under two names (a link, a trailing slash) are looked at once. */
const distinctRoots = (roots: readonly Root[]): readonly Root[] => {
	const seen = new Set<string>();
	return roots.filter(root => {
		const place = realPath(root.path);
		if (seen.has(place)) return false;
		seen.add(place);
		return true;
	});
};

/** Most agents are not there at all: an error for each of their roots takes longer than the look. */
const realPath = (path: string): string => {
	if (!existsSync(path)) return path;
	try {
		return realpathSync.native(path);
	} catch {
		return path; // gone meanwhile
	}
};

const rootState = (path: string): 'present' | 'absent' | 'unreadable' => {
	try {
		return statSync(path, {throwIfNoEntry: false}) === undefined ? 'absent' : 'present';
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'ENOTDIR'
			? 'absent'
			: 'unreadable';
	}
};

/** Gives the id of the row. Most passes find every root as it was: nothing is written then. */
const writeRoot = (database: Database, agent: string, root: Root, state: string): number => {
	const sql = prepared(database);
	const row = [
		agent,
		root.path,
		root.from,
		root.label ?? null,
		JSON.stringify(root.resumeEnv),
		state,
	];
	const same = sql(
		`SELECT id FROM root WHERE agent = ? AND path = ? AND origin = ? AND label IS ? AND resume_env = ? AND state = ?`,
	).get(...row) as {id: number} | undefined;
	if (same) return same.id;
	const {id} = sql(
		`INSERT INTO root(agent, path, origin, label, resume_env, state) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT(agent, path) DO UPDATE SET origin = excluded.origin, label = excluded.label, resume_env = excluded.resume_env,
		state = excluded.state RETURNING id`,
	).get(...row) as {id: number};
	return id;
};

/** A root that is not named any more (another value of a variable) is absent, not deleted. */
const markAbsentRoots = (database: Database, agent: string, named: readonly number[]): void => {
	prepared(database)(
		`UPDATE root SET state = 'absent' WHERE agent = ? AND state <> 'absent' AND id NOT IN (SELECT value FROM json_each(?))`,
	).run(agent, JSON.stringify(named));
};
