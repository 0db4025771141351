import {firstPrompt} from '../shared/first-prompt.js';
import {isAnywhereAbsolute} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import type {ResumePlan, ResumeRequest, StartRequest} from '../types.js';

export const resume = (request: ResumeRequest): ResumePlan => {
	const {id, cwd, parentId} = request;
	// Anything but a full id is taken as a name, and `codex exec resume` then quietly begins a new session (0.171.0).
	if (!UUID.test(id)) return {reason: 'the session id is not one that Codex can resume'};
	if (request.isSubagent) {
		return parentId !== null && UUID.test(parentId)
			? {reason: `sub-agent thread; resume the parent: codex resume ${parentId}`}
			: {reason: 'sub-agent thread, not meant to be resumed'};
	}
	if (request.archived) {
		const first = ['codex', 'unarchive', id];
		return {reason: `archived by Codex; first run: ${first.join(' ')}`, first};
	}
	return {
		argv: ['codex', 'resume', id],
		// The new turn works in the directory that Codex is started in, not in the recorded one.
		cwd: cwd !== null && isAnywhereAbsolute(cwd) ? cwd : null,
		env: request.resumeEnv,
		forkArgv: ['codex', 'fork', id],
	};
};

export const start = (request: StartRequest): ResumePlan => ({
	argv: ['codex', firstPrompt(request)],
	cwd: request.cwd,
	env: {},
});
