/**
 * Amp: one JSON document a thread, rewritten as a whole. Newer builds keep threads on the server only and write no documents;
 * what lies here is from the time before.
 */

import {basename, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {agentRoots, dataRoot, statedPath} from '../shared/roots.js';
import {findFiles} from '../shared/walk.js';
import type {Adapter, Discovered, ResumePlan, ResumeRequest, Root, Surroundings} from '../types.js';
import {read} from './read.js';

const THREAD_FILE = /^T-[^/]+\.json$/;
const THREAD_ID = /^T-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `AMP_DATA_DIR` may name several folders, separated by commas. */
const roots = (around: Surroundings): readonly Root[] => {
	const paths = (around.env['AMP_DATA_DIR'] ?? '').split(',').map(statedPath);
	const stated = paths.filter(path => path !== undefined);
	if (stated.length === 0) return agentRoots(around, dataRoot(around, 'amp'));
	const {standard} = dataRoot(around, 'amp');
	const resumeEnv = (path: string) => ({AMP_DATA_DIR: path});
	const [first, ...others] = stated;
	const extraRoots = [...others.map(path => ({path})), ...around.extraRoots];
	return agentRoots({...around, extraRoots}, {standard, stated: first, resumeEnv}).map(root =>
		others.includes(root.path) ? {...root, from: 'environment'} : root,
	);
};

function* discover(root: Root): Generator<Discovered> {
	const found = yield* findFiles(join(root.path, 'threads'), {
		depth: 1,
		accept: (_, name) => THREAD_FILE.test(name),
	});
	for (const {path, stamp} of found) {
		const sessionId = basename(path, '.json');
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId}};
	}
}

const resume = ({id, cwd, resumeEnv}: ResumeRequest): ResumePlan =>
	THREAD_ID.test(id)
		? {argv: ['amp', 'threads', 'continue', id], cwd, env: resumeEnv}
		: {reason: `${id} is no thread id of Amp`};

export const amp: Adapter = {
	id: 'amp',
	label: 'Amp',
	shortLabel: 'Amp',
	parserVersion: 1,
	checked: ['0.0.1783038096'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({id, messages, v}) => Array.isArray(messages) && typeof v === 'number' && id,
		at: id => `threads/${id}.json`,
	}),
	resume,
};
