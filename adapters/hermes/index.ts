/** Hermes Agent: sessions in a database, one for each profile; before that, transcripts in files. */

import {basename, dirname, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {rawInFile} from '../shared/read-raw.js';
import {agentRoots, type OwnRoot, statedPath} from '../shared/roots.js';
import {rawMessage} from '../shared/rows/messages.js';
import {discoverSessions} from '../shared/rows/sessions.js';
import {findFiles, listFolder} from '../shared/walk.js';
import type {
	Adapter,
	Batch,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from '../types.js';
import {readDatabase} from './database.js';
import {legacyId, readDocument, readLog} from './legacy.js';
import {listSessions, MESSAGES} from './tables.js';

const PROFILES = 'profiles';
const DATABASE = 'state.db';

/** Windows: the folder in the home counts only where the other one is absent, but it may hold what was before. */
const roots = (around: Surroundings): readonly Root[] => {
	const {home, platform, env, extraRoots} = around;
	const inHome = join(home, '.hermes');
	const local = platform === 'win32' ? statedPath(env['LOCALAPPDATA']) : undefined;
	const standard = local === undefined ? inHome : join(local, 'hermes');
	const own: OwnRoot = {
		standard,
		stated: statedPath(env['HERMES_HOME']),
		resumeEnv: path => ({HERMES_HOME: path}),
	};
	if (local === undefined) return agentRoots(around, own);
	return agentRoots({...around, extraRoots: [{path: inHome}, ...extraRoots]}, own).map(root =>
		root.path === inHome ? {...root, from: 'default'} : root,
	);
};

/** Of the forms of a session the database counts, then the log. */
const LOG_RANK = -1;
const DOCUMENT_RANK = -2;

function* discoverLegacy(folder: string): Generator<Discovered> {
	const found = yield* findFiles(folder, {
		depth: 1,
		accept: name => legacyId(name) !== undefined,
	});
	for (const {path, stamp} of found) {
		const sessionId = legacyId(path);
		if (sessionId === undefined) continue;
		const rank = path.endsWith('.jsonl') ? LOG_RANK : DOCUMENT_RANK;
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId, rank}};
	}
}

/** Profiles are homes of their own inside of the main one. Which of them the agent uses now makes no difference to what was said. */
function* discover({path}: Root): Generator<Discovered> {
	yield* discoverSessions(join(path, DATABASE), listSessions);
	yield* discoverLegacy(join(path, 'sessions'));
	if (basename(dirname(path)) === PROFILES) return;
	const profiles = listFolder(join(path, PROFILES));
	if (profiles?.problem !== undefined) yield {problem: profiles.problem};
	for (const entry of profiles?.entries ?? []) {
		if (!entry.isDirectory()) continue;
		const database = join(path, PROFILES, entry.name, DATABASE);
		yield* discoverSessions(database, listSessions, {preference: 1});
	}
}

const read = (source: Source): Iterable<Batch> => {
	if (source.mark !== undefined) return readDatabase(source);
	return source.rank === LOG_RANK ? readLog(source) : readDocument(source);
};

/** `20261017_080000_a1b2c3`; jobs and gateways have names of their own. Never an option. */
const SESSION_ID = /^\w[\w.-]*$/;

/** A profile is found when it is the agent's home. */
const profileEnv = (location: string): Root['resumeEnv'] => {
	const folder = dirname(location);
	return basename(dirname(folder)) === PROFILES ? {HERMES_HOME: folder} : {};
};

const resume = ({id, isSubagent, parentId, location, resumeEnv}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `; their parent can: hermes --resume ${parentId}`;
		return {reason: `sub-agents cannot be resumed${parent}`};
	}
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of Hermes`};
	// It goes to the directory of the session by itself.
	return {
		argv: ['hermes', '--resume', id],
		cwd: null,
		env: {...resumeEnv, ...profileEnv(location)},
	};
};

export const hermes: Adapter = {
	id: 'hermes',
	label: 'Hermes Agent',
	shortLabel: 'Hermes',
	parserVersion: 1,
	checked: ['schema 30'],
	// Rows are numbered in each database anew.
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	raw: (source, locator) =>
		'table' in locator
			? rawMessage(source.path, MESSAGES, locator.row)
			: rawInFile(source, locator),
	foreign: foreignBy({
		idIn: ({role}) => role === 'session_meta',
		at: id => `sessions/${id}.jsonl`,
	}),
	resume,
};
