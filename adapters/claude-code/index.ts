/** Claude Code: `<config folder>/projects/<slug>/<session id>.jsonl`, sub-agents in files of their own. */

import {isAbsolute, join, resolve} from 'node:path';
import {firstPrompt} from '../shared/first-prompt.js';
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
	const expanded = path.replace(/^~(?=\/|\\|$)/, home);
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
	const named = fromEnvironment(around);
	const found = new Map<string, Root>();
	const add = (path: string, from: Root['from'], label?: string): void => {
		if (found.has(path)) return;
		found.set(path, {
			path,
			from,
			...(label === undefined ? {} : {label}),
			resumeEnv: path === usual ? {} : {CLAUDE_CONFIG_DIR: path},
		});
	};
	for (const path of named) add(path, 'environment');
	if (named.length === 0) for (const path of builtIn(around)) add(path, 'default');
	for (const {path, label} of around.extraRoots) {
		const whole = absolute(path, around.home);
		if (whole !== undefined) add(whole, 'config', label);
	}
	return [...found.values()];
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
