import type {ResumePlan, ResumeRequest} from '../types.js';

/** A part of an id finds nothing (0.24.4). */
const SESSION_ID = /^[\da-f-]{32,36}$/i;

export const resume = (request: ResumeRequest): ResumePlan => {
	const {id, cwd, isSubagent, parentId, archived, resumeEnv, hint} = request;
	if (isSubagent) {
		const root = (id.includes('/') ? id.split('/')[0] : parentId) ?? '';
		return SESSION_ID.test(root)
			? {reason: `sub-agent transcript; resume the parent: qwen --resume ${root}`}
			: {reason: 'sub-agent transcripts cannot be resumed'};
	}
	if (hint['form'] === 'old') {
		return {reason: 'written by a version before 0.4, whose sessions Qwen Code resumes no more'};
	}
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Qwen Code`};
	if (archived) {
		return {reason: 'archived by Qwen Code; unarchive it in the session list of: qwen serve'};
	}
	if (cwd === null) {
		return {
			reason:
				'Qwen Code resumes a session only in its project folder, and the store does not name it; give it with --dir',
		};
	}
	const argv = ['qwen', '--resume', id];
	return {argv, cwd, env: resumeEnv, forkArgv: [...argv, '--fork-session']};
};
