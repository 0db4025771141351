import {isAbsolute} from 'node:path';
import type {ResumePlan, ResumeRequest} from '../types.js';

/** Any name that is safe in a file name (1.6.0), as a rule a UUID. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const PROGRAMS = {
	pi: {binary: 'pi', option: '--session'},
	omp: {binary: 'omp', option: '--resume'},
} as const;

/** By id the agent looks among the sessions of the directory; a log in another place is given by its path. */
export const resume = (request: ResumeRequest): ResumePlan => {
	const {id, cwd, isSubagent, parentId, location, resumeEnv, hint} = request;
	const program = hint['program'] === 'omp' ? 'omp' : 'pi';
	const {binary, option} = PROGRAMS[program];
	if (isSubagent) {
		const parent = parentId === null ? '' : `; resume the parent: ${binary} ${option} ${parentId}`;
		return {reason: `sub-agent transcripts cannot be resumed${parent}`};
	}
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of ${binary}`};
	const isByPath = (hint['by'] === 'path' || cwd === null) && isAbsolute(location);
	const name = isByPath ? location : id;
	return {
		argv: [binary, option, name],
		cwd,
		env: resumeEnv,
		forkArgv: [binary, '--fork', name],
	};
};
