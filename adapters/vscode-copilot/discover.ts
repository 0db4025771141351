/** Finds chats by their files: the editor's own index is trimmed, the files stay. */

import {basename, join} from 'node:path';
import {compact} from '../shared/compact.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source} from '../types.js';
import {type ChatIndex, directoriesOf, type IndexEntry, indexOf} from './workspaces.js';

// Paths below the user folder. What else lies there is no chat: undo snapshots, diagnostics, chats that are handed to another window.
const CHAT = /^workspaceStorage\/([^/]+)\/chatSessions\/[^/.][^/]*\.jsonl?$/;
const EMPTY_WINDOW_CHAT = /^globalStorage\/emptyWindowChatSessions\/[^/.][^/]*\.jsonl?$/;
const TRANSCRIPT =
	/^workspaceStorage\/([^/]+)\/GitHub\.copilot-chat\/transcripts\/[^/.][^/]*\.jsonl$/;
const FOLDER =
	/^(?:workspaceStorage(?:\/[^/]+(?:\/chatSessions|\/GitHub\.copilot-chat(?:\/transcripts)?)?)?|globalStorage(?:\/emptyWindowChatSessions)?)$/;
/** Early place of chats of windows without a folder. */
const NO_WORKSPACE = 'no-workspace';

/** The editor reads the log before the document. The extension's transcript is a copy with less in it. */
const RANKS = {log: 2, document: 1, transcript: 0} as const;

/** What is known of a chat from outside; `Source.extra`. */
export interface Place {
	readonly id: string;
	readonly form: keyof typeof RANKS;
	readonly directories?: readonly string[];
	/** Title in the index: the agent's, or no more than the first prompt. */
	readonly title?: string;
}

interface Window {
	readonly directories: readonly string[];
	readonly index: ChatIndex;
}

const NO_ENTRY: IndexEntry = {};

const sourceOf = (file: FileStamp, form: Place['form'], window: Window): Source => {
	const id = basename(file.path).replace(/\.jsonl?$/, '');
	const {title, directory} = window.index.get(id) ?? NO_ENTRY;
	const directories =
		window.directories.length > 0 || directory === undefined ? window.directories : [directory];
	const extra: Place = compact({
		id,
		form,
		directories: directories.length === 0 ? undefined : directories,
		title,
	});
	return {
		key: file.path,
		path: file.path,
		files: [file],
		mode: form === 'transcript' ? 'append' : 'replace',
		sessionId: id,
		rank: RANKS[form],
		// A window that gets a folder copies its chats there, and leaves the originals.
		preference: directories.length === 0 ? 1 : 0,
		extra,
	};
};

const formOf = (relative: string): Place['form'] => {
	if (TRANSCRIPT.test(relative)) return 'transcript';
	return relative.endsWith('.jsonl') ? 'log' : 'document';
};

export function* discover(root: Root): Generator<Discovered> {
	const windows = new Map<string, Window>();
	const windowOf = (name: string | undefined): Window => {
		const isEmpty = name === undefined || name === NO_WORKSPACE;
		const folder = isEmpty
			? join(root.path, 'globalStorage')
			: join(root.path, 'workspaceStorage', name);
		const known = windows.get(folder);
		if (known !== undefined) return known;
		const window = {
			directories: isEmpty ? [] : directoriesOf(folder),
			index: indexOf(join(folder, 'state.vscdb')),
		};
		windows.set(folder, window);
		return window;
	};
	const found = yield* findFiles(root.path, {
		depth: 5,
		accept: relative =>
			CHAT.test(relative) || EMPTY_WINDOW_CHAT.test(relative) || TRANSCRIPT.test(relative),
		enter: relative => FOLDER.test(relative),
	});
	for (const {relative, stamp} of found) {
		const name = CHAT.exec(relative)?.[1] ?? TRANSCRIPT.exec(relative)?.[1];
		yield {source: sourceOf(stamp, formOf(relative), windowOf(name))};
	}
}
