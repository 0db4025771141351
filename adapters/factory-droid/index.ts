/** Factory Droid: one file a session, `sessions/<directory>/<id>.jsonl`, with running totals in `<id>.settings.json`. */
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

/** Names of transcripts: nothing that an option or a path could hide in. */
const ID = /^[A-Za-z\d][\w-]*$/;

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: droid --resume ${parentId}`;
		return {reason: `written by another session, which can be resumed instead${parent}`};
	}
	if (!ID.test(id)) return {reason: `${id} is no session id of Droid`};
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
	resume,
};
