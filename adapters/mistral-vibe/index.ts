/** Mistral Vibe: a folder a session, with its messages and what is known of it. */

import {foreignBy} from '../shared/foreign.js';
import {at, textOf} from '../shared/narrow.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

/** Name of a folder, for want of an id. */
const FOLDER = /_\d{8}_\d{6}_/;

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: vibe --resume ${parentId}`;
		return {reason: `sub-agent session; its parent can be resumed${parent}`};
	}
	if (FOLDER.test(id)) return {reason: 'the id of the session is not known: meta.json is missing'};
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Mistral Vibe`};
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
	// The id stands in a document beside the log; early versions had both in one.
	foreign: foreignBy({
		idIn: ({role, message_id: id, metadata, messages}) =>
			Array.isArray(messages)
				? at(metadata, 'session_id')
				: textOf(role) !== undefined && textOf(id) !== undefined,
		at: (id, {messages}) =>
			`logs/session/session_0_${id}${Array.isArray(messages) ? '.json' : '/messages.jsonl'}`,
	}),
	resume,
};
