/** Where ZCode keeps sessions: desktop app, command line and remote control share one database. */

import {basename, isAbsolute, join, resolve} from 'node:path';
import {readJsonFile} from '../shared/json-file.js';
import {at, textOf} from '../shared/narrow.js';
import {configRoots, defaultRoots, distinctRoots} from '../shared/roots.js';
import {discoverDatabase} from '../shared/session-parts/discover.js';
import {discoverRoot, isFile, noting} from '../shared/session-parts/source.js';
import type {Discovered, Root, Surroundings} from '../types.js';
import {discoverLogs} from './log.js';

/** The first of these that is set names the database. */
const DATABASE_VARIABLES = ['ZCODE_SESSION_DB_PATH', 'ZCODE_SESSION_DB'] as const;
const DATABASE = ['cli', 'db', 'db.sqlite'] as const;

const resumeEnvOf = (path: string): Root['resumeEnv'] => ({
	ZCODE_SESSION_DB_PATH: /\.(?:sqlite3?|db)$/i.test(path) ? path : join(path, ...DATABASE),
});

export const roots = (around: Surroundings): readonly Root[] => {
	const standard = join(around.home, '.zcode');
	const stated = DATABASE_VARIABLES.map(name => textOf(around.env[name])).find(Boolean);
	const own: readonly Root[] =
		stated === undefined
			? defaultRoots(standard)
			: [
					{path: resolve(stated), from: 'environment', resumeEnv: resumeEnvOf(resolve(stated))},
					...defaultRoots(join(standard, 'projects')),
				];
	const envOf = (path: string) => (path === standard ? {} : resumeEnvOf(path));
	return distinctRoots([...own, ...configRoots(around, envOf)]);
};

/** `storage.sessionDbPath` of the configuration, else the usual place. Nothing else of the file is looked at. */
const databaseOf = (root: string): string => {
	const config = readJsonFile(join(root, 'cli', 'config.json'))?.value;
	const stated = textOf(at(config, 'storage', 'sessionDbPath'));
	const path = stated?.replace(/^~(?=[/\\])/, () => resolve(root, '..'));
	return path !== undefined && isAbsolute(path) ? path : join(root, ...DATABASE);
};

const projectsOf = (root: string): string =>
	basename(root) === 'projects' ? root : join(root, 'projects');

function* discoverFolder(root: string): Generator<Discovered> {
	const known = new Set<string>();
	const database = databaseOf(root);
	if (isFile(database)) yield* noting(discoverDatabase(database), known);
	yield* discoverLogs(projectsOf(root), known);
}

export const discover = (root: Root): Iterable<Discovered> => discoverRoot(root, discoverFolder);
