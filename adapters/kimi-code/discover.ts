/** Finds the logs of both generations: `~/.kimi-code` has a folder per agent of a session, `~/.kimi` one per session. */

import {createHash} from 'node:crypto';
import {basename, dirname, join, resolve} from 'node:path';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, listOf, recordOf, textOf} from '../shared/narrow.js';
import {configRoots, distinctRoots, expandHome} from '../shared/roots.js';
import {findFiles, stampOf} from '../shared/walk.js';
import {
	type Discovered,
	type FileStamp,
	type Root,
	type Source,
	SourceUnreadable,
	type Surroundings,
} from '../types.js';

const HOMES = [
	{folder: '.kimi-code', variable: 'KIMI_CODE_HOME'},
	{folder: '.kimi', variable: 'KIMI_SHARE_DIR'},
] as const;

const expand = (path: string, home: string): string => resolve(home, expandHome(path, home));

export const roots = (around: Surroundings): readonly Root[] => {
	const {home, env} = around;
	const own = HOMES.map(({folder, variable}): Root => {
		const usual = join(home, folder);
		const stated = textOf(env[variable]);
		const path = stated === undefined ? usual : expand(stated, home);
		return {
			path,
			from: stated === undefined ? 'default' : 'environment',
			resumeEnv: path === usual ? {} : {[variable]: path},
		};
	});
	const extraRoots = around.extraRoots.map(root => ({...root, path: expand(root.path, home)}));
	return distinctRoots([...own, ...configRoots({extraRoots}, envOf)]);
};

const envOf = (path: string): Readonly<Record<string, string>> =>
	basename(path) === '.kimi' ? {KIMI_SHARE_DIR: path} : {KIMI_CODE_HOME: path};

// Paths below `sessions`. What else lies there is no transcript: `logs`, `tasks`, `notify`, `context_1.jsonl`, …
const NEW = /^[^/]+\/([^/]+)\/agents\/([^/]+)\/wire\.jsonl$/;
const OLD = /^([^/]+)\/([^/]+)\/(?:subagents\/([^/]+)\/)?(wire|context)\.jsonl$/;
/** The first legacy versions: a context without a folder. */
const FLAT = /^([^/]+)\/([^/]+)\.jsonl$/;
const SIDECAR = /^[^/]+\/[^/]+\/(?:state\.json|subagents\/[^/]+\/meta\.json)$/;
const FOLDER = /^[^/]+(?:\/[^/]+(?:\/(?:agents|subagents)(?:\/[^/]+)?)?)?$/;

const MAIN_AGENT = 'main';
/** A log of no more than its header. */
const HEADER_BYTES = 100;

/** Where a log stands; `Source.extra`. */
export interface Place {
	readonly form: 'new' | 'wire' | 'context';
	/** The session at the root of the family. */
	readonly rootId: string;
	/** Sub-agents only. */
	readonly agentId?: string;
	/** Directory by an index outside of the session. */
	readonly workDir?: string;
}

interface Index {
	/** By session id (new layout). */
	readonly sessions: ReadonlyMap<string, string>;
	/** By the name of the folder: the hash of the path (legacy). */
	readonly folders: ReadonlyMap<string, string>;
}

/** `session_index.jsonl`: a hint only, it may be missing or stale. */
const sessionIndex = (root: string): ReadonlyMap<string, string> => {
	const found = new Map<string, string>();
	const path = join(root, 'session_index.jsonl');
	if (stampOf(path) === undefined) return found;
	try {
		for (const {record} of readJsonLines(path)) {
			const [id, workDir] = [textOf(record?.['sessionId']), textOf(record?.['workDir'])];
			if (id !== undefined && workDir !== undefined) found.set(id, workDir);
		}
	} catch (error) {
		// What cannot be read tells nothing; the sessions themselves do as a rule.
		if (!(error instanceof SourceUnreadable)) throw error;
	}
	return found;
};

const folderIndex = (root: string): ReadonlyMap<string, string> => {
	const document = recordOf(readJsonFile(join(root, 'kimi.json'))?.value);
	const paths = listOf(document['work_dirs']).flatMap(entry => textOf(at(entry, 'path')) ?? []);
	return new Map(paths.map(path => [createHash('md5').update(path).digest('hex'), path]));
};

const newPlace = (path: string, {sessions}: Index): Place | undefined => {
	const [, rootId, agentId] = NEW.exec(path) ?? [];
	if (rootId === undefined || agentId === undefined) return undefined;
	const workDir = sessions.get(rootId);
	return {
		form: 'new',
		rootId,
		...(agentId === MAIN_AGENT ? {} : {agentId}),
		...(workDir === undefined ? {} : {workDir}),
	};
};

const oldPlace = (path: string, {folders}: Index): Place | undefined => {
	const [, folder, rootId, agentId, name] = OLD.exec(path) ?? FLAT.exec(path) ?? [];
	if (folder === undefined || rootId === undefined) return undefined;
	// Of another machine: `<its name>_<hash>`.
	const workDir = folders.get(folder.replace(/^.*_/, ''));
	return {
		form: name === 'wire' ? 'wire' : 'context',
		rootId,
		...(agentId === undefined ? {} : {agentId}),
		...(workDir === undefined ? {} : {workDir}),
	};
};

type Stamps = ReadonlyMap<string, FileStamp>;

const hasLog = (stamps: Stamps, path: string): boolean =>
	(stamps.get(path)?.sizeBytes ?? 0) > HEADER_BYTES;

/** The same talk lies in several files: the log with times first, then the context in the session's folder. */
const isSecondBest = (path: string, {form}: Place, stamps: Stamps): boolean => {
	if (form === 'new') return false;
	const folder = dirname(path);
	if (form === 'wire') {
		return !hasLog(stamps, path) && stamps.has(join(folder, 'context.jsonl'));
	}
	if (basename(path) === 'context.jsonl') return hasLog(stamps, join(folder, 'wire.jsonl'));
	const own = path.replace(/\.jsonl$/, '');
	return ['wire.jsonl', 'context.jsonl'].some(name => stamps.has(join(own, name)));
};

const sidecarOf = (path: string, {form, agentId}: Place): string => {
	if (form === 'new') return join(dirname(path), '..', '..', 'state.json');
	return join(dirname(path), agentId === undefined ? 'state.json' : 'meta.json');
};

const sourceOf = (stamp: FileStamp, place: Place, stamps: Stamps): Source => {
	const sidecar = stamps.get(sidecarOf(stamp.path, place));
	const {rootId, agentId} = place;
	return {
		key: stamp.path,
		path: stamp.path,
		files: sidecar === undefined ? [stamp] : [stamp, sidecar],
		mode: 'append',
		sessionId: agentId === undefined ? rootId : `${rootId}/${agentId}`,
		extra: place,
	};
};

export function* discover(root: Root): Generator<Discovered> {
	const isWanted = (path: string): boolean =>
		[NEW, OLD, FLAT, SIDECAR].some(pattern => pattern.test(path));
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: 5,
		accept: isWanted,
		enter: path => FOLDER.test(path),
	});
	if (found.length === 0) return;
	const stamps = new Map(found.map(({path, stamp}) => [path, stamp]));
	const index = {sessions: sessionIndex(root.path), folders: folderIndex(root.path)};
	for (const {path, relative, stamp} of found) {
		if (path.endsWith('.json')) continue;
		const place = newPlace(relative, index) ?? oldPlace(relative, index);
		if (place === undefined || isSecondBest(path, place, stamps)) continue;
		yield {source: sourceOf(stamp, place, stamps)};
	}
}
