/** Auggie, Augment Code's command line: one document a session, a list of exchanges of a request and a response. */

import {basename, dirname, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {agentRoots} from '../shared/roots.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import {findFiles} from '../shared/walk.js';
import type {Adapter, Discovered, ResumePlan, ResumeRequest, Root, Surroundings} from '../types.js';
import {read} from './read.js';

const FOLDER = '.augment';
/** No variable moves the folder (0.36.0). */
const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {standard: join(around.home, FOLDER)});

function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'sessions'), {
		depth: 1,
		accept: (_, name) => name.endsWith('.json') && PLAIN_ID.test(basename(name, '.json')),
	});
	for (const {path, stamp} of found) {
		const sessionId = basename(path, '.json');
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId}};
	}
}

const resume = ({id, cwd, isSubagent, parentId, location}: ResumeRequest): ResumePlan => {
	if (isSubagent) {
		const parent = parentId === null ? '' : `: auggie --resume ${parentId}`;
		return {reason: `sub-agent session; its parent can be resumed${parent}`};
	}
	if (!PLAIN_ID.test(id)) return {reason: `${id} is no session id of Auggie`};
	const folder = dirname(dirname(location));
	const elsewhere = basename(folder) === FOLDER ? [] : ['--augment-cache-dir', folder];
	return {argv: ['auggie', '--resume', id, ...elsewhere], cwd, env: {}};
};

export const auggie: Adapter = {
	id: 'auggie',
	label: 'Auggie',
	shortLabel: 'Auggie',
	parserVersion: 1,
	checked: ['0.36.0', '0.32.0'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({sessionId, chatHistory}) => Array.isArray(chatHistory) && sessionId,
		at: id => `sessions/${id}.json`,
	}),
	resume,
};
