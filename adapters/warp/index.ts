/** Warp: the agent of the terminal. Conversations that are kept by its server only are not on disk. */

import {join} from 'node:path';
import {configRoots, distinctRoots, statedPath} from '../shared/roots.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import type {Adapter, Discovered, Root, Surroundings} from '../types.js';
import {rawRows, read} from './read.js';
import {listConversations} from './tables.js';

/** The window's database, and that of the version without a window. */
const DATABASES = [['warp.sqlite'], ['tui', 'warp.sqlite']] as const;

const macFolders = ({home}: Surroundings): readonly string[] => {
	const support = join(home, 'Library', 'Application Support');
	const group = join(home, 'Library', 'Group Containers', '2BBY89MBSN.dev.warp');
	return ['dev.warp.Warp-Stable', 'dev.warp.Warp-Preview'].flatMap(channel => [
		join(group, 'Library', 'Application Support', channel),
		join(support, channel),
	]);
};

const windowsFolders = ({home, env}: Surroundings): readonly string[] => {
	const local = statedPath(env['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local');
	return ['Warp', 'WarpPreview'].map(channel => join(local, 'warp', channel, 'data'));
};

const stateFolders = ({home, env}: Surroundings): readonly string[] => {
	const state = statedPath(env['XDG_STATE_HOME']) ?? join(home, '.local', 'state');
	return ['warp-terminal', 'warp-terminal-preview'].map(channel => join(state, channel));
};

const FOLDERS: Partial<Record<NodeJS.Platform, (around: Surroundings) => readonly string[]>> = {
	darwin: macFolders,
	win32: windowsFolders,
};

/** One root for each channel: several can be installed. */
const roots = (around: Surroundings): readonly Root[] => {
	const isMoved =
		around.platform === 'linux' && statedPath(around.env['XDG_STATE_HOME']) !== undefined;
	const own = (FOLDERS[around.platform] ?? stateFolders)(around).map((path): Root => {
		return {path, from: isMoved ? 'environment' : 'default', resumeEnv: {}};
	});
	return distinctRoots([...own, ...configRoots(around)]);
};

function* discover({path}: Root): Generator<Discovered> {
	for (const database of DATABASES) {
		yield* discoverSessions(join(path, ...database), listConversations);
	}
}

export const warp: Adapter = {
	id: 'warp',
	label: 'Warp',
	shortLabel: 'Warp',
	parserVersion: 1,
	checked: ['schema of mid-2026'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	raw(source, locator) {
		if (!('table' in locator)) return undefined;
		const {table, row} = locator;
		return [...rawRows(source)].find(found => found.table === table && found.row === row)?.raw;
	},
	rows: rawRows,
	resume: () => ({reason: 'Warp opens its conversations only in the app'}),
};
