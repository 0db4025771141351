/** What the command line keeps below its folder: transcripts by project, and chat stores. */

import {basename, dirname, join} from 'node:path';
import {readJsonFile} from '../shared/json-file.js';
import {at, textOf} from '../shared/narrow.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Source} from '../types.js';
import {RANKS} from './ranks.js';
import type {TranscriptPlace} from './transcript-facts.js';

/** `<project>/agent-transcripts/<id>/<id>.jsonl`, flat in older builds, and the sub-agents of a session. */
const MAIN = /^([^/]+)\/agent-transcripts\/(?:([^/]+)\/)?([^/]+)\.(jsonl|txt)$/;
const SUBAGENT = /^([^/]+)\/agent-transcripts\/([^/]+)\/subagents\/([^/]+)\.(jsonl|txt)$/;
const TRANSCRIPT_FOLDER = /^[^/]+(?:\/agent-transcripts(?:\/[^/]+(?:\/subagents)?)?)?$/;

interface Found {
	readonly slug: string;
	readonly sessionId: string;
	readonly parentId?: string;
	readonly isText: boolean;
}

const transcriptOf = (path: string): Found | undefined => {
	const [, slug, parentId, child, type] = SUBAGENT.exec(path) ?? [];
	if (slug !== undefined && parentId !== undefined && child !== undefined) {
		return {slug, sessionId: child, parentId, isText: type === 'txt'};
	}
	const [, project, folder, name, extension] = MAIN.exec(path) ?? [];
	if (project === undefined || name === undefined) return undefined;
	if (folder !== undefined && folder !== name) return undefined;
	return {slug: project, sessionId: name, isText: extension === 'txt'};
};

/** Builds differ in what they replace; what is left of a name by all of them is compared. */
const slugOf = (directory: string): string =>
	directory
		.replace(/^[A-Z]:/, drive => drive.toLowerCase())
		.replaceAll(/[^\dA-Za-z]+/g, '-')
		.replaceAll(/^-|-$/g, '');

function* discoverTranscripts(
	root: string,
	directories: ReadonlyMap<string, string>,
): Generator<Discovered> {
	const files = yield* findFiles(join(root, 'projects'), {
		depth: 5,
		accept: relative => transcriptOf(relative) !== undefined,
		enter: relative => TRANSCRIPT_FOLDER.test(relative),
	});
	for (const {path, relative, stamp} of files) {
		const found = transcriptOf(relative);
		if (found === undefined) continue;
		const {sessionId, parentId, isText} = found;
		const directory = directories.get(slugOf(found.slug));
		const extra: TranscriptPlace = {
			...(parentId === undefined ? {} : {parentId}),
			...(directory === undefined ? {} : {directory}),
		};
		yield {
			source: {
				key: path,
				path,
				files: [stamp],
				mode: isText ? 'replace' : 'append',
				sessionId,
				rank: isText ? RANKS.text : RANKS.transcript,
				extra,
			},
		};
	}
}

const STORE = 'store.db';
/** Beside the store: its write-ahead log, title and directory, and what was typed. */
const BESIDE = [`${STORE}-wal`, 'meta.json', 'prompt_history.json'] as const;
const CHAT_FILES: ReadonlySet<string> = new Set([STORE, ...BESIDE]);

const chatSource = (folder: string, files: ReadonlyMap<string, FileStamp>): Source | undefined => {
	const store = files.get(join(folder, STORE));
	if (store === undefined) return undefined;
	return {
		key: store.path,
		path: store.path,
		files: [store, ...BESIDE.flatMap(name => files.get(join(folder, name)) ?? [])],
		mode: 'replace',
		sessionId: basename(folder),
		rank: RANKS.chat,
	};
};

/** Chats lie in folders by the hash of their directory, those of editors flat. */
const CHAT_FOLDERS = [
	{name: 'chats', depth: 3},
	{name: 'acp-sessions', depth: 2},
] as const;

function* discoverChats(root: string): Generator<Discovered> {
	for (const {name, depth} of CHAT_FOLDERS) {
		const found = yield* findFiles(join(root, name), {
			depth,
			accept: (relative, file) => CHAT_FILES.has(file) && relative.split('/').length === depth,
		});
		const files = new Map(found.map(({path, stamp}) => [path, stamp]));
		for (const folder of new Set([...files.keys()].map(path => dirname(path)))) {
			const source = chatSource(folder, files);
			if (source !== undefined) yield {source};
		}
	}
}

/** Directories by the name that their project's folder has. All chats of one folder below `chats` have the same: one is asked. */
const knownDirectories = (chats: readonly Source[]): ReadonlyMap<string, string> => {
	const asked = new Set<string>();
	const found = new Map<string, string>();
	for (const {path} of chats) {
		const folder = dirname(dirname(path));
		if (asked.has(folder) || basename(dirname(folder)) !== 'chats') continue;
		const meta = readJsonFile(join(dirname(path), 'meta.json'))?.value;
		const directory = textOf(at(meta, 'cwd'));
		if (directory === undefined) continue;
		asked.add(folder);
		found.set(slugOf(directory), directory);
	}
	return found;
};

export function* discoverCommandLine(root: string): Generator<Discovered> {
	const chats = [...discoverChats(root)];
	yield* chats;
	const sources = chats.flatMap(found => ('source' in found ? [found.source] : []));
	yield* discoverTranscripts(root, knownDirectories(sources));
}
