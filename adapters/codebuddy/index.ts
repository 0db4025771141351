/** CodeBuddy: the command line CodeBuddy Code, and chats of the extension. */
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {readChat} from './chats.js';
import {companions, discover, roots} from './discover.js';
import {readTranscript} from './read.js';

const TRANSCRIPT = /\.jsonl$/;
/** Nothing that an option or a path could hide in. */
const ID = /^[A-Za-z\d][\w-]*$/;

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
	if (!ID.test(id)) return {reason: `${id} is no session id of CodeBuddy`};
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
	resume,
};
