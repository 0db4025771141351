/** Where Cline keeps sessions: its own data folder, and, for tasks of the time before, the storage of the extension in each editor. */

import {basename, dirname, join} from 'node:path';
import {textOf} from '../shared/narrow.js';
import {configRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {basesOf, discoverTasks, extensionRoots} from '../shared/task-folder/discover.js';
import {findFiles, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';
import {type Catalogue, catalogueOf} from './catalogue.js';

const EXTENSION = 'saoudrizwan.claude-dev';
const TALK = /^([^/]+)\/([^/]+)\.messages\.json$/;

/** The first of these that is set names the data folder. */
const statedData = (env: Surroundings['env']): string | undefined => {
	const own = statedPath(env['CLINE_DATA_DIR']);
	if (own !== undefined) return own;
	const sandbox = statedPath(env['CLINE_SANDBOX_DATA_DIR']);
	if (textOf(env['CLINE_SANDBOX']) === '1' && sandbox !== undefined) return sandbox;
	const base = statedPath(env['CLINE_DIR']);
	return base === undefined ? undefined : join(base, 'data');
};

export const roots = (around: Surroundings): readonly Root[] => {
	const standard = join(around.home, '.cline', 'data');
	const data = statedData(around.env) ?? standard;
	const [sessions, database] = ['CLINE_SESSION_DATA_DIR', 'CLINE_DB_DATA_DIR'].map(name =>
		statedPath(around.env[name]),
	);
	const resumeEnv: Root['resumeEnv'] = {
		...(data === standard ? {} : {CLINE_DATA_DIR: data}),
		...(database === undefined ? {} : {CLINE_DB_DATA_DIR: database}),
	};
	const own: Root = {path: data, from: data === standard ? 'default' : 'environment', resumeEnv};
	const moved: readonly Root[] =
		sessions === undefined
			? []
			: [
					{
						path: sessions,
						from: 'environment',
						resumeEnv: {...resumeEnv, CLINE_SESSION_DATA_DIR: sessions},
					},
				];
	return distinctRoots([
		own,
		...moved,
		...extensionRoots(around, EXTENSION),
		...configRoots(around, path => ({CLINE_DATA_DIR: path})),
	]);
};

/** A sub-agent lies beside its parent, and has no manifest of its own. */
const sessionSource = (file: FileStamp, catalogue: Catalogue): Source => {
	const folder = dirname(file.path);
	const parent = basename(folder);
	const stem = basename(file.path, '.messages.json');
	const sessionId = stem === parent ? parent : `${parent}__${stem}`;
	const manifest = stampOf(join(folder, `${parent}.json`));
	const entry = catalogue.get(sessionId);
	return {
		key: file.path,
		path: file.path,
		files: manifest === undefined ? [file] : [file, manifest],
		mode: 'replace',
		sessionId,
		...(entry === undefined ? {} : {extra: entry}),
	};
};

function* discoverSessions(folder: string, database: string): Generator<Discovered> {
	const found = yield* findFiles(folder, {
		depth: 2,
		accept: relative => {
			const [, parent, stem = ''] = TALK.exec(relative) ?? [];
			return stem === parent || stem.startsWith('agent_');
		},
	});
	if (found.length === 0) return;
	const catalogue = catalogueOf({sessions: folder, database});
	for (const {stamp} of found) yield {source: sessionSource(stamp, catalogue)};
}

export function* discover(root: Root): Generator<Discovered> {
	const {path, resumeEnv} = root;
	const isMoved = resumeEnv['CLINE_SESSION_DATA_DIR'] === path;
	const database = resumeEnv['CLINE_DB_DATA_DIR'] ?? join(isMoved ? dirname(path) : path, 'db');
	yield* discoverSessions(isMoved ? path : join(path, 'sessions'), database);
	for (const base of basesOf(root, EXTENSION)) yield* discoverTasks(base);
}
