/** What Cline's catalogues say of sessions: the table `sessions`, and in older stores an index file. */

import {join} from 'node:path';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, listOf, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {stampOf} from '../shared/walk.js';
import {SourceUnreadable} from '../types.js';

/** An entry of a catalogue or a manifest, in one set of names; `Source.extra`. */
export interface Entry {
	readonly title?: string;
	readonly prompt?: string;
	readonly cwd?: string;
	readonly model?: string;
	readonly branch?: string;
	readonly version?: string;
	readonly costUsd?: number;
	readonly startedAt?: string;
	readonly parentId?: string;
	readonly forkedFrom?: string;
	readonly isSubagent?: boolean;
}
export type Catalogue = ReadonlyMap<string, Entry>;

const PROMPT_CHARS = 400;

const cut = (value: unknown): string | undefined => {
	const text = textOf(value);
	return text === undefined ? undefined : oneLine(text, PROMPT_CHARS);
};

/** From a manifest (`started_at`) or an entry of the index (`startedAt`). */
export const entryOf = (record: unknown): Entry => {
	const metadata = at(record, 'metadata');
	const isSubagent = at(record, 'is_subagent') ?? at(record, 'isSubagent');
	return compact({
		title: cut(at(metadata, 'title')),
		prompt: cut(at(record, 'prompt')),
		cwd: textOf(at(record, 'cwd')),
		model: textOf(at(record, 'model')),
		branch: textOf(at(metadata, 'git', 'branch')),
		version: textOf(at(metadata, 'sessionHistoryOrigin', 'version')),
		costUsd: numberOf(at(metadata, 'totalCost')),
		startedAt: textOf(at(record, 'started_at') ?? at(record, 'startedAt')),
		parentId: textOf(at(record, 'parent_session_id') ?? at(record, 'parentSessionId')),
		forkedFrom: textOf(at(metadata, 'fork', 'forkedFromSessionId')),
		isSubagent: isSubagent === true || isSubagent === 1 ? true : undefined,
	});
};

const ROW_COLUMNS = ['prompt', 'cwd', 'model', 'started_at', 'parent_session_id', 'is_subagent'];
/** Taken out of the metadata by the database: the rest of it is a system prompt. */
const METADATA = {
	title: '$.title',
	branch: '$.git.branch',
	version: '$.sessionHistoryOrigin.version',
	cost: '$.totalCost',
	fork: '$.fork.forkedFromSessionId',
} as const;

const rowEntry = (row: Row): Entry =>
	entryOf({
		...row,
		metadata: {
			title: row['title'],
			totalCost: row['cost'],
			git: {branch: row['branch']},
			sessionHistoryOrigin: {version: row['version']},
			fork: {forkedFromSessionId: row['fork']},
		},
	});

const rowsOf = (db: ForeignDatabase): Catalogue => {
	const there = db.columns('sessions');
	if (!there.has('session_id')) return new Map();
	const columns = ROW_COLUMNS.filter(name => there.has(name));
	const extracted = Object.entries(METADATA).map(
		([name, path]) =>
			`CASE WHEN json_valid(metadata_json) THEN json_extract(metadata_json, '${path}') END AS ${name}`,
	);
	const selected = ['session_id', ...columns, ...(there.has('metadata_json') ? extracted : [])];
	const rows = db.all(`SELECT ${selected.join(', ')} FROM sessions`);
	return new Map(rows.map(row => [String(row['session_id']), rowEntry(row)]));
};

/** The catalogue is asked at every pass, and seldom changes. */
const known = new Map<string, {readonly print: string; readonly catalogue: Catalogue}>();

/** While the database cannot be read, what it said last holds. */
const databaseCatalogue = (path: string): Catalogue => {
	const files = [path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);
	if (files[0]?.path !== path) return new Map();
	const print = JSON.stringify(files);
	const before = known.get(path);
	if (before?.print === print) return before.catalogue;
	try {
		const catalogue = withDatabase(path, rowsOf);
		known.set(path, {print, catalogue});
		return catalogue;
	} catch (error) {
		if (error instanceof SourceUnreadable) return before?.catalogue ?? new Map();
		throw error;
	}
};

const indexCatalogue = (path: string): Catalogue => {
	const document = readJsonFile(path)?.value;
	const sessions = at(document, 'sessions') ?? document;
	const entries = Array.isArray(sessions)
		? listOf(sessions).map(entry => ['', entry] as const)
		: Object.entries(recordOf(sessions));
	return new Map(
		entries.flatMap(([name, entry]) => {
			const id = textOf(at(entry, 'sessionId')) ?? textOf(at(entry, 'session_id')) ?? name;
			return isRecord(entry) && id !== '' ? [[id, entryOf(entry)] as const] : [];
		}),
	);
};

export interface CataloguePaths {
	readonly sessions: string;
	readonly database: string;
}

/** What is known of each session: a field of the database comes before that of the index. */
export const catalogueOf = ({sessions, database}: CataloguePaths): Catalogue => {
	const merged = new Map(indexCatalogue(join(sessions, 'sessions.index.json')));
	for (const [id, entry] of databaseCatalogue(join(database, 'sessions.db'))) {
		merged.set(id, {...merged.get(id), ...entry});
	}
	return merged;
};
