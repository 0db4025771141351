/** What lies beside the chats of a window: its folder (`workspace.json`) and the index of its chats (`state.vscdb`). */

import {dirname, join} from 'node:path';
import {fileUriPath} from '../shared/file-uri.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';
import {stampOf} from '../shared/walk.js';
import {SourceUnreadable} from '../types.js';

/** A folder on another machine keeps its URI. */
const directoryOf = (uri: unknown): string | undefined => {
	const text = textOf(uri);
	return text === undefined ? undefined : (fileUriPath(text) ?? text);
};

/** Folders of a saved workspace: absolute, as URIs, or below the folder of its file. The file may hold comments: then only where it lies is known. */
const savedFolders = (path: string): readonly string[] => {
	const folders = listOf(at(readJsonFile(path)?.value, 'folders')).flatMap(folder => {
		const [own, uri] = [textOf(at(folder, 'path')), directoryOf(at(folder, 'uri'))];
		if (own === undefined) return uri ?? [];
		return /^(?:[\\/]|[A-Za-z]:)/.test(own) ? own : join(dirname(path), own);
	});
	return folders.length === 0 ? [dirname(path)] : folders;
};

/** Directories that a window is about, the first one first. */
export const directoriesOf = (folder: string): readonly string[] => {
	const file = readJsonFile(join(folder, 'workspace.json'))?.value;
	const single = directoryOf(at(file, 'folder'));
	if (single !== undefined) return [single];
	const saved = directoryOf(at(file, 'workspace') ?? at(file, 'configuration'));
	return saved?.endsWith('.code-workspace') ? savedFolders(saved) : [];
};

export interface IndexEntry {
	readonly title?: string;
	/** Of a window without a folder. */
	readonly directory?: string;
}
/** By session id. Trimmed to 400 entries, and written late: good for titles only. */
export type ChatIndex = ReadonlyMap<string, IndexEntry>;

const KEY = 'chat.ChatSessionStore.index';
const NOTHING: ChatIndex = new Map();

const textIn = (value: unknown): string =>
	value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : (stringOf(value) ?? '');

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // titles are then taken from the chats themselves
	}
};

const readIndex = (db: ForeignDatabase): ChatIndex => {
	if (!db.columns('ItemTable').has('value')) return NOTHING;
	const row = db.get('SELECT value FROM ItemTable WHERE key = ?', KEY);
	const entries = recordOf(at(parse(textIn(row?.['value'])), 'entries'));
	return new Map(
		Object.entries(entries).map(([id, entry]) => {
			const [title, directory] = [
				textOf(at(entry, 'title')),
				directoryOf(at(entry, 'workingDirectory')),
			];
			return [
				id,
				{
					...(title === undefined ? {} : {title}),
					...(directory === undefined ? {} : {directory}),
				},
			];
		}),
	);
};

/** There are hundreds of these databases, and most never change again while we run. */
const known = new Map<string, {readonly print: string; readonly index: ChatIndex}>();

/** Without an index, or while it cannot be read, chats have the title of their first prompt. */
export const indexOf = (path: string): ChatIndex => {
	const files = [path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);
	if (files[0]?.path !== path) return NOTHING;
	const print = JSON.stringify(files);
	const before = known.get(path);
	if (before?.print === print) return before.index;
	try {
		const index = withDatabase(path, readIndex);
		known.set(path, {print, index});
		return index;
	} catch (error) {
		if (error instanceof SourceUnreadable) return before?.index ?? NOTHING;
		throw error;
	}
};
