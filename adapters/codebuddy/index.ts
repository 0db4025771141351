/** CodeBuddy: the command line CodeBuddy Code, and chats of the extension. */

import {foreignBy} from '../shared/foreign.js';
import {isRecord, textOf} from '../shared/narrow.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {readChat} from './chats.js';
import {companions, discover, roots} from './discover.js';
import {readTranscript} from './read.js';

const TRANSCRIPT = /\.jsonl$/;
const resume = ({
	id,
	cwd,
	isSubagent,
	parentId,
	location,
	resumeEnv,
}: ResumeRequest): ResumePlan => {
	if (!TRANSCRIPT.test(location)) {
		return {reason: 'a chat of the extension; open it in the history of its panel'};
	}
	if (isSubagent) {
		const parent = parentId === null ? '' : `: codebuddy --resume ${parentId}`;
		return {reason: `sub-agent session; its parent can be resumed${parent}`};
	}
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of CodeBuddy`};
	return {argv: ['codebuddy', '--resume', id], cwd, env: resumeEnv};
};

export const codebuddy: Adapter = {
	id: 'codebuddy',
	label: 'CodeBuddy',
	shortLabel: 'CodeBud',
	parserVersion: 1,
	checked: ['2.117.0'],
	hasGlobalKeys: false,
	roots,
	discover,
	companions,
	read: (source, from) =>
		TRANSCRIPT.test(source.path) ? readTranscript(source, from) : readChat(source),
	foreign: foreignBy({
		idIn: ({type, role, providerData, sessionId}) =>
			type === 'message' && textOf(role) !== undefined && isRecord(providerData) && sessionId,
		at: id => `projects/imported/${id}.jsonl`,
	}),
	resume,
};
