/** The root that an agent uses by itself or by a variable, and those of the config. */

import {isAbsolute, join, win32} from 'node:path';
import type {Root, Surroundings} from '../types.js';
import {compact} from './compact.js';
import {textOf} from './narrow.js';

export interface OwnRoot {
	/** Used in a clean environment. */
	readonly standard: string;
	/** The place that a variable names instead, if it is set. */
	readonly stated?: string | undefined;
	/** What tells the agent to look at another root. */
	readonly resumeEnv?: EnvOf;
}

type EnvOf = (path: string) => Root['resumeEnv'];

const noEnv: EnvOf = () => ({});

/** Roots that the agent uses by itself. */
export const defaultRoots = (...paths: readonly string[]): readonly Root[] =>
	paths.map(path => ({path, from: 'default', resumeEnv: {}}));

/** The roots of the config; `resumeEnv` is what tells the agent to look at one. */
export const configRoots = (
	{extraRoots}: Pick<Surroundings, 'extraRoots'>,
	resumeEnv: EnvOf = noEnv,
): readonly Root[] =>
	extraRoots.map(({path, label}) => ({
		path,
		from: 'config',
		resumeEnv: resumeEnv(path),
		...compact({label}),
	}));

/** Of roots with the same path the first. */
export const distinctRoots = (roots: readonly Root[]): readonly Root[] =>
	roots.filter((root, place) => roots.findIndex(({path}) => path === root.path) === place);

/** On this system or on another one: stores travel. */
export const isAnywhereAbsolute = (path: string): boolean =>
	isAbsolute(path) || win32.isAbsolute(path);

/** `~` is the home folder. */
export const expandHome = (path: string, home: string): string =>
	path.replace(/^~(?=\/|\\|$)/, home);

/** The agent's own root first, then those of the config. */
export const agentRoots = (
	around: Surroundings,
	{standard, stated, resumeEnv = noEnv}: OwnRoot,
): readonly Root[] => {
	const envOf: EnvOf = path => (path === standard ? {} : resumeEnv(path));
	const path = stated ?? standard;
	const from = path === standard ? 'default' : 'environment';
	return distinctRoots([{path, from, resumeEnv: envOf(path)}, ...configRoots(around, envOf)]);
};

/** An absolute path out of a variable; agents ignore others. */
export const statedPath = (value: string | undefined): string | undefined => {
	const path = textOf(value)?.trim();
	return path !== undefined && isAbsolute(path) ? path.replace(/(?<=.)\/+$/, '') : undefined;
};

/** The folder for data of programs: `XDG_DATA_HOME` if that is absolute. */
export const dataRoot = (around: Surroundings, folder: string): Required<OwnRoot> => {
	const stated = statedPath(around.env['XDG_DATA_HOME']);
	return {
		standard: join(around.home, '.local/share', folder),
		stated: stated === undefined ? undefined : join(stated, folder),
		resumeEnv: path =>
			path.endsWith(`/${folder}`) ? {XDG_DATA_HOME: path.slice(0, -folder.length - 1)} : {},
	};
};
