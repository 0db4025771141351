/** Finds the logs of Pi and oh-my-pi below a folder of the agent, or in a folder that holds nothing but sessions. */

import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {readJsonFile} from '../shared/json-file.js';
import {at, textOf} from '../shared/narrow.js';
import {configRoots, defaultRoots, distinctRoots, expandHome} from '../shared/roots.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

/** `<time>_<session id>.jsonl` */
const SESSION_NAME = /^\d{4}-\d\d-\d\dT[\d-]+Z?_([^/]+)\.jsonl$/;
const SESSION_FOLDER = /^\d{4}-\d\d-\d\dT[\d-]+Z?_/;

/** Where a log stands; `Source.extra`. */
export interface Place {
	readonly program: 'pi' | 'omp';
	/** Log of the session that started this one as a sub-agent: the file beside the folder that the log lies in. */
	readonly parentPath?: string;
	/** The agent finds it by its id: it lies in the folder of its directory, below the agent's own folder. */
	readonly isFiled: boolean;
}

const expand = (path: string, home: string): string => resolve(home, expandHome(path, home));

const ownRoot = ({home, env}: Surroundings): Root => {
	const usual = join(home, '.pi', 'agent');
	const [sessions, agent] = ['PI_CODING_AGENT_SESSION_DIR', 'PI_CODING_AGENT_DIR'].map(name =>
		textOf(env[name]),
	);
	if (sessions !== undefined) {
		const path = expand(sessions, home);
		return {path, from: 'environment', resumeEnv: {PI_CODING_AGENT_SESSION_DIR: path}};
	}
	if (agent === undefined) return {path: usual, from: 'default', resumeEnv: {}};
	const path = expand(agent, home);
	const resumeEnv = path === usual ? {} : {PI_CODING_AGENT_DIR: path};
	return {path, from: 'environment', resumeEnv};
};

/** A log elsewhere is resumed by its path: that needs no variable, and login and settings stay where they are. */
export const roots = (around: Surroundings): readonly Root[] => {
	const {home} = around;
	const extraRoots = around.extraRoots.map(root => ({...root, path: expand(root.path, home)}));
	return distinctRoots([
		ownRoot(around),
		...defaultRoots(join(home, '.omp', 'agent')),
		...configRoots({extraRoots}),
	]);
};

/**
 * Below the folder itself only what is named like a session: other logs lie there too. Below `sessions`, or a folder that is
 * named for a directory, everything.
 */
const isSessionPlace = (path: string): boolean => {
	const [first = ''] = path.split('/');
	return first === 'sessions' || first.startsWith('-') || SESSION_FOLDER.test(first);
};

const isWanted = (path: string, name: string): boolean =>
	name.endsWith('.jsonl') && (path.includes('/') ? isSessionPlace(path) : SESSION_NAME.test(name));

const placeOf = (path: string, root: Root, paths: ReadonlySet<string>): Place => {
	const parentPath = `${dirname(path)}.jsonl`;
	const isChild = paths.has(parentPath);
	const folder = isChild ? dirname(dirname(path)) : dirname(path);
	return {
		program: /[/\\]\.omp[/\\]/.test(path) ? 'omp' : 'pi',
		...(isChild ? {parentPath} : {}),
		isFiled: root.from !== 'config' && basename(dirname(folder)) === 'sessions',
	};
};

function* discoverFolder(folder: string, root: Root): Generator<Discovered> {
	const found = yield* findFiles(folder, {depth: 8, accept: isWanted, enter: isSessionPlace});
	const paths = new Set(found.map(({path}) => path));
	for (const {path, stamp} of found) yield {source: sourceOf(stamp, placeOf(path, root, paths))};
}

const sourceOf = (stamp: FileStamp, place: Place): Source => {
	const id = SESSION_NAME.exec(basename(stamp.path))?.[1];
	const isMain = place.parentPath === undefined && id !== undefined;
	return {
		key: stamp.path,
		path: stamp.path,
		files: [stamp],
		mode: 'append',
		...(isMain ? {sessionId: id} : {}),
		extra: place,
	};
};

const SETTINGS_BYTES = 1024 * 1024;

/** `sessionDir` of the settings moves new sessions elsewhere; older ones stay. `~` is the folder that `.pi` lies in. */
const movedSessions = ({path}: Root): string | undefined => {
	const settings = readJsonFile(join(path, 'settings.json'), SETTINGS_BYTES)?.value;
	const stated = textOf(at(settings, 'sessionDir'));
	if (stated === undefined) return undefined;
	const home = basename(dirname(path)) === '.pi' ? dirname(dirname(path)) : undefined;
	const whole = home === undefined ? stated : expandHome(stated, home);
	return isAbsolute(whole) && !resolve(whole).startsWith(path) ? resolve(whole) : undefined;
};

export function* discover(root: Root): Generator<Discovered> {
	yield* discoverFolder(root.path, root);
	const moved = movedSessions(root);
	if (moved !== undefined) yield* discoverFolder(moved, root);
}
