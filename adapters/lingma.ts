/** Lingma, also as Qoder CN: a database for each kind of editor. Of answers it holds the summary; the whole text is encrypted. */

import {readFileSync} from 'node:fs';
import {basename, isAbsolute, join} from 'node:path';
import {type AdapterEvent, eventKey, type Locator} from './model.js';
import {createBatch, END} from './shared/batch.js';
import {compact} from './shared/compact.js';
import {capText} from './shared/content.js';
import {configFolder} from './shared/editor-folders.js';
import {settingIn} from './shared/editor-settings.js';
import {at, numberOf, stringOf, textOf} from './shared/narrow.js';
import {configRoots, defaultRoots} from './shared/roots.js';
import {rowText} from './shared/rows/messages.js';
import {discoverSessions, type ListedSession, messageMarks} from './shared/rows/sessions.js';
import {hasColumns, listOfColumns} from './shared/session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from './shared/sqlite.js';
import {timeMs} from './shared/time.js';
import {listFolder, stampOf} from './shared/walk.js';
import type {Adapter, Batch, Discovered, ResumePlan, Root, Source, Surroundings} from './types.js';

const DATABASE = ['cache', 'db', 'local.db'] as const;
const EDITORS = ['Code', 'Code - Insiders'];
/** Settings that move the storage of the editor's plug-in, the newer name first. */
const SETTINGS = ['QoderCN.LocalMachineStoragePath', 'Lingma.LocalMachineStoragePath'];
const STORAGES = ['', 'sharedClientCache', 'shared_client', 'qoder-cn'];
/** Storages below a home folder of the agent. */
const OWN_STORAGES = ['vscode/sharedClientCache', 'vscode-insiders/sharedClientCache'];

/** Beside the agent's own folders: what may hold a setting that moves them. */
const roots = (around: Surroundings): readonly Root[] => {
	const config = configFolder(around);
	const users = EDITORS.map(editor => join(config, editor, 'User'));
	const paths = [
		join(around.home, '.lingma'),
		join(around.home, '.qoder-cn'),
		...users.flatMap(user => [join(user, 'settings.json'), join(user, 'profiles')]),
		join(config, 'JetBrains'),
	];
	return [...defaultRoots(...paths), ...configRoots(around)];
};

const storagesBelow = (folder: string): readonly string[] =>
	[...STORAGES, ...OWN_STORAGES].map(storage => join(folder, storage));

const inSettings = (path: string): readonly string[] => {
	const stated = SETTINGS.map(name => settingIn(path, name)).find(Boolean);
	return stated !== undefined && isAbsolute(stated) ? storagesBelow(stated) : [];
};

const OPTION = /<option\s+name="localStoragePath"\s+value="([^"]+)"/;

/** The plug-in of a JetBrains product keeps its settings as XML. */
const inProduct = (folder: string): readonly string[] => {
	const path = join(folder, 'options', 'cosy_setting.xml');
	if (stampOf(path) === undefined) return [];
	let stated: string | undefined;
	try {
		stated = OPTION.exec(readFileSync(path, 'utf8'))?.[1];
	} catch {
		return []; // not ours to read: then only the usual folders are known
	}
	return stated !== undefined && isAbsolute(stated) ? storagesBelow(stated) : [];
};

const foldersIn = (path: string): readonly string[] =>
	(listFolder(path)?.entries ?? [])
		.filter(entry => entry.isDirectory())
		.map(({name}) => join(path, name));

const storagesOf = (path: string): readonly string[] => {
	const name = basename(path);
	if (name === 'settings.json') return inSettings(path);
	if (name === 'profiles') {
		return foldersIn(path).flatMap(profile => inSettings(join(profile, 'settings.json')));
	}
	return name === 'JetBrains' ? foldersIn(path).flatMap(inProduct) : storagesBelow(path);
};

const TABLE = 'chat_record';
const COLUMNS = ['request_id', 'chat_prompt', 'summary', 'error_result', 'gmt_create', 'extra'];
/** Answers and errors are filled in later. */
const FILLED = ['chat_prompt', 'summary', 'error_result'] as const;

const list = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	if (!hasColumns(db, TABLE, ['session_id', 'chat_prompt', 'summary'])) return undefined;
	const there = db.columns(TABLE);
	const sizes = FILLED.filter(name => there.has(name)).map(name => `sum(octet_length(${name}))`);
	const marks = messageMarks(db, {table: TABLE, session: 'session_id'}, [
		'count(*)',
		'max(rowid)',
		...sizes,
	]);
	return [...marks].flatMap(([id, mark]) => {
		const text = textOf(id);
		return text === undefined ? [] : [{id: text, mark}];
	});
};

function* discover({path}: Root): Generator<Discovered> {
	const databases = path.endsWith('.db')
		? [path]
		: storagesOf(path).map(storage => join(storage, ...DATABASE));
	for (const database of new Set(databases)) yield* discoverSessions(database, list);
}

const parsed = (text: unknown): unknown => {
	try {
		return JSON.parse(stringOf(text) ?? '');
	} catch {
		return undefined; // then it is a plain text
	}
};

const errorText = (value: unknown): string => {
	const text = stringOf(value)?.trim() ?? '';
	if (text === '' || text === '{}' || text === 'null') return '';
	return textOf(at(parsed(text), 'message')) ?? text;
};

/** A question, and what came of it. */
const rowEvents = (row: Row, key: string): readonly AdapterEvent[] => {
	const locator: Locator = {table: TABLE, row: numberOf(row['place']) ?? 0};
	const shared = {locator, ...compact({atMs: timeMs(row['gmt_create'])})};
	const [prompt, summary] = [textOf(row['chat_prompt']), textOf(row['summary'])];
	const error = errorText(row['error_result']);
	const events: AdapterEvent[] = [];
	if (prompt !== undefined) {
		const said = {kind: 'message', role: 'user', ...capText(prompt)} as const;
		events.push({key: eventKey(key), ...said, ...shared});
	}
	if (summary !== undefined) {
		const said = {kind: 'message', role: 'assistant', ...capText(summary)} as const;
		const model = compact({model: textOf(at(parsed(row['extra']), 'model'))});
		events.push({key: eventKey(key, 1), ...said, ...model, ...shared});
	} else if (error !== '') {
		events.push({key: eventKey(key, 1), kind: 'meta', ...capText(error), ...shared});
	}
	return events;
};

const rowsOf = (source: Source): readonly Row[] =>
	withDatabase(source.path, db =>
		db.all(
			`SELECT rowid AS place, ${listOfColumns(db, TABLE, COLUMNS)} FROM ${TABLE} WHERE session_id = ? ORDER BY rowid`,
			source.sessionId ?? '',
		),
	);

function* read(source: Source): Generator<Batch> {
	const batch = createBatch(source.sessionId ?? '');
	const taken = new Set<string>();
	for (const row of rowsOf(source)) {
		if (batch.isFull()) yield batch.take(END);
		const id = textOf(row['request_id']);
		const key = id === undefined || taken.has(id) ? `${id ?? 'r'}-${row['place']}` : id;
		taken.add(key);
		for (const event of rowEvents(row, key)) {
			batch.event(event);
			if (event.model !== undefined) batch.patch({model: event.model});
		}
	}
	yield batch.take(END);
}

const raw = (source: Source, locator: Locator): string | undefined => {
	if (!('table' in locator)) return undefined;
	return withDatabase(source.path, db => {
		const columns = listOfColumns(db, TABLE, ['session_id', ...COLUMNS]);
		const row = db.get(`SELECT ${columns} FROM ${TABLE} WHERE rowid = ?`, locator.row);
		return row === undefined ? undefined : rowText(row);
	});
};

const resume = (): ResumePlan => ({
	reason: 'Lingma opens no given chat from the command line: pick it in the history of its panel',
});

export const lingma: Adapter = {
	id: 'lingma',
	label: 'Lingma',
	shortLabel: 'Lingma',
	parserVersion: 1,
	checked: ['stores of August 2026'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	raw,
	resume,
};
