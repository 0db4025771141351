import {UUID} from '../shared/session-ids.js';
import type {ResumePlan, ResumeRequest} from '../types.js';

export const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!UUID.test(id)) return {reason: `${id} is no session id of Muse`};
	if (isSubagent) {
		const hint = parentId === null ? '' : `; resume its parent: muse resume ${parentId}`;
		return {reason: `Muse refuses to resume a sub-agent${hint}`};
	}
	// It finds the session from anywhere, but works in the directory that it is started in.
	return {argv: ['muse', 'resume', id], cwd, env: resumeEnv};
};
