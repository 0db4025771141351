/** GitHub Copilot CLI: a folder a session below `session-state`, with the log of its events. */

import {foreignBy} from '../shared/foreign.js';
import {at} from '../shared/narrow.js';
import {UUID} from '../shared/session-ids.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

const resume = ({id, cwd, isSubagent, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const [root = ''] = id.split('/');
		return {
			reason: `sub-agents cannot be resumed; their session can: copilot --resume=${root}`,
		};
	}
	if (!UUID.test(id)) return {reason: `${id} is no session id of GitHub Copilot CLI`};
	// The value is optional, so it must hang on the option. From anywhere the session goes back to its own directory.
	return {argv: ['copilot', `--resume=${id}`], cwd, env: resumeEnv};
};

export const copilotCli: Adapter = {
	id: 'copilot-cli',
	label: 'GitHub Copilot CLI',
	shortLabel: 'Copilot',
	parserVersion: 1,
	checked: ['1.0.102'],
	hasGlobalKeys: true,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({type, data}) =>
			type === 'session.start' && at(data, 'producer') !== undefined && at(data, 'sessionId'),
		at: id => `session-state/${id}/events.jsonl`,
	}),
	resume,
};
