/** Zed: threads of its own agent. Agents that run inside of it keep stores of their own. */

import {join} from 'node:path';
import {jsonText} from '../shared/content.js';
import {agentRoots, dataRoot, statedPath} from '../shared/roots.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import type {Adapter, RawRow, Root, Source, Surroundings} from '../types.js';
import {rawValues, read} from './read.js';
import {listThreads, THREADS} from './tables.js';

const FOLDER = 'zed';
/** Older text threads and an LMDB file lie about as well. */
const DATABASE = ['threads', 'threads.db'] as const;

/** Folders of its data by platform; elsewhere the usual place for data. */
const FOLDERS: Partial<Record<NodeJS.Platform, (around: Surroundings) => string>> = {
	darwin: ({home}) => join(home, 'Library', 'Application Support', 'Zed'),
	win32: ({home, env}) =>
		join(statedPath(env['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local'), 'Zed'),
};

const roots = (around: Surroundings): readonly Root[] => {
	const fixed = FOLDERS[around.platform]?.(around);
	const data = dataRoot(around, FOLDER);
	const flatpak = statedPath(around.env['FLATPAK_XDG_DATA_HOME']);
	const stated = flatpak === undefined ? data.stated : join(flatpak, FOLDER);
	return agentRoots(around, {
		standard: fixed ?? data.standard,
		stated: fixed === undefined ? stated : undefined,
		resumeEnv: () => ({}),
	});
};

function* rows(source: Source): Generator<RawRow> {
	for (const [row, value] of rawValues(source)) {
		if (value !== undefined && value !== null) {
			yield {table: THREADS.name, row, raw: jsonText(value)};
		}
	}
}

export const zed: Adapter = {
	id: 'zed',
	label: 'Zed',
	shortLabel: 'Zed',
	parserVersion: 1,
	checked: ['thread 0.3.0', 'thread 0.2.0'],
	hasGlobalKeys: false,
	roots,
	discover: ({path}) => discoverSessions(join(path, ...DATABASE), listThreads),
	read,
	raw(source, locator) {
		const value = 'table' in locator ? rawValues(source).get(locator.row) : undefined;
		return value === undefined ? undefined : jsonText(value);
	},
	rows,
	resume: () => ({reason: 'Zed opens its threads only in its own agent panel'}),
};
