import {rmSync} from 'node:fs';
import {mirrorPath, siblingsOf} from './archive/member-file.js';
import {deleteMirrorRows, mirrorRow} from './archive/mirror-rows.js';
import {rememberForgotten} from './forgotten.js';
import {dropMarks} from './marks-file.js';
import {type Database, explained} from './open.js';
import {prepared} from './statements.js';
import {giveBackCopies} from './sync/give-back.js';
import {settleLinks} from './sync/links.js';
import {createProjectFinder} from './sync/project.js';
import {deriveSession} from './sync/session-rows.js';
import {createWriteGroup, type WriteGroup, type Writer} from './sync/write-group.js';

export interface SessionName {
	readonly id: number;
	readonly agent: string;
	readonly nativeId: string;
}

export interface ForgetOptions {
	readonly folder: string;
	/** Row ids; sub-agents are named by the caller (`withSubagents`). */
	readonly sessions: readonly number[];
	readonly home: string;
	readonly nowMs: number;
}

/**
 * Removes sessions from the store, the index and the mirror, remembers only a keyed hash of each, and gives forks their copies back.
 * Then the database file is written anew: deleted words stay in index segments and free pages otherwise. The caller holds the lock.
 * @returns false when somebody reads just now, so that old pages stay in the write-ahead log until they are done
 * @throws StoreError
 */
export const forgetSessions = (database: Database, options: ForgetOptions): boolean =>
	explained(options.folder, () => {
		const sql = prepared(database);
		const doomed = options.sessions.flatMap(id => {
			const row = sql('SELECT id, agent, native_id AS nativeId FROM session WHERE id = ?').get(id);
			return row === undefined ? [] : [row as SessionName];
		});
		const mirrors = doomed.flatMap(({id}) => mirrorRow(database, id)?.name ?? []);
		const group = createWriteGroup(database, () => 0);
		group.run(0, () => {
			rememberForgotten(database, options.folder, {sessions: doomed, nowMs: options.nowMs});
			const children = doomed.flatMap(({id}) => giveBackCopies(group, id));
			for (const session of doomed) removeSession(group, session);
			sql(
				'DELETE FROM project WHERE id NOT IN (SELECT project_id FROM session WHERE project_id IS NOT NULL)',
			).run();
			dropAbsentRoots(database);
			settleChildren(group, new Set(children), options.home);
		});
		group.end();
		for (const name of mirrors.flatMap(mirror => siblingsOf(options.folder, mirror)))
			rmSync(mirrorPath(options.folder, name));
		dropMarks(options.folder, doomed);
		return rewrite(database);
	});

const BY_SESSION = [
	'session_directory',
	'session_tool',
	'event_alias',
	'event_file',
	'usage',
	'event',
	'source',
] as const;

/** Removes the rows of a session and what the user says of it; its mirror file is the caller's. */
export const removeSession = (
	{database, index}: Writer,
	{id, agent, nativeId}: SessionName,
): void => {
	const sql = prepared(database);
	const events = sql('SELECT id, kind FROM event WHERE session_id = ?').all(id) as {
		id: number;
		kind: string;
	}[];
	for (const event of events) index.remove(event.id, event.kind);
	sql('DELETE FROM problem WHERE source_id IN (SELECT id FROM source WHERE session_id = ?)').run(
		id,
	);
	for (const table of BY_SESSION) sql(`DELETE FROM ${table} WHERE session_id = ?`).run(id);
	deleteMirrorRows(database, id);
	sql('DELETE FROM mark WHERE agent = ? AND native_id = ?').run(agent, nativeId);
	sql('DELETE FROM head_fts WHERE rowid = ?').run(id);
	sql('DELETE FROM session WHERE id = ?').run(id);
};

/**
 * Agents that keep their store in projects were looked for where the session worked: the names of these places go as well. The next
 * pass names those again that it still looks into.
 */
const dropAbsentRoots = (database: Database): void => {
	const sql = prepared(database);
	sql("DELETE FROM root WHERE state = 'absent' AND id NOT IN (SELECT root_id FROM source)").run();
	sql('DELETE FROM problem WHERE source_id < 0 AND -source_id NOT IN (SELECT id FROM root)').run();
};

/** Forks and continuations of what is gone stand for themselves now. */
const settleChildren = (group: WriteGroup, children: ReadonlySet<number>, home: string): void => {
	const findProject = createProjectFinder(home);
	settleLinks(group, {dirty: children, globalKeyAgents: new Set()});
	for (const id of children) deriveSession(group, id, findProject);
};

const INDEXES = ['event_fts', 'meta_fts', 'head_fts'] as const;

/** Index segments, free pages and the gaps inside of pages hold what was deleted: all of them are written anew. */
const rewrite = (database: Database): boolean => {
	for (const name of INDEXES) database.exec(`INSERT INTO ${name}(${name}) VALUES('optimize')`);
	// In memory it would take as much as the whole history does on disk.
	database.pragma('temp_store = FILE');
	try {
		database.exec('VACUUM');
	} finally {
		database.pragma('temp_store = MEMORY');
	}
	const [{busy}] = database.pragma('wal_checkpoint(TRUNCATE)') as [{busy: number}];
	return busy === 0;
};
