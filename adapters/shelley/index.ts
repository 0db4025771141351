/** Shelley: a server with a page for the browser; its conversations lie in one database. */

import {basename, join} from 'node:path';
import {configRoots, defaultRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {rawMessage} from '../shared/rows/messages.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import type {Adapter, Root, Surroundings} from '../types.js';
import {read} from './read.js';
import {listSessions, MESSAGES} from './tables.js';

const DATABASE = 'shelley.db';

/** The server takes the one in its directory if it is not told otherwise, so any known project may have one. */
const roots = (around: Surroundings): readonly Root[] => {
	const {home, env, projectDirs} = around;
	const stated = statedPath(env['SHELLEY_DB']);
	return distinctRoots([
		...(stated === undefined
			? []
			: [{path: stated, from: 'environment', resumeEnv: {}} satisfies Root]),
		...defaultRoots(join(home, '.config', 'shelley')),
		...configRoots(around),
		...defaultRoots(...[home, ...projectDirs].map(path => join(path, DATABASE))),
	]);
};

const databaseIn = (path: string): string =>
	/\.(?:db|sqlite3?)$/.test(basename(path)) ? path : join(path, DATABASE);

export const shelley: Adapter = {
	id: 'shelley',
	label: 'Shelley',
	shortLabel: 'Shelley',
	parserVersion: 1,
	checked: ['schema 37'],
	// A fork names the message that each of its copies comes from, under an id of its own.
	hasGlobalKeys: true,
	isPerProject: true,
	roots,
	discover: ({path}) => discoverSessions(databaseIn(path), listSessions),
	read,
	raw: (source, locator) =>
		'table' in locator ? rawMessage(source.path, MESSAGES, locator.row) : undefined,
	resume: () => ({reason: 'Shelley goes on with conversations in its web page only'}),
};
