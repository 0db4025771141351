/** ZCode: the tables of OpenCode with some of its own. */

import {isAbsolute, win32} from 'node:path';
import {
	type DatabaseDialect,
	readDatabaseSession,
	rowsOf,
} from '../shared/session-parts/database.js';
import {isDatabaseSource, rawRecord} from '../shared/session-parts/source.js';
import type {Adapter, ResumePlan, ResumeRequest} from '../types.js';
import {discover, roots} from './discover.js';
import {extras} from './extras.js';
import {readLog} from './log.js';

const DIALECT: DatabaseDialect = {typedText: text => text, extras};

const SESSION_ID = /^sess_[\w-]+$/;

const resume = (request: ResumeRequest): ResumePlan => {
	const {id, cwd, parentId, hint, location} = request;
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of ZCode`};
	if (request.isSubagent) {
		return parentId !== null && SESSION_ID.test(parentId)
			? {reason: `sub-agent session; resume the parent: zcode --resume ${parentId}`}
			: {reason: 'sub-agent session, not meant to be resumed'};
	}
	if (hint['workspace'] !== undefined) {
		return {reason: 'session on a remote machine; resume it in the ZCode app'};
	}
	if (location.endsWith('.jsonl')) return {reason: 'not in the database that ZCode resumes from'};
	return {
		argv: ['zcode', '--resume', id],
		cwd: cwd !== null && (isAbsolute(cwd) || win32.isAbsolute(cwd)) ? cwd : null,
		env: request.resumeEnv,
	};
};

export const zcode: Adapter = {
	id: 'zcode',
	label: 'ZCode',
	shortLabel: 'ZCode',
	parserVersion: 1,
	checked: ['0.15.2'],
	hasGlobalKeys: false,
	roots,
	discover,
	read: (source, from) =>
		isDatabaseSource(source) ? readDatabaseSession(source, DIALECT) : readLog(source, from),
	raw: rawRecord,
	rows: rowsOf,
	resume,
};
