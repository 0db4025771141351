/** Each project has a database of its own; a registry lists the projects, and `.crush` lies in those that other agents worked in. */

import {realpathSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {errorText, isAbsent} from '../shared/errors.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, listOf, textOf} from '../shared/narrow.js';
import {configRoots, defaultRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import type {Discovered, Root, Surroundings} from '../types.js';
import {listSessions} from './tables.js';

const REGISTRY = 'projects.json';
const PROJECT_FOLDER = '.crush';
const DATABASE = 'crush.db';

/** Where a database belongs: `Source.extra`. */
interface Project {
	readonly path: string;
	/** Set when the agent would not look there by itself. */
	readonly dataDir?: string;
}

const registryFolder = ({home, platform, env}: Surroundings): string => {
	const local = platform === 'win32' ? statedPath(env['LOCALAPPDATA']) : undefined;
	const base = local ?? statedPath(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share');
	return statedPath(env['CRUSH_GLOBAL_DATA']) ?? join(base, 'crush');
};

/** Registries first. A root of the config may be a registry's folder, or the `.crush` of a project. */
export const roots = (around: Surroundings): readonly Root[] => {
	const own = registryFolder(around);
	const isUsual = own === join(around.home, '.local', 'share', 'crush');
	return distinctRoots([
		// Sessions are found by their project: what names the registry is of no use to a resume.
		{path: own, from: isUsual ? 'default' : 'environment', resumeEnv: {}},
		...configRoots(around),
		...defaultRoots(...around.projectDirs.map(path => join(path, PROJECT_FOLDER))),
	]);
};

const projectOf = (entry: unknown): Project | undefined => {
	const path = textOf(at(entry, 'path'));
	if (path === undefined || !isAbsolute(path)) return undefined;
	const usual = join(path, PROJECT_FOLDER);
	const dataDir = resolve(path, textOf(at(entry, 'data_dir')) ?? usual);
	return dataDir === usual ? {path} : {path, dataDir};
};

/** The same database may be reached in two ways: it is known by its real path. Nothing if the project is gone. */
function* discoverProject(project: Project, seen = new Set<string>()): Generator<Discovered> {
	const place = join(project.dataDir ?? join(project.path, PROJECT_FOLDER), DATABASE);
	let database: string;
	try {
		database = realpathSync(place);
	} catch (error) {
		if (!isAbsent(error)) {
			yield {problem: {code: 'unreadable', where: place, detail: errorText(error)}};
		}
		return;
	}
	if (seen.has(database)) return;
	seen.add(database);
	yield* discoverSessions(database, db =>
		listSessions(db)?.map(session => ({...session, extra: project})),
	);
}

function* discoverRegistry(path: string): Generator<Discovered> {
	const registry = readJsonFile(path);
	if (registry?.problem !== undefined) yield {problem: registry.problem};
	const seen = new Set<string>();
	for (const entry of listOf(at(registry?.value, 'projects'))) {
		const project = projectOf(entry);
		if (project !== undefined) yield* discoverProject(project, seen);
	}
}

/** The folder of a project, or that of a registry. */
export function* discover({path}: Root): Generator<Discovered> {
	if (basename(path) === PROJECT_FOLDER) yield* discoverProject({path: dirname(path)});
	else yield* discoverRegistry(join(path, REGISTRY));
}
