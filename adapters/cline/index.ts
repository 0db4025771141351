/**
 * Cline: sessions of the command line and the extension (3.x), and the task folders of the time before. Ids do not overlap.
 */

import {foreignBy} from '../shared/foreign.js';
import {isRecord} from '../shared/narrow.js';
import {isTaskRecord, taskPlace} from '../shared/task-folder/foreign.js';
import {readTask} from '../shared/task-folder/read.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {readSession} from './session.js';

const SESSION_FILE = /\.messages\.json$/;
const SESSION_ID = /^\w[\w-]*$/;

const resume = ({
	id,
	cwd,
	isSubagent,
	parentId,
	location,
	resumeEnv,
}: ResumeRequest): ResumePlan => {
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Cline`};
	if (!SESSION_FILE.test(location)) {
		return {reason: 'a task of the extension; open it in the history of its panel'};
	}
	if (isSubagent) {
		return parentId !== null && SESSION_ID.test(parentId)
			? {reason: `sub-agent session; resume the parent: cline --id ${parentId}`}
			: {reason: 'sub-agent session, not meant to be resumed'};
	}
	return {argv: ['cline', '--id', id], cwd, env: resumeEnv};
};

export const cline: Adapter = {
	id: 'cline',
	label: 'Cline',
	shortLabel: 'Cline',
	parserVersion: 1,
	checked: ['3.0.65'],
	hasGlobalKeys: false,
	roots,
	discover,
	read: source => (SESSION_FILE.test(source.path) ? readSession(source) : readTask(source)),
	// A session, or the talk of a task from the time before.
	foreign: foreignBy({
		idIn: record =>
			Array.isArray(record['messages']) && isRecord(record['origin'])
				? record['sessionId']
				: isTaskRecord(record) && !('ts' in record && 'role' in record),
		at: (id, record) =>
			'messages' in record ? `sessions/${id}/${id}.messages.json` : taskPlace(id, record),
	}),
	resume,
};
