/** `openclaw-agent.sqlite`, schema 4 to 23 and on: which tables and columns are there, and what is asked of them. */

import type {ParentLink} from '../model.js';
import {compact} from '../shared/compact.js';
import {entryOf, listOf, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {columnsOf, type ForeignDatabase, type Row} from '../shared/sqlite.js';
import {isSubagentKey} from './keys.js';

/** One transcript of a conversation. The table had another name before schema 14. */
const WINDOW_TABLES = ['session_windows', 'sessions'] as const;

const WINDOW_COLUMNS = [
	'session_id',
	'session_key',
	'previous_session_id',
	'reason',
	'created_at',
	'updated_at',
	'transcript_updated_at',
	'started_at',
	'model',
	'parent_session_key',
	'spawned_by',
	'display_name',
] as const;

/** The conversation; `entry_json` is read for one at a time. */
const NODE_COLUMNS = [
	'session_key',
	'current_session_id',
	'parent_session_key',
	'spawned_by',
	'fork_source_session_id',
	'fork_source_entry_id',
	'label',
	'display_name',
	'archived_at',
	'updated_at',
] as const;

const hasColumns = (db: ForeignDatabase, table: string, names: readonly string[]): boolean => {
	const there = columnsOf(db, table);
	return names.every(name => there.has(name));
};

const windowTable = (db: ForeignDatabase): string | undefined =>
	hasColumns(db, 'transcript_events', ['session_id', 'seq', 'event_json'])
		? WINDOW_TABLES.find(table => hasColumns(db, table, ['session_id', 'session_key']))
		: undefined;

const existing = (db: ForeignDatabase, table: string, names: readonly string[]): string => {
	const there = columnsOf(db, table);
	return names.filter(name => there.has(name)).join(', ');
};

const hasNodes = (db: ForeignDatabase): boolean =>
	hasColumns(db, 'session_nodes', ['session_key', 'current_session_id']);

/** Tables that hold whole transcripts, for sessions that were deleted, reset or moved to cold storage. */
export const ARCHIVE_TABLES = [
	'session_transcript_cold_archives',
	'session_transcript_archives',
] as const;

const archivedIds = (db: ForeignDatabase): ReadonlyMap<unknown, number> => {
	const rows = ARCHIVE_TABLES.filter(table =>
		hasColumns(db, table, ['session_id', 'archive_blob']),
	).flatMap(table =>
		db.all(`SELECT session_id, count(*) AS count FROM ${table} GROUP BY session_id`),
	);
	return new Map(rows.map(({session_id: id, count}) => [id, Number(count)]));
};

const generations = (db: ForeignDatabase): ReadonlyMap<unknown, unknown> => {
	const table = 'transcript_rewrite_watermarks';
	if (!hasColumns(db, table, ['session_id', 'generation'])) return new Map();
	const rows = db.all(`SELECT session_id, generation FROM ${table}`);
	return new Map(rows.map(row => [row['session_id'], row['generation']]));
};

export interface ListedWindow {
	readonly id: string;
	/** Differs whenever the transcript or its conversation does. */
	readonly mark: string;
	readonly hasTranscript: boolean;
}

/** Every transcript, without a look at events; undefined when the tables are others. */
export const listWindows = (db: ForeignDatabase): readonly ListedWindow[] | undefined => {
	const table = windowTable(db);
	if (table === undefined) return undefined;
	const counts = new Map(
		db
			.all(
				`SELECT session_id, count(*) || ':' || max(seq) AS counts FROM transcript_events GROUP BY session_id`,
			)
			.map(row => [row['session_id'], row['counts']]),
	);
	const nodes = new Map(
		(hasNodes(db)
			? db.all(`SELECT ${existing(db, 'session_nodes', NODE_COLUMNS)} FROM session_nodes`)
			: []
		).map(node => [node['session_key'], node]),
	);
	const [archived, rewrites] = [archivedIds(db), generations(db)];
	const windows = db.all(`SELECT ${existing(db, table, WINDOW_COLUMNS)} FROM ${table}`);
	const known = new Set(windows.map(row => row['session_id']));
	const orphans = [...archived.keys()].filter(id => !known.has(id));
	return [...windows, ...orphans.map((id): Row => ({session_id: id}))].flatMap(row => {
		const id = textOf(row['session_id']);
		if (id === undefined) return [];
		const state = [row, nodes.get(row['session_key']), counts.get(id), archived.get(id)];
		return [
			{
				id,
				mark: JSON.stringify([...state, rewrites.get(id)].map(value => value ?? null)),
				hasTranscript: counts.has(id) || archived.has(id),
			},
		];
	});
};

export interface Window {
	readonly row: Row;
	readonly key: string;
	/** Undefined before schema 14. */
	readonly node: Row | undefined;
	readonly entry: Readonly<Record<string, unknown>>;
	readonly isCurrent: boolean;
	readonly parent: ParentLink | undefined;
}

const nodeEntry = (node: Row | undefined): Readonly<Record<string, unknown>> => {
	try {
		return recordOf(JSON.parse(textOf(node?.['entry_json']) ?? '{}'));
	} catch {
		return {}; // only names are taken from it, and a talk without one has a title all the same
	}
};

/** Reasons for a new transcript that goes on with the one before; after a reset the talk begins anew. */
const RELATIONS: Readonly<Record<string, 'continuation' | 'fork'>> = {
	compaction: 'continuation',
	fork: 'fork',
	recovery: 'continuation',
	rewind: 'fork',
	rollover: 'continuation',
};

/** The transcript that the parent's conversation was at when the child began. */
const parentByKey = (
	db: ForeignDatabase,
	table: string,
	row: Row,
	key: string,
): ParentLink | undefined => {
	const hasTime = columnsOf(db, table).has('created_at');
	const windows = db.all(
		`SELECT session_id${hasTime ? ', created_at' : ''} FROM ${table} WHERE session_key = ?${hasTime ? ' ORDER BY created_at' : ''}`,
		key,
	);
	const began = numberOf(row['created_at']) ?? Number.POSITIVE_INFINITY;
	const window = windows.findLast(({created_at: at}) => (numberOf(at) ?? 0) <= began) ?? windows[0];
	const id = textOf(window?.['session_id']);
	if (id === undefined) return undefined;
	return {id, relation: 'subagent', certainty: windows.length === 1 ? 'exact' : 'unknown'};
};

const parentOf = (
	db: ForeignDatabase,
	table: string,
	{row, key, node, isCurrent}: Omit<Window, 'parent' | 'entry'>,
): ParentLink | undefined => {
	if (isSubagentKey(key)) {
		const names = ['spawned_by', 'parent_session_key'];
		const stated = [row, node].flatMap(from => names.flatMap(name => textOf(from?.[name]) ?? []));
		return stated[0] === undefined ? undefined : parentByKey(db, table, row, stated[0]);
	}
	const certainty = 'exact' as const;
	const source = isCurrent ? textOf(node?.['fork_source_session_id']) : undefined;
	if (source !== undefined) return {id: source, relation: 'fork', certainty};
	const [previous, reason] = [textOf(row['previous_session_id']), textOf(row['reason']) ?? ''];
	const relation = entryOf(RELATIONS, reason);
	return previous === undefined || relation === undefined
		? undefined
		: compact({id: previous, relation, certainty});
};

const newestOf = (db: ForeignDatabase, table: string, key: string): unknown => {
	const order = columnsOf(db, table).has('updated_at') ? 'updated_at' : 'rowid';
	return db.get(
		`SELECT session_id FROM ${table} WHERE session_key = ? ORDER BY ${order} DESC LIMIT 1`,
		key,
	)?.['session_id'];
};

/** What is known of a transcript; undefined for one that only an archive is left of. */
export const loadWindow = (db: ForeignDatabase, id: string): Window | undefined => {
	const table = windowTable(db);
	if (table === undefined) return undefined;
	const row = db.get(
		`SELECT ${existing(db, table, WINDOW_COLUMNS)} FROM ${table} WHERE session_id = ?`,
		id,
	);
	if (row === undefined) return undefined;
	const key = textOf(row['session_key']) ?? '';
	const columns = existing(db, 'session_nodes', [...NODE_COLUMNS, 'entry_json']);
	const node = hasNodes(db)
		? db.get(`SELECT ${columns} FROM session_nodes WHERE session_key = ?`, key)
		: undefined;
	const current = hasNodes(db) ? node?.['current_session_id'] : newestOf(db, table, key);
	const window = {row, key, node, isCurrent: current === id};
	return {...window, entry: nodeEntry(node), parent: parentOf(db, table, window)};
};

/** Sequence numbers of the events on the branch that the session is on; undefined when the table is not up to date. */
export const activeEvents = (db: ForeignDatabase, id: string): ReadonlySet<number> | undefined => {
	const [active, index] = ['session_transcript_active_events', 'session_transcript_index_state'];
	if (!hasColumns(db, active, ['session_id', 'event_seq'])) return undefined;
	if (!hasColumns(db, index, ['session_id', 'needs_rebuild'])) return undefined;
	const state = db.get(`SELECT needs_rebuild FROM ${index} WHERE session_id = ?`, id);
	if (state?.['needs_rebuild'] !== 0) return undefined;
	const rows = db.all(`SELECT event_seq FROM ${active} WHERE session_id = ?`, id);
	const numbers = listOf(rows).flatMap(row => numberOf(recordOf(row)['event_seq']) ?? []);
	return numbers.length === 0 ? undefined : new Set(numbers);
};
