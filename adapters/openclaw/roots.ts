import {join, resolve} from 'node:path';
import {textOf} from '../shared/narrow.js';
import {configRoots, distinctRoots, expandHome} from '../shared/roots.js';
import type {Root, Surroundings} from '../types.js';

/** Names that the agent had before. */
const EARLIER = ['.clawdbot', '.moltbot'] as const;

const expand = (path: string, home: string): string => resolve(home, expandHome(path, home));

/** The folder that the agent uses now. */
const currentFolder = ({home, env}: Surroundings, base: string): Root => {
	const usual = join(home, '.openclaw');
	const [state, profile] = ['OPENCLAW_STATE_DIR', 'OPENCLAW_PROFILE'].map(name =>
		textOf(env[name]),
	);
	const isNamed = profile !== undefined && profile !== 'default';
	const path =
		state === undefined
			? join(base, isNamed ? `.openclaw-${profile}` : '.openclaw')
			: expand(state, home);
	const isDefault = state === undefined && path === usual;
	const from = isDefault ? 'default' : 'environment';
	return {path, from, resumeEnv: path === usual ? {} : {OPENCLAW_STATE_DIR: path}};
};

export const roots = (around: Surroundings): readonly Root[] => {
	const {home, env} = around;
	const ownHome = textOf(env['OPENCLAW_HOME']);
	const base = ownHome === undefined ? home : expand(ownHome, home);
	const envOf = (path: string) => ({OPENCLAW_STATE_DIR: path});
	const earlier = EARLIER.map((name): Root => {
		const path = join(base, name);
		return {path, from: 'default', resumeEnv: envOf(path)};
	});
	const extraRoots = around.extraRoots.map(root => ({...root, path: expand(root.path, home)}));
	return distinctRoots([
		currentFolder(around, base),
		...earlier,
		...configRoots({extraRoots}, envOf),
	]);
};
