/** Sessions in the tables `session`, `message` and `part`; newer builds have `session_message` instead of the last two. */

import type {Locator, Problem} from '../../model.js';
import type {Batch, RawRow, Source} from '../../types.js';
import {createBatch} from '../batch.js';
import {sizeLabel} from '../content.js';
import {at, numberOf, stringOf, textOf} from '../narrow.js';
import {columnsOf, type ForeignDatabase, type Row, withDatabase} from '../sqlite.js';
import {type Dialect, readSession} from './read.js';
import {
	type Extras,
	type Json,
	jsonOf,
	type Report,
	rowData,
	type StoredMessage,
	type StoredPart,
	type StoredSession,
} from './records.js';
import {hasColumns, hasMessages, hasNewMessages, listOfColumns, RECORD_TABLES} from './schema.js';
import {newMessage} from './session-message.js';

/** Largest record that is loaded: pictures stand in parts as `data:` URLs. */
const RECORD_BYTES = 64 * 1024 * 1024;

/** Columns that came and went: each is read where it exists. */
const SESSION_COLUMNS = [
	'id',
	'project_id',
	'workspace_id',
	'parent_id',
	'directory',
	'title',
	'title_source',
	'task_type',
	'version',
	'revert',
	'cost',
	'tokens_input',
	'tokens_output',
	'tokens_reasoning',
	'tokens_cache_read',
	'tokens_cache_write',
	'model',
	'time_created',
	'time_updated',
	'time_archived',
] as const;

/** Ids of rows in the order in which they are shown, without their content. */
const orderedIds = (
	db: ForeignDatabase,
	query: {readonly table: string; readonly columns: readonly string[]; readonly order: string},
	sessionId: string,
): readonly Row[] => {
	const {table} = query;
	const columns = listOfColumns(db, table, query.columns);
	const there = columnsOf(db, table);
	const hasTime = there.has('time_created');
	// ZCode counts its rows; very old ones have no number.
	const place = ['sequence', 'seq'].find(name => there.has(name));
	const order =
		place === undefined
			? query.order
			: `${place} IS NULL, ${place}${hasTime ? ', time_created' : ''}, rowid`;
	return db.all(
		`SELECT ${columns} FROM ${table} WHERE session_id = ? ORDER BY ${order}`,
		sessionId,
	);
};

/** Records of some rows, by id. Content is always fetched by the primary key, the one index that is there in every version. */
const recordsOf = (
	db: ForeignDatabase,
	table: string,
	ids: readonly string[],
	report: Report,
): ReadonlyMap<string, unknown> => {
	const rows = db.all(
		`SELECT id, octet_length(data) AS size, CASE WHEN octet_length(data) <= ${RECORD_BYTES} THEN data END AS data
		FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
		JSON.stringify(ids),
	);
	const records = new Map<string, unknown>();
	for (const {id, size, data} of rows) {
		const bytes = numberOf(size) ?? 0;
		if (bytes <= RECORD_BYTES) records.set(String(id), data);
		else
			report({
				code: 'limit',
				where: `${table} ${String(id)}`,
				detail: `record of ${sizeLabel(bytes)}`,
			});
	}
	return records;
};

const recordOf = (
	db: ForeignDatabase,
	{table, id}: {readonly table: string; readonly id: string},
	report: Report,
): Json | undefined => {
	const records = recordsOf(db, table, [id], report);
	return records.has(id) ? rowData(records.get(id), `${table} ${id}`, report) : undefined;
};

const rowLocator = (table: string, row: string): Locator => ({table, row});

const partsByMessage = (
	db: ForeignDatabase,
	sessionId: string,
): ReadonlyMap<string, readonly string[]> => {
	const rows = orderedIds(
		db,
		{table: 'part', columns: ['id', 'message_id'], order: 'id'},
		sessionId,
	);
	const groups = new Map<string, string[]>();
	for (const row of rows) {
		const [id, messageId] = [String(row['id']), String(row['message_id'])];
		const group = groups.get(messageId);
		if (group === undefined) groups.set(messageId, [id]);
		else group.push(id);
	}
	return groups;
};

const partsOf = (
	db: ForeignDatabase,
	ids: readonly string[],
	report: Report,
): readonly StoredPart[] => {
	const records = recordsOf(db, 'part', ids, report);
	return ids.flatMap(id => {
		if (!records.has(id)) return [];
		const data = rowData(records.get(id), `part ${id}`, report);
		return data === undefined ? [] : [{id, data, locator: rowLocator('part', id)}];
	});
};

const messagesOf = (
	db: ForeignDatabase,
	sessionId: string,
	report: Report,
): readonly StoredMessage[] => {
	if (!hasMessages(db)) return [];
	const parts = partsByMessage(db, sessionId);
	const order = columnsOf(db, 'message').has('time_created') ? 'time_created, id' : 'id';
	const columns = ['id', 'time_created'];
	return orderedIds(db, {table: 'message', columns, order}, sessionId).map(row => {
		const id = String(row['id']);
		return {
			id,
			locator: rowLocator('message', id),
			createdAt: row['time_created'],
			data: () => recordOf(db, {table: 'message', id}, report),
			parts: () => partsOf(db, parts.get(id) ?? [], report),
		};
	});
};

const newMessagesOf = (
	db: ForeignDatabase,
	sessionId: string,
	report: Report,
): readonly StoredMessage[] => {
	if (!hasNewMessages(db)) return [];
	const columns = ['id', 'type', 'time_created'];
	const query = {table: 'session_message', columns, order: 'time_created, id'};
	return orderedIds(db, query, sessionId).map(row => {
		const id = String(row['id']);
		return newMessage({
			id,
			type: stringOf(row['type']) ?? '',
			locator: rowLocator('session_message', id),
			createdAt: row['time_created'],
			data: () => recordOf(db, {table: 'session_message', id}, report),
		});
	});
};

/** The call of the parent that started a sub-agent: its result names the session. */
const callIdOf = (db: ForeignDatabase, parentId: string, childId: string): string | undefined => {
	const rows = db.iterate(
		`SELECT data FROM part WHERE session_id = ? AND octet_length(data) <= ${RECORD_BYTES} AND instr(data, ?) > 0`,
		parentId,
		childId,
	);
	for (const {data} of rows) {
		const part = jsonOf(data);
		if (at(part, 'state', 'metadata', 'sessionId') === childId) return textOf(part['callID']);
	}
	return undefined;
};

const extrasOf = (db: ForeignDatabase, row: Row, dialect: DatabaseDialect): Extras => {
	const id = String(row['id']);
	const extras = dialect.extras?.(db, row) ?? {};
	const parentId = textOf(row['parent_id']) ?? extras.parentId;
	if (parentId === undefined || !hasMessages(db)) return extras;
	return {...extras, callId: callIdOf(db, parentId, id)};
};

const worktreeOf = (db: ForeignDatabase, row: Row): string | undefined => {
	const projectId = textOf(row['project_id']);
	if (projectId === undefined || !hasColumns(db, 'project', ['id', 'worktree'])) return undefined;
	return textOf(db.get('SELECT worktree FROM project WHERE id = ?', projectId)?.['worktree']);
};

/** What differs between the agents. */
export interface DatabaseDialect extends Dialect {
	/** What the agent keeps of a session in tables of its own. */
	extras?(db: ForeignDatabase, row: Row): Extras;
}

const loadSession = (
	db: ForeignDatabase,
	id: string,
	{dialect, report}: {readonly dialect: DatabaseDialect; readonly report: Report},
): StoredSession | undefined => {
	const columns = listOfColumns(db, 'session', SESSION_COLUMNS);
	const row = db.get(`SELECT ${columns} FROM session WHERE id = ?`, id);
	if (row === undefined) return undefined;
	const messages = messagesOf(db, id, report);
	return {
		id,
		row,
		worktree: worktreeOf(db, row),
		messages: messages.length > 0 ? messages : newMessagesOf(db, id, report),
		extras: extrasOf(db, row, dialect),
	};
};

/** Reads one session in one state of the database; nothing when it is gone. */
export const readDatabaseSession = (source: Source, dialect: DatabaseDialect): readonly Batch[] => {
	const id = source.sessionId ?? '';
	const batch = createBatch(id);
	const report = (problem: Problem) => batch.problem(problem);
	return withDatabase(source.path, db => {
		const session = loadSession(db, id, {dialect, report});
		return session === undefined ? [] : [...readSession(session, dialect, batch)];
	});
};

/** The record of an event as it stands in its row. */
export const rawRow = (path: string, table: string, row: string | number): string | undefined => {
	if (!RECORD_TABLES.has(table)) return undefined;
	const data = withDatabase(
		path,
		db => db.get(`SELECT data FROM ${table} WHERE id = ?`, row)?.['data'],
	);
	return data instanceof Uint8Array ? Buffer.from(data).toString() : stringOf(data);
};

/** All rows of a session: its own with every column, then its records. */
export const rowsOf = (source: Source): readonly RawRow[] => {
	const id = source.sessionId ?? '';
	return withDatabase(source.path, db => {
		const own = db.get('SELECT * FROM session WHERE id = ?', id);
		const records = [...RECORD_TABLES].flatMap(table => {
			if (!hasColumns(db, table, ['id', 'session_id', 'data'])) return [];
			const rows = db.all(
				`SELECT id, data FROM ${table} WHERE session_id = ? AND octet_length(data) <= ${RECORD_BYTES} ORDER BY rowid`,
				id,
			);
			return rows.map((row): RawRow => ({table, row: String(row['id']), raw: textIn(row['data'])}));
		});
		return own === undefined
			? records
			: [{table: 'session', row: id, raw: JSON.stringify(own)}, ...records];
	});
};

const textIn = (data: unknown): string =>
	data instanceof Uint8Array ? Buffer.from(data).toString() : String(data ?? '');
