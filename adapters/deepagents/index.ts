/** Deep Agents Code (`dcode`): threads as LangGraph keeps them. */

import {statSync} from 'node:fs';
import {join} from 'node:path';
import {agentRoots} from '../shared/roots.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import type {Adapter, Discovered, ResumePlan, ResumeRequest, Root} from '../types.js';
import {rawRows, read} from './read.js';
import {listThreads} from './tables.js';

const NEWER = ['.state', 'sessions.db'] as const;
const OLDER = ['sessions.db'] as const;

/** The older place counts only while there is no newer one. */
const discover = ({path}: Root): Iterable<Discovered> => {
	const newer = join(path, ...NEWER);
	const isThere = statSync(newer, {throwIfNoEntry: false}) !== undefined;
	return discoverSessions(isThere ? newer : join(path, ...OLDER), listThreads);
};

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `; their parent can: dcode -r ${parentId}`;
		return {reason: `sub-agents cannot be resumed${parent}`};
	}
	// A UUID, or eight hexadecimal digits before.
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no thread of Deep Agents`};
	return {argv: ['dcode', '-r', id], cwd, env: resumeEnv};
};

export const deepagents: Adapter = {
	id: 'deepagents',
	label: 'Deep Agents',
	shortLabel: 'DeepAgt',
	parserVersion: 1,
	checked: ['libs/code of 2026-08'],
	hasGlobalKeys: false,
	roots: around =>
		agentRoots(around, {
			standard: join(around.home, '.deepagents'),
			stated: undefined,
			resumeEnv: () => ({}),
		}),
	discover,
	read,
	raw(source, locator) {
		if (!('table' in locator)) return undefined;
		return [...rawRows(source)].find(({row}) => row === locator.row)?.raw;
	},
	rows: rawRows,
	resume,
};
