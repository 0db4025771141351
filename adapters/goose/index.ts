/** Goose: all sessions in one database. */

import {isAbsolute, join} from 'node:path';
import {agentRoots, dataRoot, type OwnRoot, statedPath} from '../shared/roots.js';
import {rawMessage} from '../shared/rows/messages.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import type {Adapter, ResumePlan, ResumeRequest, Root, Surroundings} from '../types.js';
import {read} from './read.js';
import {listSessions, MESSAGES} from './tables.js';

const FOLDER = 'goose';
const SESSIONS_FOLDER = 'sessions';

/** The folder that holds `sessions`; `GOOSE_PATH_ROOT` has it in `data`. */
const ownRoot = (around: Surroundings): OwnRoot => {
	const {platform, env} = around;
	const appData = platform === 'win32' ? statedPath(env['APPDATA']) : undefined;
	const data = dataRoot(around, FOLDER);
	const whole = statedPath(env['GOOSE_PATH_ROOT']);
	return {
		standard: appData === undefined ? data.standard : join(appData, 'Block', 'goose', 'data'),
		stated:
			whole === undefined ? (appData === undefined ? data.stated : undefined) : join(whole, 'data'),
		resumeEnv: path =>
			path.endsWith('/data')
				? {GOOSE_PATH_ROOT: path.slice(0, -'/data'.length)}
				: data.resumeEnv(path),
	};
};

const roots = (around: Surroundings): readonly Root[] => agentRoots(around, ownRoot(around));

/** `20261023_1`; never an option. */
const SESSION_ID = /^\w[\w.-]*$/;

const resume = ({id, cwd, isSubagent, parentId, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent =
			parentId === null
				? ''
				: `; their parent can: goose session --resume --session-id ${parentId}`;
		return {reason: `sub-agents cannot be resumed${parent}`};
	}
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Goose`};
	if (cwd !== null && !isAbsolute(cwd))
		return {reason: 'the directory of the session is not known'};
	return {argv: ['goose', 'session', '--resume', '--session-id', id], cwd, env: resumeEnv};
};

export const goose: Adapter = {
	id: 'goose',
	label: 'Goose',
	shortLabel: 'Goose',
	parserVersion: 1,
	checked: ['schema 16', 'schema 15', 'schema 14'],
	// `message_id` is made anew for copies, and is missing in older stores.
	hasGlobalKeys: false,
	roots,
	discover: ({path}) => discoverSessions(join(path, SESSIONS_FOLDER, 'sessions.db'), listSessions),
	read,
	raw: (source, locator) =>
		'table' in locator ? rawMessage(source.path, MESSAGES, locator.row) : undefined,
	resume,
};
