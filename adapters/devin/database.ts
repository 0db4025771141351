/** `sessions.db`: which tables and columns are there, and what is asked of them. */

import {isRecord, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {columnsOf, type ForeignDatabase, type Row} from '../shared/sqlite.js';
import {type AgentTip, agentOf, type Forest, mergeTips, spliceOf} from './forest.js';

/** Pictures stand in messages as base64. */
const MESSAGE_BYTES = 64 * 1024 * 1024;
const STATE_BYTES = 1024 * 1024;

/** Columns of `sessions` that came with time (`hidden`, `main_chain_id`, …) are read where they exist. */
const SESSION_COLUMNS = [
	'id',
	'working_directory',
	'workspace_dirs',
	'model',
	'title',
	'created_at',
	'last_activity_at',
	'main_chain_id',
	'hidden',
] as const;
const MARK_COLUMNS = ['last_activity_at', 'main_chain_id', 'hidden', 'title'] as const;
const NODE_COLUMNS = ['session_id', 'node_id', 'parent_node_id', 'chat_message'] as const;

export const jsonOf = (text: unknown): unknown => {
	if (typeof text !== 'string') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // the caller says what a row without its document is worth
	}
};

const hasColumns = (db: ForeignDatabase, table: string, names: readonly string[]): boolean => {
	const there = columnsOf(db, table);
	return names.every(name => there.has(name));
};

const isSupported = (db: ForeignDatabase): boolean =>
	hasColumns(db, 'sessions', ['id']) && hasColumns(db, 'message_nodes', NODE_COLUMNS);

const existing = (db: ForeignDatabase, names: readonly string[]): string => {
	const there = columnsOf(db, 'sessions');
	return names.filter(name => there.has(name)).join(', ');
};

export interface ListedSession {
	readonly id: string;
	/** Differs whenever the session does: rewinds move `main_chain_id` without a new row. */
	readonly mark: string;
	readonly agentIds: readonly string[];
	readonly hasMessages: boolean;
}

/** Durable background sub-agents, in newer stores. */
const headsOf = (db: ForeignDatabase, sessionId?: string): readonly Row[] => {
	const names = ['session_id', 'agent_id', 'chain_node_id'];
	if (!hasColumns(db, 'subagent_heads', names)) return [];
	const query = `SELECT ${names.join(', ')} FROM subagent_heads`;
	return sessionId === undefined
		? db.all(query)
		: db.all(`${query} WHERE session_id = ?`, sessionId);
};

const tipOfHead = (row: Row): readonly AgentTip[] => {
	const [agentId, tip] = [textOf(row['agent_id']), numberOf(row['chain_node_id'])];
	return agentId === undefined || tip === undefined ? [] : [{agentId, tip}];
};

/**
 * Rows with metadata of their own. The size of a column stands at the head of a row, so the messages of all others are passed over
 * unread.
 */
const markedNodes = (db: ForeignDatabase, sessionId?: string): readonly Row[] => {
	if (!hasColumns(db, 'message_nodes', ['metadata'])) return [];
	const query = `SELECT session_id, node_id, metadata FROM message_nodes
		WHERE octet_length(metadata) BETWEEN 20 AND ${STATE_BYTES}`;
	return sessionId === undefined ? db.all(query) : db.all(`${query} AND session_id = ?`, sessionId);
};

const tipOfNode = (row: Row): readonly AgentTip[] => {
	const tip = agentOf(numberOf(row['node_id']) ?? 0, jsonOf(row['metadata']));
	return tip === undefined ? [] : [tip];
};

const bySession = <T>(
	rows: readonly Row[],
	read: (row: Row) => readonly T[],
): ReadonlyMap<unknown, readonly T[]> => {
	const groups = new Map<unknown, T[]>();
	for (const row of rows) {
		const values = read(row);
		const group = groups.get(row['session_id']);
		if (group === undefined) groups.set(row['session_id'], [...values]);
		else group.push(...values);
	}
	return groups;
};

const countsOf = (db: ForeignDatabase): ReadonlyMap<unknown, string> => {
	const rows = db.all(
		`SELECT session_id, count(*) || ':' || max(rowid) AS counts FROM message_nodes GROUP BY session_id`,
	);
	return new Map(rows.map(({session_id: id, counts}) => [id, String(counts)]));
};

/** Every session and its sub-agents, without a look at messages; undefined when the tables are others. */
export const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	if (!isSupported(db)) return undefined;
	const counts = countsOf(db);
	const heads = bySession(headsOf(db), tipOfHead);
	const named = bySession(markedNodes(db), tipOfNode);
	const rows = db.all(`SELECT ${existing(db, ['id', ...MARK_COLUMNS])} FROM sessions ORDER BY id`);
	return rows.flatMap(row => {
		const id = textOf(row['id']);
		if (id === undefined) return [];
		const tips = [...(heads.get(id) ?? []), ...(named.get(id) ?? [])];
		const own = MARK_COLUMNS.map(name => row[name] ?? null);
		const ends = tips.map(({tip}) => tip);
		return [
			{
				id,
				mark: JSON.stringify([...own, counts.get(id) ?? '', ...ends]),
				agentIds: mergeTips(tips).map(({agentId}) => agentId),
				hasMessages: counts.has(id),
			},
		];
	});
};

const sessionRow = (db: ForeignDatabase, id: string): Row | undefined =>
	db.get(`SELECT ${existing(db, SESSION_COLUMNS)} FROM sessions WHERE id = ?`, id);

export interface Session {
	readonly row: Row;
	readonly forest: Forest;
	/** End of the transcript; undefined for a session without one. */
	readonly mainTip: number | undefined;
	readonly agents: readonly AgentTip[];
}

/** Where the transcript ends. Stores from before `main_chain_id` only have the newest node. */
const mainTipOf = (row: Row, nodes: ReadonlyMap<number, number | null>): number | undefined => {
	if ('main_chain_id' in row) return numberOf(row['main_chain_id']);
	return nodes.size === 0 ? undefined : Math.max(...nodes.keys());
};

/** The shape of a session, without its messages. */
export const loadSession = (db: ForeignDatabase, id: string): Session | undefined => {
	const row = sessionRow(db, id);
	if (row === undefined) return undefined;
	const parents = new Map<number, number | null>();
	for (const node of db.iterate(
		'SELECT node_id, parent_node_id FROM message_nodes WHERE session_id = ?',
		id,
	)) {
		const nodeId = numberOf(node['node_id']);
		if (nodeId !== undefined) parents.set(nodeId, numberOf(node['parent_node_id']) ?? null);
	}
	const marked = markedNodes(db, id);
	const splices = marked.flatMap(node => {
		const splice = spliceOf(jsonOf(node['metadata']));
		return splice === undefined ? [] : [[numberOf(node['node_id']) ?? 0, splice] as const];
	});
	return {
		row,
		forest: {parents, splices: new Map(splices)},
		mainTip: mainTipOf(row, parents),
		agents: mergeTips([...headsOf(db, id).flatMap(tipOfHead), ...marked.flatMap(tipOfNode)]),
	};
};

export interface MessageNode {
	readonly id: number;
	/** Row of the table: unlike the node's id, unique among all sessions. */
	readonly row: number;
	readonly createdAt: unknown;
	/** Undefined for a document that is damaged or too large. */
	readonly message: Record<string, unknown> | undefined;
	readonly sizeBytes: number;
	readonly metadata: unknown;
}

const optional = (there: ReadonlySet<string>, name: string): string =>
	there.has(name) ? name : `NULL AS ${name}`;

/** Some messages of a session, in the order of their nodes. */
export const loadNodes = (
	db: ForeignDatabase,
	sessionId: string,
	nodes: readonly number[],
): readonly MessageNode[] => {
	const there = columnsOf(db, 'message_nodes');
	const names = ['created_at', 'metadata'].map(name => optional(there, name)).join(', ');
	const rows = db.all(
		`SELECT rowid AS row, node_id, ${names}, octet_length(chat_message) AS size,
		CASE WHEN octet_length(chat_message) <= ${MESSAGE_BYTES} THEN chat_message END AS chat_message
		FROM message_nodes WHERE session_id = ? AND node_id IN (SELECT value FROM json_each(?)) ORDER BY node_id`,
		sessionId,
		JSON.stringify(nodes),
	);
	return rows.map(row => {
		const id = numberOf(row['node_id']) ?? 0;
		const message = jsonOf(row['chat_message']);
		return {
			id,
			row: numberOf(row['row']) ?? id,
			createdAt: row['created_at'],
			message: isRecord(message) ? message : undefined,
			sizeBytes: numberOf(row['size']) ?? 0,
			metadata: jsonOf(row['metadata']),
		};
	});
};

/** What the client was shown of a call: `tool_call_json`, and later news of it. */
export interface CallState {
	readonly call: unknown;
	readonly update: unknown;
}

export const loadCallStates = (
	db: ForeignDatabase,
	sessionId: string,
	callIds: readonly string[],
): ReadonlyMap<string, CallState> => {
	const columns = ['session_id', 'tool_call_id', 'tool_call_json', 'tool_call_update_json'];
	if (callIds.length === 0 || !hasColumns(db, 'tool_call_state', columns)) return new Map();
	const [call, update] = columns
		.slice(2)
		.map(name => `CASE WHEN octet_length(${name}) <= ${STATE_BYTES} THEN ${name} END AS ${name}`);
	const rows = db.all(
		`SELECT tool_call_id, ${call}, ${update} FROM tool_call_state
		WHERE session_id = ? AND tool_call_id IN (SELECT value FROM json_each(?))`,
		sessionId,
		JSON.stringify(callIds),
	);
	return new Map(
		rows.map(row => [
			String(row['tool_call_id']),
			{call: jsonOf(row['tool_call_json']), update: jsonOf(row['tool_call_update_json'])},
		]),
	);
};

/** A message as it stands in its row. */
export const rawMessage = (db: ForeignDatabase, row: string | number): string | undefined =>
	stringOf(db.get('SELECT chat_message FROM message_nodes WHERE rowid = ?', row)?.['chat_message']);
