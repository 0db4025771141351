/** Where Codex keeps rollouts, and what lies there. */

import {join, resolve} from 'node:path';
import type {Problem} from '../model.js';
import {oneLine} from '../shared/content.js';
import {errorText} from '../shared/errors.js';
import {readJsonLines} from '../shared/jsonl.js';
import {textOf} from '../shared/narrow.js';
import {agentRoots} from '../shared/roots.js';
import {type FoundFile, findFiles, stampOf} from '../shared/walk.js';
import {
	type Discovered,
	type FileStamp,
	type Root,
	type Source,
	SourceUnreadable,
	type Surroundings,
} from '../types.js';
import type {SourceExtra} from './facts.js';

const ROLLOUT = /^rollout-.+\.(?:jsonl|jsonl\.zst|json)$/;
/** In the folder of a day nothing else lies: rollouts that were copied there under another name count. */
const RENAMED = /(?:^|[\\/])\d{4}[\\/]\d\d[\\/]\d\d[\\/][^\\/]+\.jsonl(?:\.zst)?$/;
const SESSION_ID = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?:jsonl|jsonl\.zst|json)$/i;
/** `YYYY/MM/DD` and some: copies of other machines may lie deeper. */
const MAX_DEPTH = 12;
const INDEX_LIMIT_BYTES = 16 * 1024 * 1024;

/** Active before archived, plain before compressed. */
const FOLDERS = [
	{name: 'sessions', isArchive: false},
	{name: 'archived_sessions', isArchive: true},
] as const;

export const roots = (around: Surroundings): readonly Root[] => {
	const stated = textOf(around.env['CODEX_HOME']);
	return agentRoots(around, {
		standard: join(around.home, '.codex'),
		stated: stated === undefined ? undefined : resolve(stated),
		resumeEnv: path => ({CODEX_HOME: path}),
	});
};

interface NameIndex {
	/** The last name of each session id. */
	readonly names: ReadonlyMap<string, string>;
	readonly problems: readonly Problem[];
}

/** `session_index.jsonl`: a line per naming, `{"id", "thread_name", "updated_at"}`; the last one of an id holds. */
const readNames = (path: string): NameIndex => {
	const names = new Map<string, string>();
	const problems: Problem[] = [];
	const stamp = stampOf(path);
	if (stamp === undefined) return {names, problems};
	if (stamp.sizeBytes > INDEX_LIMIT_BYTES) {
		return {names, problems: [{code: 'limit', where: path, detail: 'index of names too large'}]};
	}
	try {
		for (const {record, problem} of readJsonLines(path)) {
			if (problem !== undefined) problems.push({...problem, where: path});
			const id = textOf(record?.['id']);
			const name = textOf(record?.['thread_name']);
			if (id !== undefined && name !== undefined) names.set(id, oneLine(name));
		}
	} catch (error) {
		// Titles are missed, the sessions are not.
		const code = error instanceof SourceUnreadable ? error.code : 'unreadable';
		problems.push({code, where: path, detail: errorText(error)});
	}
	return {names, problems};
};

interface Place {
	readonly stamp: FileStamp;
	readonly isArchive: boolean;
}

const sourceOf = ({stamp, isArchive}: Place, names: ReadonlyMap<string, string>): Source => {
	const {path} = stamp;
	const sessionId = SESSION_ID.exec(path)?.[1];
	const indexName = sessionId === undefined ? undefined : names.get(sessionId);
	const extra: SourceExtra = indexName === undefined ? {} : {indexName};
	return {
		key: path,
		path,
		files: [stamp],
		// A `.json` is one document (versions of early 2025).
		mode: path.endsWith('.json') ? 'replace' : 'append',
		...(sessionId === undefined ? {} : {sessionId}),
		preference: (isArchive ? 2 : 0) + (path.endsWith('.zst') ? 1 : 0),
		...(isArchive ? {outside: {archived: true}} : {}),
		...(indexName === undefined ? {} : {extra}),
	};
};

/** Without the compressed form of a rollout that is there in plain form too: both hold the same. */
const withoutDoubles = (found: readonly FoundFile[]): readonly FoundFile[] => {
	const paths = new Set(found.map(({path}) => path));
	return found.filter(({path}) => !(path.endsWith('.zst') && paths.has(path.slice(0, -4))));
};

export function* discover(root: Root): Generator<Discovered> {
	const {names, problems} = readNames(join(root.path, 'session_index.jsonl'));
	for (const problem of problems) yield {problem};
	for (const {name, isArchive} of FOLDERS) {
		const found = yield* findFiles(join(root.path, name), {
			depth: MAX_DEPTH,
			accept: (path, file) => ROLLOUT.test(file) || RENAMED.test(path),
		});
		for (const {stamp} of withoutDoubles(found)) {
			yield {source: sourceOf({stamp, isArchive}, names)};
		}
	}
}
