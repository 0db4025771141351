/** Claude Code: `<config folder>/projects/<slug>/<session id>.jsonl`, sub-agents in files of their own. */

import {isAbsolute, join, resolve} from 'node:path';
import {firstPrompt} from '../shared/first-prompt.js';
import {configRoots, distinctRoots, expandHome} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import type {
	Adapter,
	ResumePlan,
	ResumeRequest,
	Root,
	StartRequest,
	Surroundings,
} from '../types.js';
import {companions, discover} from './discover.js';
import {foreign} from './foreign.js';
import {read} from './read.js';
import {retention} from './retention.js';

const absolute = (path: string, home: string): string | undefined => {
	const expanded = expandHome(path, home);
	return isAbsolute(expanded) ? resolve(expanded) : undefined;
};

/** The folders of CLAUDE_CONFIG_DIR, which may name several; none when it is not set. */
const fromEnvironment = ({env, home}: Surroundings): readonly string[] =>
	(env['CLAUDE_CONFIG_DIR'] ?? '').split(',').flatMap(part => absolute(part.trim(), home) ?? []);

/** The usual folder, and the one that some older installs used. */
const builtIn = ({env, home}: Surroundings): readonly string[] => {
	const config = env['XDG_CONFIG_HOME'] ?? '';
	return [
		join(home, '.claude'),
		join(isAbsolute(config) ? config : join(home, '.config'), 'claude'),
	];
};

const roots = (around: Surroundings): readonly Root[] => {
	const usual = join(around.home, '.claude');
	const envOf = (path: string) => (path === usual ? {} : {CLAUDE_CONFIG_DIR: path});
	const named = fromEnvironment(around);
	const from = named.length > 0 ? 'environment' : 'default';
	const own = named.length > 0 ? named : builtIn(around);
	const extraRoots = around.extraRoots.flatMap(root => {
		const path = absolute(root.path, around.home);
		return path === undefined ? [] : [{...root, path}];
	});
	return distinctRoots([
		...own.map((path): Root => ({path, from, resumeEnv: envOf(path)})),
		...configRoots({extraRoots}, envOf),
	]);
};

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const root = (id.includes('/') ? id.split('/')[0] : parentId) ?? '';
		return {
			reason: `sub-agent transcripts cannot be resumed; the parent can: claude --resume ${root}`,
		};
	}
	if (!UUID.test(id)) return {reason: `${id} is no session id of Claude Code`};
	const argv = ['claude', '--resume', id];
	return {argv, cwd, env: resumeEnv, forkArgv: [...argv, '--fork-session']};
};

/** A file that is mentioned goes to the model at once, from outside of the directory too (2.1.197). */
const start = (request: StartRequest): ResumePlan => ({
	argv: ['claude', firstPrompt(request, path => `@"${path}"`)],
	cwd: request.cwd,
	env: {},
});

export const claudeCode: Adapter = {
	id: 'claude-code',
	label: 'Claude Code',
	shortLabel: 'Claude',
	parserVersion: 1,
	checked: ['2.1.332', '2.1.197'],
	hasGlobalKeys: true,
	roots,
	discover,
	read,
	companions,
	retention,
	foreign,
	resume,
	start,
	unattendedFlags: ['--dangerously-skip-permissions'],
};
