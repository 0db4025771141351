/** Kimi Code, and Kimi CLI before it: a folder per session, a log per agent of it. */

import {foreignBy} from '../shared/foreign.js';
import {textOf} from '../shared/narrow.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

/** `session_<uuid>`; older ones a bare id. */
const SESSION_ID = /^[A-Za-z0-9][\w.-]*$/;

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const root = (id.includes('/') ? id.split('/')[0] : parentId) ?? '';
		return {
			reason: `sub-agent transcripts cannot be resumed; the parent can: kimi --session ${root}`,
		};
	}
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Kimi Code`};
	if (cwd === null) {
		return {
			reason:
				'Kimi Code resumes a session only in its own directory, and the store does not name it; give it with --dir',
		};
	}
	return {argv: ['kimi', '--session', id], cwd, env: resumeEnv};
};

export const kimiCode: Adapter = {
	id: 'kimi-code',
	label: 'Kimi Code',
	shortLabel: 'Kimi',
	parserVersion: 1,
	checked: ['2.1.0', 'Kimi CLI 1.49.0'],
	// Many records have no id but their line.
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	// The header says which generation wrote it, not the session.
	foreign: foreignBy({
		idIn: ({type, protocol_version: version}) =>
			type === 'metadata' && textOf(version) !== undefined,
		at: (id, record) =>
			'created_at' in record
				? `sessions/imported/${id}/agents/main/wire.jsonl`
				: `sessions/imported/${id}/wire.jsonl`,
	}),
	resume,
};
