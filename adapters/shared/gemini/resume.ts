import type {ResumePlan, ResumeRequest} from '../../types.js';
import {UUID} from '../session-ids.js';

/** `<binary> --resume <id>`, which looks among the sessions of the current project only. */
export const planChatResume = (
	{id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest,
	{binary, label}: {readonly binary: string; readonly label: string},
): ResumePlan => {
	if (isSubagent) {
		return parentId !== null && UUID.test(parentId)
			? {reason: `sub-agent transcript; resume the parent: ${binary} --resume ${parentId}`}
			: {reason: 'sub-agent transcripts cannot be resumed'};
	}
	// Anything but a whole id is taken as a number in a list, or refused (Gemini CLI 0.61.0).
	if (!UUID.test(id)) return {reason: `${id} is no session id of ${label}`};
	if (cwd === null) {
		return {
			reason: `${label} resumes a session only in its project folder, and the store does not name it; give it with --dir`,
		};
	}
	return {argv: [binary, '--resume', id], cwd, env: resumeEnv};
};
