/** Continue: the command line `cn` and the editor's extension share a folder of documents, one a session. */

import {basename, join} from 'node:path';
import {compact} from '../shared/compact.js';
import {foreignBy} from '../shared/foreign.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, listOf, textOf} from '../shared/narrow.js';
import {agentRoots, statedPath} from '../shared/roots.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import {timeMs} from '../shared/time.js';
import {findFiles} from '../shared/walk.js';
import type {Adapter, Discovered, ResumePlan, ResumeRequest, Root, Surroundings} from '../types.js';
import {read} from './read.js';

const VARIABLE = 'CONTINUE_GLOBAL_DIR';
const INDEX = 'sessions.json';

const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {
		standard: join(around.home, '.continue'),
		stated: statedPath(around.env[VARIABLE]),
		resumeEnv: path => ({[VARIABLE]: path}),
	});

/** When sessions were begun: only the index says it, and it may be missing. */
const begunTimes = (folder: string): ReadonlyMap<string, number> =>
	new Map(
		listOf(readJsonFile(join(folder, INDEX))?.value).flatMap(entry => {
			const [id, begun] = [textOf(at(entry, 'sessionId')), timeMs(at(entry, 'dateCreated'))];
			return id === undefined || begun === undefined ? [] : [[id, begun] as const];
		}),
	);

function* discover(root: Root): Generator<Discovered> {
	const folder = join(root.path, 'sessions');
	const found = yield* findFiles(folder, {
		depth: 1,
		accept: (_, name) => name.endsWith('.json') && name !== INDEX,
	});
	const begun = begunTimes(folder);
	for (const {path, stamp} of found) {
		const sessionId = basename(path, '.json');
		const createdAtMs = begun.get(sessionId);
		const outside = createdAtMs === undefined ? undefined : {createdAtMs};
		const files = [stamp];
		yield {
			source: {key: path, path, files, mode: 'replace', sessionId, ...compact({outside})},
		};
	}
}

/** `--resume` takes no id: a given session goes on as a copy of itself only. */
const resume = ({id, cwd, resumeEnv}: ResumeRequest): ResumePlan => {
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Continue`};
	const argv = ['cn', '--fork', id];
	return {argv, cwd, env: resumeEnv, forkArgv: argv};
};

export const continueDev: Adapter = {
	id: 'continue',
	label: 'Continue',
	shortLabel: 'Continue',
	parserVersion: 1,
	checked: ['1.5.47'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({sessionId, history}) => Array.isArray(history) && sessionId,
		at: id => `sessions/${id}.json`,
	}),
	resume,
};
