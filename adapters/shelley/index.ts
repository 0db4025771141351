/** Shelley: a server with a page for the browser; its conversations lie in one database. */
import {basename, join} from 'node:path';
import {statedPath} from '../shared/roots.js';
import {rawMessage} from '../shared/rows/messages.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import type {Adapter, Root, Surroundings} from '../types.js';
import {read} from './read.js';
import {listSessions, MESSAGES} from './tables.js';

const DATABASE = 'shelley.db';

/** The server takes the one in its directory if it is not told otherwise, so any known project may have one. */
const roots = ({home, env, extraRoots, projectDirs}: Surroundings): readonly Root[] => {
	const usual = join(home, '.config', 'shelley');
	const stated = statedPath(env['SHELLEY_DB']);
	const found = new Map<string, Root>();
	const add = (path: string, from: Root['from'], label?: string): void => {
		const named = label === undefined ? {} : {label};
		if (!found.has(path)) found.set(path, {path, from, ...named, resumeEnv: {}});
	};
	if (stated !== undefined) add(stated, 'environment');
	add(usual, 'default');
	for (const {path, label} of extraRoots) add(path, 'config', label);
	for (const path of [home, ...projectDirs]) add(join(path, DATABASE), 'default');
	return [...found.values()];
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
