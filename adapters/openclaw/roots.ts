import {join, resolve} from 'node:path';
import {textOf} from '../shared/narrow.js';
import type {Root, Surroundings} from '../types.js';

/** Names that the agent had before. */
const EARLIER = ['.clawdbot', '.moltbot'] as const;

export const roots = ({home, env, extraRoots}: Surroundings): readonly Root[] => {
	const found = new Map<string, Root>();
	const add = (root: Root): void => {
		if (!found.has(root.path)) found.set(root.path, root);
	};
	const expand = (path: string): string => resolve(home, path.replace(/^~(?=\/|\\|$)/, home));
	const usual = join(home, '.openclaw');
	const [state, ownHome, profile] = ['OPENCLAW_STATE_DIR', 'OPENCLAW_HOME', 'OPENCLAW_PROFILE'].map(
		name => textOf(env[name]),
	);
	const base = ownHome === undefined ? home : expand(ownHome);
	if (state !== undefined) {
		const path = expand(state);
		add({path, from: 'environment', resumeEnv: path === usual ? {} : {OPENCLAW_STATE_DIR: path}});
	} else {
		const isNamed = profile !== undefined && profile !== 'default';
		const path = join(base, isNamed ? `.openclaw-${profile}` : '.openclaw');
		const resumeEnv = path === usual ? {} : {OPENCLAW_STATE_DIR: path};
		add({path, from: path === usual ? 'default' : 'environment', resumeEnv});
	}
	for (const name of EARLIER) {
		const path = join(base, name);
		add({path, from: 'default', resumeEnv: {OPENCLAW_STATE_DIR: path}});
	}
	for (const {path, label} of extraRoots) {
		const whole = expand(path);
		const named = label === undefined ? {} : {label};
		add({path: whole, from: 'config', ...named, resumeEnv: {OPENCLAW_STATE_DIR: whole}});
	}
	return [...found.values()];
};
