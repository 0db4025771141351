/** Factory Droid: one file a session, `sessions/<directory>/<id>.jsonl`, with running totals in `<id>.settings.json`. */

import {foreignBy} from '../shared/foreign.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: droid --resume ${parentId}`;
		return {reason: `written by another session, which can be resumed instead${parent}`};
	}
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Droid`};
	return {
		argv: ['droid', '--resume', id],
		cwd,
		env: resumeEnv,
		forkArgv: ['droid', '--fork', id],
	};
};

export const factoryDroid: Adapter = {
	id: 'factory-droid',
	label: 'Factory Droid',
	shortLabel: 'Droid',
	parserVersion: 1,
	checked: ['0.229'],
	hasGlobalKeys: true,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({type, id}) => type === 'session_start' && id,
		at: id => `sessions/imported/${id}.jsonl`,
	}),
	resume,
};
