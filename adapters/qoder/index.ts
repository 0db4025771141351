/** Qoder: transcripts in the manner of Claude Code, of its command line, its editor and QoderWork. */

import {foreignBy} from '../shared/foreign.js';
import {at, textOf} from '../shared/narrow.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

/** Folders of the programs that have no command line. */
const APPLICATION = /[\\/](?:\.qoderwork|SharedClientCache)[\\/]/;

const resume = ({
	id,
	cwd,
	isSubagent,
	parentId,
	location,
	resumeEnv,
}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: qodercli -r ${parentId}`;
		return {reason: `sub-agent session; its parent can be resumed${parent}`};
	}
	if (APPLICATION.test(location)) {
		return {reason: 'a session of the Qoder application; open it in its history'};
	}
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Qoder`};
	const argv = ['qodercli', '-r', id];
	return {argv, cwd, env: resumeEnv, forkArgv: [...argv, '--fork-session']};
};

export const qoder: Adapter = {
	id: 'qoder',
	label: 'Qoder',
	shortLabel: 'Qoder',
	parserVersion: 1,
	checked: ['1.1.52'],
	hasGlobalKeys: true,
	roots,
	discover,
	read,
	// Written as Claude Code writes: which of them it was is for a person to say.
	foreign: foreignBy({
		idIn: ({uuid, message, sessionId}) =>
			textOf(uuid) !== undefined && at(message, 'content') !== undefined && sessionId,
		at: id => `projects/imported/${id}.jsonl`,
	}),
	resume,
};
