import {mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative, sep} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {type Adapter, type Batch, type Source, SourceUnreadable} from '../../adapters/types.js';
import {isForgotten} from '../forgotten.js';
import {type Provenance, writeImported} from '../import.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {settleLinks} from '../sync/links.js';
import {createProjectFinder} from '../sync/project.js';
import {createReadRun} from '../sync/read-run.js';
import {reserveSegments} from '../sync/segments.js';
import {deriveSession, ensureSession} from '../sync/session-rows.js';
import {writeFindings, writeSource} from '../sync/source-rows.js';
import {createWriteGroup, type WriteGroup} from '../sync/write-group.js';
import {adoptMirror, type MirrorHead, readMirrorHead} from './adopt.js';
import {findMirrorName, MIRROR_ENDING, MIRROR_FOLDER, mirrorPath} from './member-file.js';
import {createMirrorReader} from './mirror-read.js';
import {type MirrorFile, mirrorFiles, versionsOf} from './mirror-rows.js';
import {plainPath} from './plain-path.js';

export interface RebuildOptions {
	readonly folder: string;
	readonly home: string;
	readonly adapters: readonly Adapter[];
	now(): number;
	/** Reads the kept file of an imported session again. */
	readImported(provenance: Provenance, path: string): readonly Batch[];
}

export interface RebuildSummary {
	/** Sessions that only the mirror has and that are in the history again. */
	readonly restored: number;
	/** Mirrored sessions that cannot be read again: rows of a database, an agent that is not known here. */
	readonly unreadable: number;
}

const DONE = 'mirror-adopted';

/**
 * After the loss of the database and the first pass over the sources: takes the mirror files over that it does not know, and reads
 * sessions whose sources are gone out of them. Does nothing in a database that has done so. The caller holds the lock.
 */
export const rebuildFromMirror = async (
	database: Database,
	options: RebuildOptions,
): Promise<RebuildSummary> => {
	const sql = prepared(database);
	if (sql('SELECT 1 FROM meta WHERE key = ?').get(DONE) !== undefined)
		return {restored: 0, unreadable: 0};
	sweep(options.folder);
	const all: Taken[] = [];
	for (const name of mirrorNames(options.folder)) {
		if (sql('SELECT 1 FROM mirror WHERE name = ?').get(name) !== undefined) continue;
		const head = readMirrorHead(mirrorPath(options.folder, name));
		if (head === undefined) continue;
		// An older one was not removed any more when it was written anew.
		if (findMirrorName(options.folder, head.agent, head.id) !== name) continue;
		const taken = takeOver(database, options, {name, head});
		if (taken !== undefined) all.push(taken);
		await nextTurn();
	}
	settle(
		database,
		all.map(({id}) => id),
		options,
	);
	sql("INSERT OR REPLACE INTO meta VALUES (?, '1')").run(DONE);
	const restored = all.filter(({isRead}) => isRead).length;
	return {restored, unreadable: all.length - restored};
};

const VIEWS = 'views';
const PREFIX = 'rebuild-';

/** Files that a killed rebuild left in plain. */
const sweep = (folder: string): void => {
	const views = join(folder, VIEWS);
	if (!statSync(views, {throwIfNoEntry: false})?.isDirectory()) return;
	for (const name of readdirSync(views).filter(entry => entry.startsWith(PREFIX)))
		rmSync(join(views, name), {recursive: true, force: true});
};

const mirrorNames = (folder: string): readonly string[] => {
	const base = join(folder, MIRROR_FOLDER);
	if (!statSync(base, {throwIfNoEntry: false})?.isDirectory()) return [];
	return readdirSync(base, {withFileTypes: true})
		.filter(entry => entry.isDirectory())
		.flatMap(({name}) => readdirSync(join(base, name)).map(file => `${name}/${file}`))
		.filter(name => name.endsWith(MIRROR_ENDING));
};

interface Found {
	readonly name: string;
	readonly head: MirrorHead;
}

interface Taken {
	readonly id: number;
	readonly isRead: boolean;
}

/** A session that only the mirror has; undefined when its source gave it already, or it is forgotten. */
const takeOver = (
	database: Database,
	options: RebuildOptions,
	{name, head}: Found,
): Taken | undefined => {
	const {agent, id: nativeId} = head;
	const path = mirrorPath(options.folder, name);
	if (isForgotten(database, {agent, nativeId})) {
		rmSync(path);
		return undefined;
	}
	const {id, isNew} = ensureSession(database, agent, nativeId);
	adoptMirror(database, path, {sessionId: id, name});
	if (!isNew) return undefined;
	const isRead = head.imported
		? readImportedAgain(database, options, {id, head})
		: readAgain(database, options, {id, head});
	return {id, isRead};
};

interface Lost {
	readonly id: number;
	readonly head: MirrorHead;
}

/** Writes the mirrored files below a folder of our own while `use` looks at them there. */
const withFiles = <T>(
	database: Database,
	{folder}: RebuildOptions,
	{lost, use}: {readonly lost: Lost; readonly use: (base: string) => T},
): T => {
	mkdirSync(join(folder, VIEWS), {recursive: true, mode: 0o700});
	const base = mkdtempSync(join(folder, VIEWS, PREFIX));
	const reader = createMirrorReader(database, folder);
	try {
		for (const file of mirrorFiles(database, lost.id)) {
			const [state] = versionsOf(database, file.id);
			const bytes = file.kind === 'rows' ? undefined : state && reader.version(file.id, state);
			const inner = placeBelow(file);
			if (bytes === undefined || inner.split(sep).includes('..')) continue;
			const target = join(base, inner);
			mkdirSync(dirname(target), {recursive: true, mode: 0o700});
			writeFileSync(target, bytes, {mode: 0o600});
		}
		return use(base);
	} finally {
		rmSync(base, {recursive: true, force: true});
	}
};

/** As below the root; an imported file had none. */
const placeBelow = ({kind, path, root}: Pick<MirrorFile, 'kind' | 'path' | 'root'>): string => {
	const plain = plainPath(path);
	return kind === 'import' ? basename(plain) : relative(root, plain);
};

const readAgain = (database: Database, options: RebuildOptions, lost: Lost): boolean => {
	const {head} = lost;
	const adapter = options.adapters.find(({id}) => id === head.agent);
	const root = head.files.find(({kind}) => kind === 'file')?.root;
	if (adapter === undefined || root === undefined) return false;
	return withFiles(database, options, {
		lost,
		use: base => {
			const group = createWriteGroup(database, options.now);
			let isRead = false;
			for (const found of adapter.discover({path: base, from: 'config', resumeEnv: {}}))
				if ('source' in found)
					isRead =
						readInto(group, options, {adapter, lost, source: found.source, base, root}) || isRead;
			group.end();
			return isRead;
		},
	});
};

interface Reading {
	readonly adapter: Adapter;
	readonly lost: Lost;
	readonly source: Source;
	/** Where the files lie now, and where they lay. */
	readonly base: string;
	readonly root: string;
}

const readInto = (
	group: WriteGroup,
	{home}: RebuildOptions,
	{adapter, lost, source, base, root}: Reading,
): boolean => {
	const {database} = group;
	const batches = batchesOf(adapter, source).filter(({sessionId}) => sessionId === lost.head.id);
	if (batches.length === 0) return false;
	const asItWas = <T>(value: T): T =>
		JSON.parse(
			JSON.stringify(value).replaceAll(
				JSON.stringify(base).slice(1, -1),
				JSON.stringify(root).slice(1, -1),
			),
		) as T;
	group.run(0, () => {
		const sourceId = missingSource(database, adapter.id, {source: asItWas(source), root, lost});
		const run = createReadRun(group, {
			sourceId,
			sessionId: lost.id,
			segments: {first: reserveSegments(database, 1), count: 1},
			way: 'append',
			isReparse: false,
			yielding: new Set(),
			missing: new Set(),
		});
		for (const [index, batch] of batches.entries()) {
			run.apply(asItWas(batch));
			writeFindings(database, sourceId, asItWas(batch), index === 0);
		}
		run.finish();
		deriveSession(group, lost.id, createProjectFinder(home));
	});
	return true;
};

const batchesOf = (adapter: Adapter, source: Source): readonly Batch[] => {
	try {
		return [...adapter.read(source)];
	} catch (error) {
		if (error instanceof SourceUnreadable) return []; // counted by the caller
		throw error;
	}
};

/** The row of a source that is gone: should it come back, it is known by its key. */
const missingSource = (
	database: Database,
	agent: string,
	{source, root, lost}: Pick<Reading, 'source' | 'root' | 'lost'>,
): number => {
	const sql = prepared(database);
	const {id: rootId} = sql(
		`INSERT INTO root(agent, path, origin, state) VALUES (?, ?, 'default', 'absent')
		ON CONFLICT(agent, path) DO UPDATE SET origin = origin RETURNING id`,
	).get(agent, root) as {id: number};
	const id = writeSource(database, {agent, rootId}, source);
	sql("UPDATE source SET session_id = ?, native_id = ?, state = 'missing' WHERE id = ?").run(
		lost.id,
		lost.head.id,
		id,
	);
	return id;
};

const readImportedAgain = (database: Database, options: RebuildOptions, lost: Lost): boolean => {
	const {nativeId, ...provenance} = lost.head.imported as unknown as Provenance & {
		readonly nativeId: string;
	};
	return withFiles(database, options, {
		lost,
		use: base => {
			const [file] = lost.head.files;
			if (file === undefined) return false;
			const path = join(base, placeBelow(file));
			const batches = options.readImported(provenance, path);
			if (batches.length === 0) return false;
			const group = createWriteGroup(database, options.now);
			group.run(0, () =>
				writeImported(group, lost.id, {nativeId, provenance, batches}, options.home),
			);
			group.end();
			return true;
		},
	});
};

const settle = (
	database: Database,
	restored: readonly number[],
	{adapters, home, now}: RebuildOptions,
): void => {
	if (restored.length === 0) return;
	const group = createWriteGroup(database, now);
	const globalKeyAgents = new Set(
		adapters.flatMap(({id, hasGlobalKeys}) => (hasGlobalKeys ? id : [])),
	);
	const findProject = createProjectFinder(home);
	group.run(0, () => {
		const touched = settleLinks(group, {dirty: new Set(restored), globalKeyAgents});
		for (const id of new Set([...touched, ...restored])) deriveSession(group, id, findProject);
	});
	group.end();
};
