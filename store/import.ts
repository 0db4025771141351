import type {SessionFacts} from '../adapters/model.js';
import type {Batch} from '../adapters/types.js';
import type {Content} from './archive/content.js';
import {mirrorContent} from './archive/mirror-content.js';
import {openMirror} from './archive/mirror-session.js';
import {type Database, explained} from './open.js';
import {prepared} from './statements.js';
import {settleLinks} from './sync/links.js';
import {createProjectFinder} from './sync/project.js';
import {createReadRun} from './sync/read-run.js';
import {reserveSegments} from './sync/segments.js';
import {deriveSession, ensureSession} from './sync/session-rows.js';
import {writeFindings} from './sync/source-rows.js';
import {createWriteGroup, type WriteGroup} from './sync/write-group.js';
import type {SessionRef} from './types.js';

/** Where an imported session came from; kept with it, and with its mirror. */
export interface Provenance {
	/** How to read the kept bytes again. */
	readonly format: 'transcript' | 'custom-history' | 'archive';
	readonly agent: string;
	readonly originalId: string | null;
	/** Absolute path of the file at that time. */
	readonly path: string;
	readonly sha256: string;
	readonly importedAt: string;
	/** Of a fork: what it was made from. */
	readonly forkOf?: string;
}

export interface ImportedSession {
	/** Unique for the content: the same file gives the same id. */
	readonly nativeId: string;
	readonly provenance: Provenance;
	readonly batches: readonly Batch[];
	/** The file, kept in our own copy. */
	readonly content: Content;
}

export interface ImportOptions {
	readonly folder: string;
	readonly home: string;
	readonly nowMs: number;
}

/** Root row that all imported sources hang on; it is no place to look into. */
const IMPORT_ROOT = 'imported';

/**
 * A session of its own, marked imported: no agent is asked to resume it, and its parent is one of the same file, if any. A session that
 * is there already stays as it is.
 * @throws StoreError
 */
export const importSession = (
	database: Database,
	session: ImportedSession,
	options: ImportOptions,
): {readonly ref: SessionRef; readonly isNew: boolean} =>
	explained(options.folder, () => {
		const {nativeId, provenance} = session;
		const {agent} = provenance;
		const group = createWriteGroup(database, () => options.nowMs);
		const {id, isNew} = group.run(0, () => {
			const known = ensureSession(database, agent, nativeId);
			if (!known.isNew) return known;
			writeImported(group, known.id, session, options.home);
			const dirty = new Set([known.id]);
			const findProject = createProjectFinder(options.home);
			for (const touched of settleLinks(group, {dirty, globalKeyAgents: new Set()}))
				deriveSession(group, touched, findProject);
			return known;
		});
		group.end();
		if (isNew) keep(database, id, session, options.folder);
		return {ref: `${agent}:${nativeId}`, isNew};
	});

/** The rows of an imported session, in the caller's transaction. */
export const writeImported = (
	group: WriteGroup,
	sessionId: number,
	{nativeId, provenance, batches}: Omit<ImportedSession, 'content'>,
	home: string,
): void => {
	const {database} = group;
	prepared(database)('UPDATE session SET is_imported = 1, provenance = ? WHERE id = ?').run(
		JSON.stringify(provenance),
		sessionId,
	);
	const sourceId = importSource(database, sessionId, {nativeId, provenance});
	const run = createReadRun(group, {
		sourceId,
		sessionId,
		segments: {first: reserveSegments(database, 1), count: 1},
		way: 'append',
		isReparse: false,
		yielding: new Set(),
		missing: new Set(),
	});
	for (const [index, batch] of batches.entries()) {
		run.apply(batch);
		writeFindings(
			database,
			sourceId,
			{...batch, facts: ownFacts(batch.facts, nativeId)},
			index === 0,
		);
	}
	run.finish();
	deriveSession(group, sessionId, createProjectFinder(home));
};

/** What the file says of other sessions holds on the machine that it came from, unless it holds them too. */
const ownFacts = (
	{
		parent,
		isSubagent,
		continuedIn: _continuedIn,
		archived: _archived,
		running: _running,
		hiddenBy: _hiddenBy,
		...facts
	}: SessionFacts,
	nativeId: string,
): SessionFacts => {
	const isOfFile = parent?.id.startsWith(nativeId.replace(PLACE_IN_FILE, '')) === true;
	return isOfFile ? {...facts, parent, ...(isSubagent !== undefined && {isSubagent})} : facts;
};

/** Sessions of one file are numbered. */
const PLACE_IN_FILE = /-\d+$/;

/** A source that no pass looks for: its bytes are in the mirror only. */
const importSource = (
	database: Database,
	sessionId: number,
	{nativeId, provenance}: Pick<ImportedSession, 'nativeId' | 'provenance'>,
): number => {
	const sql = prepared(database);
	const {agent, path} = provenance;
	const root = sql(
		`INSERT INTO root(agent, path, origin, state) VALUES (?, ?, 'import', 'absent')
		ON CONFLICT(agent, path) DO UPDATE SET origin = origin RETURNING id`,
	).get(agent, IMPORT_ROOT) as {id: number};
	return Number(
		sql(
			`INSERT INTO source(agent, key, path, root_id, session_id, native_id, mode, stamps, is_complete, state)
			VALUES (?, ?, ?, ?, ?, ?, 'replace', '', 1, 'missing')`,
		).run(agent, `${IMPORT_ROOT}:${nativeId}`, path, root.id, sessionId, nativeId).lastInsertRowid,
	);
};

const keep = (
	database: Database,
	id: number,
	{nativeId, provenance, content}: ImportedSession,
	folder: string,
): void => {
	const {agent, path} = provenance;
	const mirror = openMirror(database, folder, {id, agent, nativeId, path});
	try {
		const imported = {nativeId, ...provenance};
		for (const _bytes of mirrorContent(mirror, content, {imported}));
	} finally {
		mirror.close();
	}
};
