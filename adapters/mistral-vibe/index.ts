/** Mistral Vibe: a folder a session, with its messages and what is known of it. */
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

/** Nothing that an option or a path could hide in. */
const ID = /^[A-Za-z\d][\w-]*$/;
/** Name of a folder, for want of an id. */
const FOLDER = /_\d{8}_\d{6}_/;

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: vibe --resume ${parentId}`;
		return {reason: `sub-agent session; its parent can be resumed${parent}`};
	}
	if (FOLDER.test(id)) return {reason: 'the id of the session is not known: meta.json is missing'};
	if (!ID.test(id)) return {reason: `${id} is no session id of Mistral Vibe`};
	return {argv: ['vibe', '--resume', id], cwd, env: resumeEnv};
};

export const mistralVibe: Adapter = {
	id: 'mistral-vibe',
	label: 'Mistral Vibe',
	shortLabel: 'Vibe',
	parserVersion: 1,
	checked: ['2.x'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	resume,
};
