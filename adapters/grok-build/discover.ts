/** Where Grok Build keeps sessions. An unaffiliated `grok-cli` writes to the same folder, but no `sessions/<directory>/<id>/`. */

import {dirname, join} from 'node:path';
import {readJsonFile} from '../shared/json-file.js';
import {at, textOf} from '../shared/narrow.js';
import {agentRoots, statedPath} from '../shared/roots.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

export const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {
		standard: join(around.home, '.grok'),
		stated: statedPath(around.env['GROK_HOME']),
		resumeEnv: path => ({GROK_HOME: path}),
	});

/** What is read of a session folder besides its transcript. */
const SIDECARS = ['summary.json', 'prompt_context.json'] as const;
const TRANSCRIPTS = ['updates.jsonl', 'chat_history.jsonl'] as const;
const SESSION_FILE = /^[^/]+\/([^/]+)\/([^/]+)$/;
const SUBAGENT_FILE = /^[^/]+\/([^/]+)\/subagents\/([^/]+)\/meta\.json$/;
const DIRECTORY_FILE = /^([^/]+)\/\.cwd$/;
const FOLDER = /^[^/]+(?:\/[^/]+(?:\/subagents(?:\/[^/]+)?)?)?$/;
const NAMES: ReadonlySet<string> = new Set([...SIDECARS, ...TRANSCRIPTS]);
const META_BYTES = 1024 * 1024;

/** `Source.extra`. */
export interface Place {
	readonly parentId?: string;
	readonly meta?: string;
}

interface Task {
	readonly parentId: string;
	readonly stamp: FileStamp;
}

interface Found {
	/** Session folder → its files by name. */
	readonly folders: Map<string, Map<string, FileStamp>>;
	/** Session id of a sub-agent → what its parent keeps of it. */
	readonly tasks: Map<string, Task>;
	/** Folder of a directory → its `.cwd`. */
	readonly directories: Map<string, FileStamp>;
}

const sort = (found: Found, path: string, stamp: FileStamp): void => {
	const [, parentId, childId] = SUBAGENT_FILE.exec(path) ?? [];
	if (parentId !== undefined && childId !== undefined) {
		found.tasks.set(childId, {parentId, stamp});
		return;
	}
	if (DIRECTORY_FILE.test(path)) {
		found.directories.set(dirname(stamp.path), stamp);
		return;
	}
	const folder = dirname(stamp.path);
	const files = found.folders.get(folder) ?? new Map<string, FileStamp>();
	files.set(path.slice(path.lastIndexOf('/') + 1), stamp);
	found.folders.set(folder, files);
};

/** Folders of sub-agents should be named as the session is; where they are not, the file in them knows. */
const nameTasks = ({tasks}: Found, sessions: ReadonlySet<string>): void => {
	for (const [name, task] of [...tasks]) {
		if (sessions.has(name)) continue;
		const meta = readJsonFile(task.stamp.path, META_BYTES)?.value;
		const id = textOf(at(meta, 'child_session_id'));
		if (id !== undefined && !tasks.has(id)) tasks.set(id, task);
	}
};

const sourceOf = (
	found: Found,
	folder: string,
	files: ReadonlyMap<string, FileStamp>,
): Source | undefined => {
	const id = folder.slice(dirname(folder).length + 1);
	const summary = files.get('summary.json');
	const log = files.get('updates.jsonl');
	const history = files.get('chat_history.jsonl');
	const isLog = log !== undefined && (log.sizeBytes > 0 || history === undefined);
	// Without either, the folder may be anybody's.
	if (log === undefined && summary === undefined) return undefined;
	const primary = isLog ? log : (history ?? summary);
	if (primary === undefined) return undefined;
	const task = found.tasks.get(id);
	const others = [
		...SIDECARS.map(name => files.get(name)),
		task?.stamp,
		found.directories.get(dirname(folder)),
	].filter(stamp => stamp !== undefined && stamp !== primary);
	return {
		key: primary.path,
		path: primary.path,
		files: [primary, ...others.filter(stamp => stamp !== undefined)],
		mode: isLog ? 'append' : 'replace',
		sessionId: id,
		...(task === undefined
			? {}
			: {extra: {parentId: task.parentId, meta: task.stamp.path} satisfies Place}),
	};
};

export function* discover(root: Root): Generator<Discovered> {
	const found: Found = {folders: new Map(), tasks: new Map(), directories: new Map()};
	const files = yield* findFiles(join(root.path, 'sessions'), {
		depth: 5,
		accept: (path, name) =>
			DIRECTORY_FILE.test(path) ||
			SUBAGENT_FILE.test(path) ||
			(SESSION_FILE.test(path) && NAMES.has(name)),
		enter: path => FOLDER.test(path),
	});
	for (const {relative, stamp} of files) sort(found, relative, stamp);
	nameTasks(found, new Set([...found.folders.keys()].map(path => path.replace(/^.*[/\\]/, ''))));
	for (const [folder, files] of found.folders) {
		const source = sourceOf(found, folder, files);
		if (source !== undefined) yield {source};
	}
}
