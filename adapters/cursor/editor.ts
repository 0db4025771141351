/** The editor's stores: one database with all chats (composers), and one for each workspace. */

import {join} from 'node:path';
import {at, isRecord, listOf, numberOf, textOf} from '../shared/narrow.js';
import {databaseStamps, listDatabase} from '../shared/rows/sessions.js';
import type {ForeignDatabase, Row} from '../shared/sqlite.js';
import type {Discovered, Source} from '../types.js';
import {RANKS} from './ranks.js';
import {jsonOf, valuesOf} from './values.js';
import {listWorkspaces, type Workspace} from './workspaces.js';

const PROJECTS = 'glass.localAgentProjects.v1';
const MEMBERSHIP = 'glass.localAgentProjectMembership.v1';
/** The chat that was never begun. */
const EMPTY_STATE = 'empty-state-draft';

/** `Source.extra` of a composer, and of a tab of the time before them. */
export interface EditorPlace {
	readonly form: 'composer' | 'tab';
	/** Directory by what lies outside of the chat itself. */
	readonly directory?: string;
	readonly isSubagent?: boolean;
	readonly isArchived?: boolean;
}

interface Composer {
	readonly id: string;
	readonly mark: string;
	readonly workspaceId: string | undefined;
	readonly directory: string | undefined;
	readonly isSubagent: boolean;
	readonly isArchived: boolean;
}

/** Header rows exist from 3.12 on, with more columns in newer builds. Their documents are not needed here. */
const HEADER_COLUMNS = ['lastUpdatedAt', 'isArchived', 'isSubagent', 'workspaceId'] as const;

const headersOf = (db: ForeignDatabase): ReadonlyMap<string, Row> => {
	const there = db.columns('composerHeaders');
	if (!there.has('composerId')) return new Map();
	const columns = ['composerId', ...HEADER_COLUMNS].filter(name => there.has(name)).join(', ');
	return new Map(
		db.all(`SELECT ${columns} FROM composerHeaders`).map(row => [String(row['composerId']), row]),
	);
};

/** Chat → folder, by the projects that the editor files its chats under (3.12 and later). */
const projectFolders = (db: ForeignDatabase): ReadonlyMap<string, string> => {
	const values = valuesOf(db, 'ItemTable', [PROJECTS, MEMBERSHIP]);
	const folders = new Map(
		listOf(jsonOf(values.get(PROJECTS))).map(project => [
			textOf(at(project, 'id')),
			textOf(at(project, 'workspace', 'uri', 'fsPath')),
		]),
	);
	const members = jsonOf(values.get(MEMBERSHIP));
	const found = new Map<string, string>();
	for (const [id, project] of Object.entries(isRecord(members) ? members : {})) {
		const folder = folders.get(textOf(project) ?? textOf(at(project, 'projectId')));
		if (folder !== undefined) found.set(id, folder);
	}
	return found;
};

/**
 * Every write of a value gives it a new row (`ON CONFLICT REPLACE`), so the newest row of a chat's bubbles tells of any change.
 * Keys and rows stand in the index: no value is looked at.
 */
const COMPOSERS = `SELECT substr(key, 14) AS id, rowid AS row,
	(SELECT count(*) || ':' || coalesce(max(bubble.rowid), 0) FROM cursorDiskKV AS bubble
	WHERE bubble.key >= 'bubbleId:' || substr(composer.key, 14) || ':' AND bubble.key < 'bubbleId:' || substr(composer.key, 14) || ';') AS bubbles
	FROM cursorDiskKV AS composer WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key`;

const listComposers = (db: ForeignDatabase): readonly Composer[] => {
	if (!db.hasTable('cursorDiskKV')) return [];
	const headers = headersOf(db);
	const folders = projectFolders(db);
	return db.all(COMPOSERS).flatMap(row => {
		const id = textOf(row['id']);
		if (id === undefined || id === EMPTY_STATE) return [];
		const header = headers.get(id) ?? {};
		const isSet = (name: string): boolean => numberOf(header[name]) === 1;
		return [
			{
				id,
				mark: JSON.stringify([row['row'], row['bubbles'], header['lastUpdatedAt'] ?? null]),
				workspaceId: textOf(header['workspaceId']),
				directory: folders.get(id),
				isSubagent: isSet('isSubagent'),
				isArchived: isSet('isArchived'),
			},
		];
	});
};

interface Folders {
	readonly byWorkspace: ReadonlyMap<string, string>;
	readonly byComposer: ReadonlyMap<string, string>;
}

const foldersOf = (workspaces: readonly Workspace[]): Folders => {
	const byWorkspace = new Map<string, string>();
	const byComposer = new Map<string, string>();
	for (const {id, directory, composerIds} of workspaces) {
		if (directory === undefined) continue;
		byWorkspace.set(id, directory);
		for (const composerId of composerIds) byComposer.set(composerId, directory);
	}
	return {byWorkspace, byComposer};
};

const composerPlace = (composer: Composer, {byWorkspace, byComposer}: Folders): EditorPlace => {
	const directory =
		composer.directory ??
		byWorkspace.get(composer.workspaceId ?? '') ??
		byComposer.get(composer.id);
	return {
		form: 'composer',
		...(directory === undefined ? {} : {directory}),
		...(composer.isSubagent ? {isSubagent: true} : {}),
		...(composer.isArchived ? {isArchived: true} : {}),
	};
};

function* discoverComposers(user: string, folders: Folders): Generator<Discovered> {
	const path = join(user, 'globalStorage', 'state.vscdb');
	const files = databaseStamps(path);
	if (files[0]?.path !== path) return;
	for (const composer of (yield* listDatabase(path, listComposers)) ?? []) {
		const {id, mark} = composer;
		const source: Source = {
			key: `${path}#${id}`,
			path,
			files,
			mode: 'replace',
			mark,
			sessionId: id,
			rank: RANKS.composer,
			extra: composerPlace(composer, folders),
		};
		yield {source};
	}
}

const tabSources = ({database, files, directory, tabIds, tabsRow}: Workspace): readonly Source[] =>
	tabIds.map(id => {
		const place: EditorPlace = {form: 'tab', ...(directory === undefined ? {} : {directory})};
		return {
			key: `${database}#${id}`,
			path: database,
			files,
			mode: 'replace',
			mark: String(tabsRow),
			sessionId: id,
			rank: RANKS.tab,
			extra: place,
		};
	});

export function* discoverEditor(user: string): Generator<Discovered> {
	const workspaces: Workspace[] = [];
	for (const {workspace, problem} of listWorkspaces(user)) {
		if (problem === undefined) workspaces.push(workspace);
		else yield {problem};
	}
	yield* discoverComposers(user, foldersOf(workspaces));
	for (const source of workspaces.flatMap(tabSources)) yield {source};
}
