/** Where the command line keeps sessions: `session-state/<id>/events.jsonl`, flat `session-state/<id>.jsonl` in early versions. */

import {isAbsolute, join, resolve} from 'node:path';
import {textOf} from '../shared/narrow.js';
import {agentRoots, expandHome} from '../shared/roots.js';
import {UUID} from '../shared/session-ids.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';
import {indexedAgents, type KnownAgents, scannedAgents} from './agents.js';

export const roots = (around: Surroundings): readonly Root[] => {
	const {home, env} = around;
	const absolute = (path: string): string | undefined => {
		const expanded = expandHome(path, home);
		return isAbsolute(expanded) ? resolve(expanded) : undefined;
	};
	const extraRoots = around.extraRoots.flatMap(root => {
		const path = absolute(root.path);
		return path === undefined ? [] : [{...root, path}];
	});
	return agentRoots(
		{...around, extraRoots},
		{
			standard: join(home, '.copilot'),
			stated: absolute(textOf(env['COPILOT_HOME']) ?? ''),
			resumeEnv: path => ({COPILOT_HOME: path}),
		},
	);
};

const LOG = /^(?:([^/]+)\/events|([^/.][^/]*))\.jsonl$/;
const FACTS = /^[^/]+\/workspace\.yaml$/;

/** Where a log stands; `Source.extra`. */
export interface Place {
	/** Name of its folder or file. */
	readonly name: string;
	readonly agentId?: string;
}

/** A folder of the early flat file's session holds all of it: resuming moved it there. */
const RANKS = {folder: 1, flat: 0} as const;

interface Log {
	readonly name: string;
	readonly files: readonly [FileStamp, ...FileStamp[]];
	readonly rank: number;
}

const sourcesOf = ({name, files, rank}: Log, known: KnownAgents): readonly Source[] => {
	const [log] = files;
	const base = {path: log.path, files, mode: 'append', rank} as const;
	const idOf = (agentId?: string): Pick<Source, 'sessionId'> => {
		const sessionId = agentId === undefined ? name : `${name}/${agentId}`;
		return UUID.test(name) ? {sessionId} : {};
	};
	const agents = (known.get(name) ?? scannedAgents(log)).map((agentId): Source => {
		const extra: Place = {name, agentId};
		return {...base, key: `${log.path}#${agentId}`, ...idOf(agentId), extra};
	});
	const extra: Place = {name};
	return [{...base, key: log.path, ...idOf(), extra}, ...agents];
};

export function* discover(root: Root): Generator<Discovered> {
	const folder = join(root.path, 'session-state');
	const found = yield* findFiles(folder, {
		depth: 2,
		accept: relative => LOG.test(relative) || FACTS.test(relative),
		enter: name => !name.startsWith('.'),
	});
	const logs: {readonly name: string; readonly file: FileStamp; readonly isFlat: boolean}[] = [];
	const facts = new Map<string, FileStamp>();
	for (const {relative, stamp} of found) {
		const [, own, flat] = LOG.exec(relative) ?? [];
		const name = own ?? flat ?? '';
		if (name === '') facts.set(relative.split('/')[0] ?? '', stamp);
		else logs.push({name, file: stamp, isFlat: own === undefined});
	}
	if (logs.length === 0) return;
	const known = indexedAgents(join(root.path, 'session-store.db'));
	for (const {name, file, isFlat} of logs) {
		const beside = isFlat ? undefined : facts.get(name);
		const files: Log['files'] = beside === undefined ? [file] : [file, beside];
		const rank = isFlat ? RANKS.flat : RANKS.folder;
		for (const source of sourcesOf({name, files, rank}, known)) yield {source};
	}
}
