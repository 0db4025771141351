/** Folders that the editor has opened: `workspaceStorage/<hash>/workspace.json`, and a small database each. */

import {dirname, join} from 'node:path';
import type {Problem} from '../model.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, listOf, stringOf, textOf} from '../shared/narrow.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';
import {listFolder, stampOf} from '../shared/walk.js';
import {type FileStamp, SourceUnreadable} from '../types.js';
import {pathOfUri} from './uri.js';
import {jsonOf} from './values.js';

export const TABS_KEY = 'workbench.panel.aichat.view.aichat.chatdata';
const COMPOSERS_KEY = 'composer.composerData';
/** `workbench.panel.composerChatViewPane[.<pane>]`: views of chats that stand in this window. */
const PANE_KEYS = 'workbench.panel.composerChatViewPane';
/** `/` comes right after `.`. */
const PANES = [PANE_KEYS, `${PANE_KEYS}/`];
const VIEW = /^workbench\.panel\.aichat\.view\.([^.]+)$/;

export interface Workspace {
	readonly id: string;
	readonly directory: string | undefined;
	/** Chats of this window. */
	readonly composerIds: readonly string[];
	/** Chats of the time before composers, whose text lies here. */
	readonly tabIds: readonly string[];
	/** Changes whenever the tabs are written. */
	readonly tabsRow: number;
	readonly database: string;
	readonly files: readonly FileStamp[];
}

/** A folder; of a saved workspace of several folders the one that its file lies in. */
const directoryOf = (folder: string): string | undefined => {
	const file = readJsonFile(join(folder, 'workspace.json'))?.value;
	const single = pathOfUri(stringOf(at(file, 'folder')) ?? '');
	const saved = pathOfUri(stringOf(at(file, 'workspace')) ?? '');
	return single ?? (saved?.endsWith('.code-workspace') ? dirname(saved) : undefined);
};

const idsIn = (list: unknown, name: string): readonly string[] =>
	listOf(list).flatMap(item => textOf(at(item, name)) ?? []);

/** `selectedComposerIds` are open tabs, not the chats of the workspace. */
const composersOf = (db: ForeignDatabase): readonly string[] => {
	const listed = jsonOf(
		db.get('SELECT value FROM ItemTable WHERE key = ?', COMPOSERS_KEY)?.['value'],
	);
	const panes = db.all('SELECT value FROM ItemTable WHERE key >= ? AND key < ?', ...PANES);
	const viewed = panes.flatMap(row => {
		const views = jsonOf(row['value']);
		return isRecord(views) ? Object.keys(views).flatMap(key => VIEW.exec(key)?.[1] ?? []) : [];
	});
	return [...new Set([...idsIn(at(listed, 'allComposers'), 'composerId'), ...viewed])];
};

interface Contents {
	readonly composerIds: readonly string[];
	readonly tabIds: readonly string[];
	readonly tabsRow: number;
}

const NOTHING: Contents = {composerIds: [], tabIds: [], tabsRow: 0};

const contentsOf = (db: ForeignDatabase): Contents => {
	if (!db.hasTable('ItemTable')) return NOTHING;
	const tabs = db.get('SELECT rowid AS row, value FROM ItemTable WHERE key = ?', TABS_KEY);
	return {
		composerIds: composersOf(db),
		tabIds: idsIn(at(jsonOf(tabs?.['value']), 'tabs'), 'tabId'),
		tabsRow: Number(tabs?.['row'] ?? 0),
	};
};

/** There are hundreds of these databases, and most never change again while we run. */
const known = new Map<string, {readonly print: string; readonly contents: Contents}>();

const printOf = (files: readonly FileStamp[]): string =>
	files.map(({sizeBytes, mtimeMs, inode}) => `${sizeBytes}:${mtimeMs}:${inode}`).join(' ');

const readContents = (database: string, files: readonly FileStamp[]): Contents => {
	const print = printOf(files);
	const before = known.get(database);
	if (before?.print === print) return before.contents;
	const contents = withDatabase(database, contentsOf);
	known.set(database, {print, contents});
	return contents;
};

export type FoundWorkspace =
	| {readonly workspace: Workspace; readonly problem?: undefined}
	| {readonly problem: Problem; readonly workspace?: undefined};

export function* listWorkspaces(user: string): Generator<FoundWorkspace> {
	const storage = join(user, 'workspaceStorage');
	const listing = listFolder(storage);
	if (listing?.problem !== undefined) yield {problem: listing.problem};
	for (const entry of listing?.entries ?? []) {
		if (!entry.isDirectory()) continue;
		const folder = join(storage, entry.name);
		const database = join(folder, 'state.vscdb');
		const files = [database, `${database}-wal`].flatMap(path => stampOf(path) ?? []);
		const place = {id: entry.name, directory: directoryOf(folder), database, files};
		try {
			const contents = files[0]?.path === database ? readContents(database, files) : NOTHING;
			yield {workspace: {...place, ...contents}};
		} catch (error) {
			if (!(error instanceof SourceUnreadable)) throw error;
			yield {problem: {code: error.code, where: database, detail: error.message}};
			yield {workspace: {...place, ...NOTHING}};
		}
	}
}
