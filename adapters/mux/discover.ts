/** Where Mux (newer name: Xum) keeps talks: a folder for each workspace, and below it one for each finished sub-agent. */

import {basename, dirname, join} from 'node:path';
import type {SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, listOf, textOf} from '../shared/narrow.js';
import {subagentFacts} from '../shared/parent.js';
import {configRoots, defaultRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {timeMs} from '../shared/time.js';
import {byFolder, findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

const VARIABLES = ['XUM_ROOT', 'MUX_ROOT'] as const;
const FOLDERS = ['.xum', '.mux', '.cmux'] as const;

/** The program takes the first that is there; what the others hold is history all the same. */
export const roots = (around: Surroundings): readonly Root[] => {
	const {home, env} = around;
	const suffix = env['NODE_ENV'] === 'development' ? '-dev' : '';
	const stated = VARIABLES.flatMap(name => statedPath(env[name]) ?? []);
	return distinctRoots([
		...stated.map((path): Root => ({path, from: 'environment', resumeEnv: {}})),
		...defaultRoots(...FOLDERS.map(name => join(home, name + suffix))),
		...configRoots(around),
	]);
};

type Workspaces = ReadonlyMap<string, SessionFacts>;

const workspaceOf = (workspace: unknown, projectPath: string | undefined): SessionFacts => {
	const parent = textOf(at(workspace, 'parentWorkspaceId'));
	return compact({
		generatedTitle: textOf(at(workspace, 'title')) ?? textOf(at(workspace, 'name')),
		cwd: textOf(at(workspace, 'path')),
		checkout: projectPath,
		createdAtMs: timeMs(at(workspace, 'createdAt')),
		archived: timeMs(at(workspace, 'archivedAt')) === undefined ? undefined : true,
		...subagentFacts(parent),
	});
};

/** `config.json`: pairs of a project and its workspaces. Workspaces that were deleted are not in it any more. */
const workspacesOf = (root: string): Workspaces =>
	new Map(
		listOf(at(readJsonFile(join(root, 'config.json'))?.value, 'projects')).flatMap(pair =>
			listOf(at(pair, 1, 'workspaces')).flatMap(workspace => {
				const id = textOf(at(workspace, 'id'));
				const facts = workspaceOf(workspace, textOf(at(pair, 0)));
				return id === undefined ? [] : [[id, facts] as const];
			}),
		),
	);

/** Archived lines come before the active ones, and the message that is being written last. */
const FILES = ['chat-archive.jsonl', 'chat.jsonl', 'partial.json', 'metadata.json'];
const TALK = /^[^/]+\/(?:subagent-transcripts\/[^/]+\/)?[^/]+$/;

/** What the place says of a talk; `Source.extra`. */
export interface Place {
	readonly id: string;
	/** Workspace of a finished sub-agent. */
	readonly parentId?: string;
}

const placeOf = (folder: string): Place => {
	const id = basename(folder);
	const above = dirname(folder);
	const isChild = basename(above) === 'subagent-transcripts';
	return isChild ? {id, parentId: basename(dirname(above))} : {id};
};

const order = ({path}: FileStamp): number => FILES.indexOf(basename(path));

const sourceOf = (folder: string, stamps: readonly FileStamp[], known: Workspaces): Source => {
	const files = stamps.toSorted((a, b) => order(a) - order(b));
	const place = placeOf(folder);
	const outside = known.get(place.id);
	const path = files.find(file => basename(file.path) === 'chat.jsonl')?.path ?? files[0]?.path;
	return {
		key: folder,
		path: path ?? folder,
		files,
		mode: 'replace',
		sessionId: place.id,
		...compact({outside}),
		extra: place,
	};
};

export function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: 4,
		accept: (relative, name) => FILES.includes(name) && TALK.test(relative),
	});
	const known = found.length === 0 ? new Map() : workspacesOf(root.path);
	for (const [folder, files] of byFolder(found)) {
		const hasTalk = files.some(({path}) => basename(path) !== 'metadata.json');
		if (hasTalk) yield {source: sourceOf(folder, files, known)};
	}
}
