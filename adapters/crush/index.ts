/** Crush: a database in each project. */

import {rawMessage} from '../shared/rows/messages.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';
import {MESSAGES} from './tables.js';

/** UUIDs, as far as the agent makes them; never an option. */
const SESSION_ID = /^\w[\w-]*$/;

const resume = ({id, cwd, isSubagent, parentId, hint, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `; their parent can: crush --session ${parentId}`;
		return {reason: `sub-agents cannot be resumed${parent}`};
	}
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Crush`};
	if (cwd === null) return {reason: 'the project of the session is not known'};
	const {dataDir} = hint as {readonly dataDir?: string};
	const place = dataDir === undefined ? [] : ['--data-dir', dataDir];
	return {argv: ['crush', '--session', id, ...place], cwd, env: resumeEnv};
};

export const crush: Adapter = {
	id: 'crush',
	label: 'Crush',
	shortLabel: 'Crush',
	parserVersion: 1,
	checked: ['migration 20260127000000'],
	// Ids of messages are UUIDs.
	hasGlobalKeys: true,
	isPerProject: true,
	roots,
	discover,
	read,
	raw: (source, locator) =>
		'table' in locator ? rawMessage(source.path, MESSAGES, locator.row) : undefined,
	resume,
};
