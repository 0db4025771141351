import {existsSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Adapter, SourceUnreadable} from '../../adapters/types.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {KnownSource} from '../sync/plan.js';
import {storedSource} from '../sync/source-rows.js';
import type {FindContents} from './content.js';
import {MIRROR_FOLDER, mirrorPath, siblingsOf} from './member-file.js';
import {mirrorContent} from './mirror-content.js';
import {openMirror} from './mirror-session.js';
import {repackMirror, scatteredMirrors} from './repack.js';

export interface MirrorOptions {
	/** Data folder. */
	readonly folder: string;
	readonly adapters: readonly Adapter[];
	readonly findContents: FindContents;
	now(): number;
	/** Asked between two members. What is left waits for the next pass. */
	shouldStop?(): boolean;
	/** Rest between slices of work, so that others get the processor; absent: none. */
	readonly restMs?: number;
}

export interface MirrorSummary {
	readonly sources: number;
	/** Raw bytes kept. */
	readonly bytes: number;
	/** Sources that wait for the next pass. */
	readonly pending: number;
	/** Sources that could not be read just now. */
	readonly unreadable: number;
}

/** Works so long, then sees to other messages. */
const SLICE_MS = 20;

interface PendingSource extends KnownSource {
	readonly agent: string;
	readonly session_id: number;
	readonly session_agent: string;
	readonly session_native: string;
	readonly root: string;
	readonly changed: string;
}

/**
 * Brings the mirror up to date with what is indexed: after a sync pass, under its lock. The rows that make a member count come after
 * its bytes, so it can be killed anywhere.
 */
export const mirrorPass = async (
	database: Database,
	options: MirrorOptions,
): Promise<MirrorSummary> => {
	const {shouldStop = () => false} = options;
	const summary = {sources: 0, bytes: 0, pending: 0, unreadable: 0};
	settleLostFolder(database, options.folder);
	const pending = pendingSources(database, options.adapters);
	if (pending.length === 0) return summary;
	settleDeadPass(database, options.folder);
	const shared = sharedFiles(database);
	let sliceMs = options.now();
	for (const [index, row] of pending.entries()) {
		try {
			for (const bytes of mirrorSource(database, options, {row, shared})) {
				summary.bytes += bytes;
				if (shouldStop()) return {...summary, pending: pending.length - index};
				if (options.now() - sliceMs < SLICE_MS) continue;
				await sleep(options.restMs ?? 0);
				sliceMs = options.now();
			}
			summary.sources++;
		} catch (error) {
			// Gone or locked since it was indexed: the next sync pass says so.
			if (!(error instanceof SourceUnreadable)) throw error;
			summary.unreadable++;
		}
	}
	for (const id of scatteredMirrors(database)) {
		if (shouldStop()) return summary;
		repackMirror(database, options.folder, id);
		await sleep(options.restMs ?? 0);
	}
	prepared(database)("DELETE FROM meta WHERE key = 'mirroring'").run();
	return summary;
};

/** Sources that are indexed but not mirrored as they are now, newest first. */
const pendingSources = (
	database: Database,
	adapters: readonly Adapter[],
): readonly PendingSource[] =>
	prepared(database)(
		`SELECT source.*, session.agent AS session_agent, session.native_id AS session_native, root.path AS root,
		coalesce(source.mark, source.stamps) AS changed
		FROM source JOIN session ON session.id = source.session_id JOIN root ON root.id = source.root_id
		WHERE source.state = 'present' AND source.is_complete = 1 AND coalesce(source.mark, source.stamps) IS NOT mirrored
		AND source.agent IN (SELECT value FROM json_each(?)) ORDER BY source.mtime DESC`,
	).all(JSON.stringify(adapters.map(({id}) => id))) as PendingSource[];

/** Files that belong to several sessions: an index, a database. */
const sharedFiles = (database: Database): ReadonlySet<string> => {
	const rows = prepared(database)(
		`SELECT file.value ->> 0 AS place FROM source, json_each(iif(stamps = '', '[]', stamps)) AS file
		GROUP BY place HAVING count(DISTINCT coalesce(session_id, -source.id)) > 1`,
	).all() as {place: string}[];
	return new Set(rows.map(({place}) => place));
};

/** Yields the raw bytes of each member that it wrote. */
function* mirrorSource(
	database: Database,
	{adapters, folder, findContents}: MirrorOptions,
	{row, shared}: {readonly row: PendingSource; readonly shared: ReadonlySet<string>},
): Generator<number, void> {
	const adapter = adapters.find(({id}) => id === row.agent);
	if (adapter === undefined) return;
	const place = {sourceId: row.id, source: storedSource(row), root: row.root, shared};
	const contents = findContents(database, adapter, place);
	const mirror = openMirror(database, folder, {
		id: row.session_id,
		agent: row.session_agent,
		nativeId: row.session_native,
		path: row.path,
	});
	try {
		for (const content of contents) yield* mirrorContent(mirror, content);
	} finally {
		mirror.close();
	}
	prepared(database)('UPDATE source SET mirrored = ? WHERE id = ?').run(row.changed, row.id);
}

/** A pass that was killed may have left a torn member in any file, or a file beside the one that counts. */
const settleDeadPass = (database: Database, folder: string): void => {
	const sql = prepared(database);
	if (sql("SELECT 1 FROM meta WHERE key = 'mirroring'").get() !== undefined) {
		const rows = sql('SELECT * FROM mirror').all() as {session_id: number; name: string}[];
		for (const {session_id, name} of rows) {
			if (!existsSync(mirrorPath(folder, name))) continue;
			openMirror(database, folder, {id: session_id}).close();
			for (const other of siblingsOf(folder, name))
				if (other !== name && !other.endsWith('.damaged')) rmSync(mirrorPath(folder, other));
		}
	}
	sql("INSERT OR REPLACE INTO meta VALUES ('mirroring', '1')").run();
};

/** Somebody removed the whole mirror: all is kept anew, as far as the sources are there. */
const settleLostFolder = (database: Database, folder: string): void => {
	if (isFolder(join(folder, MIRROR_FOLDER))) return;
	const sql = prepared(database);
	if (sql('SELECT 1 FROM mirror LIMIT 1').get() === undefined) return;
	database
		.transaction(() => {
			for (const table of ['mirror_version', 'mirror_member', 'mirror_file', 'mirror'])
				sql(`DELETE FROM ${table}`).run();
			sql('UPDATE source SET mirrored = NULL').run();
		})
		.immediate();
};

export interface MirrorFacts {
	readonly path: string;
	readonly sessions: number;
	/** What the mirror takes. */
	readonly sizeBytes: number;
	/** What it holds. */
	readonly rawBytes: number;
}

export const mirrorFacts = (database: Database, folder: string): MirrorFacts => {
	const {sessions, sizeBytes} = prepared(database)(
		'SELECT count(*) AS sessions, coalesce(sum(committed), 0) AS sizeBytes FROM mirror',
	).get() as {sessions: number; sizeBytes: number};
	const {rawBytes} = prepared(database)(
		'SELECT coalesce(sum(kept), 0) AS rawBytes FROM mirror_file',
	).get() as {rawBytes: number};
	return {path: join(folder, MIRROR_FOLDER), sessions, sizeBytes, rawBytes};
};

const isFolder = (path: string): boolean =>
	statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
