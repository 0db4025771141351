/** The root that an agent uses by itself or by a variable, and those of the config. */
import {isAbsolute, join} from 'node:path';
import type {Root, Surroundings} from '../types.js';
import {textOf} from './narrow.js';

export interface OwnRoot {
	/** Used in a clean environment. */
	readonly standard: string;
	/** The place that a variable names instead, if it is set. */
	readonly stated: string | undefined;
	/** What tells the agent to look at another root. */
	readonly resumeEnv: (path: string) => Readonly<Record<string, string>>;
}

/** The agent's own root first, then those of the config. */
export const agentRoots = (
	{extraRoots}: Surroundings,
	{standard, stated, resumeEnv}: OwnRoot,
): readonly Root[] => {
	const envOf = (path: string) => (path === standard ? {} : resumeEnv(path));
	const first = stated ?? standard;
	const own: Root = {
		path: first,
		from: stated === undefined || stated === standard ? 'default' : 'environment',
		resumeEnv: envOf(first),
	};
	const others = extraRoots
		.filter(({path}) => path !== first)
		.map(({path, label}): Root => {
			const named = label === undefined ? {} : {label};
			return {path, from: 'config', ...named, resumeEnv: envOf(path)};
		});
	return [own, ...others];
};

/** An absolute path out of a variable; agents ignore others. */
export const statedPath = (value: string | undefined): string | undefined => {
	const path = textOf(value)?.trim();
	return path !== undefined && isAbsolute(path) ? path.replace(/(?<=.)\/+$/, '') : undefined;
};

/** The folder for data of programs: `XDG_DATA_HOME` if that is absolute. */
export const dataRoot = (around: Surroundings, folder: string): OwnRoot => {
	const stated = statedPath(around.env['XDG_DATA_HOME']);
	return {
		standard: join(around.home, '.local/share', folder),
		stated: stated === undefined ? undefined : join(stated, folder),
		resumeEnv: path =>
			path.endsWith(`/${folder}`) ? {XDG_DATA_HOME: path.slice(0, -folder.length - 1)} : {},
	};
};
