import {UUID} from '../shared/session-ids.js';
import type {ResumePlan, ResumeRequest} from '../types.js';

export const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	// Anything else is taken as a title of the current directory.
	if (!UUID.test(id)) return {reason: `${id} is no session id that Grok Build can resume`};
	if (isSubagent) {
		return {
			reason:
				parentId === null
					? 'a sub-agent, not meant to be resumed'
					: `a sub-agent; resume its parent: grok --resume ${parentId}`,
		};
	}
	if (cwd === null) {
		return {
			reason:
				'Grok Build keeps sessions by directory, and the store does not name it; give it with --dir',
		};
	}
	const argv = ['grok', '--resume', id];
	return {argv, cwd, env: resumeEnv, forkArgv: [...argv, '--fork-session']};
};
