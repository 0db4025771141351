/** Finds conversations: transcripts below `brain`, databases in `conversations`, and the indexes that say where each was held. */

import {basename, join} from 'node:path';
import type {Problem} from '../model.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, isRecord, textOf} from '../shared/narrow.js';
import {configRoots, defaultRoots, distinctRoots} from '../shared/roots.js';
import {databaseStamps} from '../shared/rows/sessions.js';
import {listFolder, stampOf} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source, Surroundings} from '../types.js';
import {hasPrompts} from './database.js';

/** The program for terminals, the editor, and what the editor's folder was called before. */
const FOLDERS = ['antigravity-cli', 'antigravity-ide', 'antigravity'] as const;
const LOGS = ['.system_generated', 'logs'] as const;
/** The better one first: never both. */
const TRANSCRIPTS = ['transcript_full.jsonl', 'transcript.jsonl'] as const;
const INDEX_BYTES = 16 * 1024 * 1024;

export const DATABASE_END = '.db';
const ENCRYPTED_END = '.pb';

export const roots = (around: Surroundings): readonly Root[] =>
	distinctRoots([
		...defaultRoots(...FOLDERS.map(folder => join(around.home, '.gemini', folder))),
		...configRoots(around),
	]);

type Workspaces = Map<string, string>;

/** `{"<workspace>": "<id>"}`, or an object with the id: only the last conversation of each. */
const readCache = (root: string, workspaces: Workspaces): void => {
	const cache = readJsonFile(join(root, 'cache', 'last_conversations.json'), INDEX_BYTES)?.value;
	for (const [workspace, value] of Object.entries(isRecord(cache) ? cache : {})) {
		const id = textOf(value) ?? textOf(at(value, 'conversationId'));
		if (id !== undefined) workspaces.set(id, workspace);
	}
};

/** A line for each prompt: the first of a conversation says where it began. */
const readHistory = (root: string, workspaces: Workspaces): void => {
	const path = join(root, 'history.jsonl');
	if (stampOf(path) === undefined) return;
	const seen = new Set<string>();
	for (const {record} of readJsonLines(path)) {
		const id = textOf(record?.['conversationId']);
		const workspace = textOf(record?.['workspace']);
		if (id === undefined || workspace === undefined || seen.has(id)) continue;
		seen.add(id);
		workspaces.set(id, workspace);
	}
};

const workspacesOf = (root: string): Workspaces => {
	const workspaces: Workspaces = new Map();
	readCache(root, workspaces);
	readHistory(root, workspaces);
	return workspaces;
};

interface Listed {
	readonly names: readonly string[];
	readonly problems: readonly Problem[];
}

const listed = (path: string): Listed => {
	const listing = listFolder(path);
	if (listing?.problem !== undefined) return {names: [], problems: [listing.problem]};
	return {names: (listing?.entries ?? []).map(({name}) => name), problems: []};
};

const transcriptOf = (root: string, id: string): FileStamp | undefined =>
	TRANSCRIPTS.map(name => stampOf(join(root, 'brain', id, ...LOGS, name), root)).find(
		stamp => stamp !== undefined,
	);

const transcriptSource = (stamp: FileStamp, id: string, workspace: string | undefined): Source => ({
	key: stamp.path,
	path: stamp.path,
	files: [stamp],
	mode: 'append',
	rank: 1,
	sessionId: id,
	...(workspace === undefined ? {} : {outside: {cwd: workspace}}),
});

const encryptedProblem = (folder: string, count: number): Problem => ({
	code: 'unsupported-schema',
	where: folder,
	detail: `encrypted by the agent: ${count} ${count === 1 ? 'conversation' : 'conversations'}`,
});

export function* discover({path: root}: Root): Generator<Discovered> {
	const brain = listed(join(root, 'brain'));
	const folder = join(root, 'conversations');
	const conversations = listed(folder);
	for (const problem of [...brain.problems, ...conversations.problems]) yield {problem};
	const workspaces = workspacesOf(root);
	const found = new Set<string>();
	for (const id of brain.names) {
		const stamp = transcriptOf(root, id);
		if (stamp === undefined) continue;
		found.add(id);
		yield {source: transcriptSource(stamp, id, workspaces.get(id))};
	}
	for (const name of conversations.names.filter(entry => entry.endsWith(DATABASE_END))) {
		const [id, path] = [basename(name, DATABASE_END), join(folder, name)];
		const files = databaseStamps(path);
		if (files[0]?.path !== path) continue;
		const rank = found.has(id) && !hasPrompts(path) ? 0 : 2;
		found.add(id);
		// The database knows its workspace itself, mostly.
		const extra = compact({workspace: workspaces.get(id)});
		yield {
			source: {key: `${path}#${id}`, path, files, mode: 'replace', rank, sessionId: id, extra},
		};
	}
	const encrypted = [...conversations.names, ...listed(join(root, 'implicit')).names].filter(
		name => name.endsWith(ENCRYPTED_END) && !found.has(basename(name, ENCRYPTED_END)),
	);
	if (encrypted.length > 0) yield {problem: encryptedProblem(folder, new Set(encrypted).size)};
}
