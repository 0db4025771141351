/** The store of older versions: a document for each conversation in `data.sqlite3`. It also holds credentials: only these two tables are asked. */

import {join} from 'node:path';
import {sizeLabel} from '../shared/content.js';
import {at, isRecord, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {hasColumns} from '../shared/session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {stampOf} from '../shared/walk.js';
import {type Discovered, type Source, SourceUnreadable} from '../types.js';

export const DATABASE = 'data.sqlite3';
const DOCUMENT_BYTES = 64 * 1024 * 1024;

const TABLES = ['conversations_v2', 'conversations'] as const;

/** `Source.extra`: the row, whose key is the directory. */
export interface Place {
	readonly table: (typeof TABLES)[number];
	readonly directory: string;
}

interface Listed {
	readonly place: Place;
	/** The old table has it in the document only. */
	readonly id: string | undefined;
	readonly mark: string;
}

/** Of several rows with one id the newest counts: SQLite takes the other columns from the row of the maximum. */
const newRows = (db: ForeignDatabase): readonly Listed[] => {
	const rows = db.all(
		`SELECT conversation_id, key, max(updated_at) AS changed, octet_length(value) AS size
		FROM conversations_v2 GROUP BY conversation_id ORDER BY conversation_id`,
	);
	return rows.flatMap(({conversation_id: id, key, changed, size}) =>
		typeof id === 'string' && typeof key === 'string'
			? [
					{
						place: {table: 'conversations_v2', directory: key} as const,
						id,
						mark: `${changed}:${size}:${key}`,
					},
				]
			: [],
	);
};

const oldRows = (db: ForeignDatabase): readonly Listed[] =>
	db
		.all('SELECT key, octet_length(value) AS size FROM conversations ORDER BY key')
		.flatMap(({key, size}) =>
			typeof key === 'string'
				? [
						{
							place: {table: 'conversations', directory: key} as const,
							id: undefined,
							mark: `${size}`,
						},
					]
				: [],
		);

const list = (db: ForeignDatabase): readonly Listed[] | undefined => {
	const [hasNew, hasOld] = [
		hasColumns(db, TABLES[0], ['key', 'conversation_id', 'value', 'updated_at']),
		hasColumns(db, TABLES[1], ['key', 'value']),
	];
	if (!hasNew && !hasOld) return undefined;
	return [...(hasNew ? newRows(db) : []), ...(hasOld ? oldRows(db) : [])];
};

const listed = (path: string): readonly Listed[] => {
	const rows = withDatabase(path, list);
	if (rows === undefined) {
		throw new SourceUnreadable('unsupported-schema', `${path}: no table of conversations`);
	}
	return rows;
};

const sourceOf = (path: string, files: Source['files'], {place, id, mark}: Listed): Source => ({
	key: `${path}#${id ?? `${place.table}:${place.directory}`}`,
	path,
	files,
	mode: 'replace',
	mark,
	...(id === undefined ? {} : {sessionId: id}),
	// A conversation may have moved to the next table, and on to a log.
	rank: id === undefined ? 0 : 1,
	extra: place,
});

/** The conversations of the database in a folder, if there is one. */
export function* discoverDatabase(folder: string): Generator<Discovered> {
	const path = join(folder, DATABASE);
	const files = [path, `${path}-wal`].flatMap(file => stampOf(file) ?? []);
	if (files[0]?.path !== path) return;
	try {
		for (const row of listed(path)) yield {source: sourceOf(path, files, row)};
	} catch (error) {
		if (!(error instanceof SourceUnreadable)) throw error;
		yield {problem: {code: error.code, where: path, detail: error.message}};
	}
}

export const placeOf = (source: Source): Place => {
	const {table, directory} = recordOf(source.extra);
	return {
		table: table === TABLES[1] ? TABLES[1] : TABLES[0],
		directory: textOf(directory) ?? '',
	};
};

const documentRow = (db: ForeignDatabase, source: Source): Row | undefined => {
	const {table, directory} = placeOf(source);
	const value = `octet_length(value) AS size, CASE WHEN octet_length(value) <= ${DOCUMENT_BYTES} THEN value END AS value`;
	return table === 'conversations'
		? db.get(`SELECT ${value} FROM conversations WHERE key = ?`, directory)
		: db.get(
				`SELECT ${value}, created_at, updated_at FROM conversations_v2 WHERE key = ? AND conversation_id = ?`,
				directory,
				source.sessionId ?? '',
			);
};

export interface Stored {
	readonly document: Record<string, unknown>;
	readonly createdAt: unknown;
	readonly updatedAt: unknown;
}

const parsed = (value: unknown): unknown => {
	try {
		return JSON.parse(String(value));
	} catch {
		return undefined; // told below, with the row
	}
};

/** @throws SourceUnreadable when the row is gone, too large, or no document. */
export const loadConversation = (source: Source): Stored => {
	const row = withDatabase(source.path, db => documentRow(db, source));
	if (row === undefined) throw new SourceUnreadable('unreadable', `gone: ${source.key}`);
	const size = numberOf(row['size']) ?? 0;
	if (size > DOCUMENT_BYTES) {
		throw new SourceUnreadable('limit', `${source.key}: document of ${sizeLabel(size)}`);
	}
	const document = parsed(row['value']);
	if (!isRecord(document) || !Array.isArray(at(document, 'history'))) {
		throw new SourceUnreadable('bad-record', `${source.key}: no conversation in its document`);
	}
	return {document, createdAt: row['created_at'], updatedAt: row['updated_at']};
};
