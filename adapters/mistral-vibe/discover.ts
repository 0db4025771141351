/** Where Mistral Vibe keeps sessions: `logs/session/<prefix>_<time>_<id>/`, sub-agents in folders below, one document in 1.x. */

import {basename, dirname, join} from 'node:path';
import {compact} from '../shared/compact.js';
import {at, textOf} from '../shared/narrow.js';
import {agentRoots, statedPath} from '../shared/roots.js';
import {jsonIn} from '../shared/rows/events.js';
import {settingsText} from '../shared/settings-text.js';
import {findFiles, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';

const FOLDER = 'VIBE_SESSION_LOGGING__SAVE_DIR';

const expand = (path: string | undefined, home: string): string | undefined =>
	statedPath(path?.trim().startsWith('~/') ? join(home, path.trim().slice(2)) : path);

/** The agent's home folder, or the folder of sessions itself where a variable names it. */
export const roots = (around: Surroundings): readonly Root[] => {
	const {env, home} = around;
	const settings = jsonIn(env['VIBE_SESSION_LOGGING'] ?? '');
	const saved = expand(env[FOLDER], home) ?? expand(textOf(at(settings, 'save_dir')), home);
	const own = agentRoots(around, {
		standard: join(home, '.vibe'),
		stated: expand(env['VIBE_HOME'], home),
		resumeEnv: path => ({VIBE_HOME: path}),
	});
	if (saved === undefined) return own;
	return [{path: saved, from: 'environment', resumeEnv: {[FOLDER]: saved}}, ...own];
};

const PLACE = /^\[session_logging\][^[]*?^\s*save_dir\s*=\s*(["'])(.+?)\1/ms;

const foldersOf = ({path, resumeEnv}: Root): readonly string[] => {
	if (resumeEnv[FOLDER] === path) return [path];
	const stated = PLACE.exec(settingsText(join(path, 'config.toml')))?.[2];
	return [...new Set([join(path, 'logs', 'session'), expand(stated, dirname(path)) ?? []].flat())];
};

/** What the place says of a session; `Source.extra`. */
export interface Place {
	/** Name of its folder, or of its document. */
	readonly name: string;
	/** Folder of the session that started this one. */
	readonly parentFolder?: string;
}

const LOG = /^[^/]+(?:\/agents\/[^/]+)*\/messages\.jsonl$/;
const LEGACY = /^[^/]+_\d[^/]*\.json$/;

const logSource = (file: FileStamp): Source => {
	const folder = dirname(file.path);
	const beside = stampOf(join(folder, 'meta.json'));
	const isSubagent = basename(dirname(folder)) === 'agents';
	const parentFolder = isSubagent ? dirname(dirname(folder)) : undefined;
	const extra: Place = {name: basename(folder), ...compact({parentFolder})};
	const base = {key: folder, path: file.path, extra};
	// Until `meta.json` is there the id is not known: then everything is read again, under the right one.
	if (beside === undefined) return {...base, files: [file], mode: 'replace'};
	return {...base, files: [file, beside], mode: 'append'};
};

const legacySource = (file: FileStamp): Source => ({
	key: file.path,
	path: file.path,
	files: [file],
	mode: 'replace',
	extra: {name: basename(file.path, '.json')} satisfies Place,
});

export function* discover(root: Root): Generator<Discovered> {
	for (const folder of foldersOf(root)) {
		const found = yield* findFiles(folder, {
			depth: 8,
			accept: relative => LOG.test(relative) || LEGACY.test(relative),
		});
		for (const {path, stamp} of found) {
			yield {source: path.endsWith('.jsonl') ? logSource(stamp) : legacySource(stamp)};
		}
	}
}
