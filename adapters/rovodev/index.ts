/** Rovo Dev: a folder a session, with the talk in `session_context.json` and its title and place in `metadata.json`. */

import {dirname, isAbsolute, join} from 'node:path';
import {foreignBy} from '../shared/foreign.js';
import {agentRoots} from '../shared/roots.js';
import {PLAIN_ID} from '../shared/session-ids.js';
import {settingsText} from '../shared/settings-text.js';
import {findFiles, stampOf} from '../shared/walk.js';
import type {
	Adapter,
	Discovered,
	FileStamp,
	ResumePlan,
	ResumeRequest,
	Root,
	Source,
	Surroundings,
} from '../types.js';
import {read} from './read.js';

const CONTEXT = 'session_context.json';

const roots = (around: Surroundings): readonly Root[] =>
	agentRoots(around, {standard: join(around.home, '.rovodev')});

const PLACE = /^\s+persistenceDir:[ \t]*(["']?)([^\n#]+?)\1[ \t]*(?:#.*)?$/m;

/** Where sessions are, and where the settings say that they are. */
const foldersOf = (root: string): readonly string[] => {
	const stated = PLACE.exec(settingsText(join(root, 'config.yml')))?.[2] ?? '';
	const path = stated.startsWith('~/') ? join(dirname(root), stated.slice(2)) : stated;
	return [...new Set([join(root, 'sessions'), ...(isAbsolute(path) ? [path] : [])])];
};

const sourceOf = (file: FileStamp): Source => {
	const beside = stampOf(join(dirname(file.path), 'metadata.json'));
	return {
		key: file.path,
		path: file.path,
		files: beside === undefined ? [file] : [file, beside],
		mode: 'replace',
	};
};

function* discover(root: Root): Generator<Discovered> {
	for (const folder of foldersOf(root.path)) {
		const found = yield* findFiles(folder, {
			depth: 2,
			accept: (relative, name) => name === CONTEXT && relative.includes('/'),
		});
		for (const {stamp} of found) yield {source: sourceOf(stamp)};
	}
}

const resume = ({id, cwd}: ResumeRequest): ResumePlan =>
	PLAIN_ID.test(id)
		? {argv: ['acli', 'rovodev', 'run', '--restore', id], cwd, env: {}}
		: {reason: `${id} is no session id of Rovo Dev`};

export const rovodev: Adapter = {
	id: 'rovodev',
	label: 'Rovo Dev',
	shortLabel: 'Rovo Dev',
	parserVersion: 1,
	checked: ['2026-08'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({id, message_history: history}) => Array.isArray(history) && (id ?? true),
		at: id => `sessions/${id}/session_context.json`,
	}),
	resume,
};
