import type {ResumePlan, ResumeRequest} from '../types.js';

const SESSION_ID = /^[A-Za-z\d][A-Za-z\d._-]{0,254}$/;

export const resume = ({id, cwd, isSubagent, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of fx`};
	if (isSubagent) return {reason: 'a sub-agent, private to the session that started it'};
	return {argv: ['fx', 'session', 'resume', '--id', id], cwd, env: resumeEnv};
};
