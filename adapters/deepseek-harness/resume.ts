import type {ResumePlan, ResumeRequest} from '../types.js';

const SESSION_ID = /^[A-Za-z\d][\w.-]{0,254}$/;

export const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of DeepSeek Harness`};
	if (isSubagent) {
		return {
			reason:
				parentId === null
					? 'a sub-agent, not meant to be resumed'
					: `a sub-agent; resume its parent: dsh --profile tui --resume ${parentId}`,
		};
	}
	// Only the terminal app takes the option.
	return {argv: ['dsh', '--profile', 'tui', '--resume', id], cwd, env: resumeEnv};
};
