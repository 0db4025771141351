/** Databases with the tables of OpenCode, row by row. */
import type Database from 'better-sqlite3';
import {buildDatabase} from './fixtures.js';

export type Fields = Readonly<Record<string, unknown>>;

/** The columns that every version has. */
const TABLES = `
CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, revert text,
	workspace_id text, time_created integer, time_updated integer, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);`;

export const START_MS = 1_796_000_000_000;

const sqlText = (value: unknown): string => {
	if (value === null || value === undefined) return 'NULL';
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return `'${text.replaceAll("'", "''")}'`;
};

export const insert = (table: string, row: Fields): string =>
	`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(sqlText).join(', ')});`;

/** A message with the ids of its parts made from its own: `m1` has `m1p0`, `m1p1` … */
export interface TestMessage {
	readonly id: string;
	readonly data: Fields;
	readonly parts?: readonly Fields[];
}

export const text = (words: string, more: Fields = {}): Fields => ({
	type: 'text',
	text: words,
	...more,
});
export const user = (id: string, ...parts: readonly Fields[]): TestMessage => ({
	id,
	data: {role: 'user'},
	parts,
});
export const assistant = (id: string, ...parts: readonly Fields[]): TestMessage => ({
	id,
	data: {role: 'assistant', modelID: 'pear-2'},
	parts,
});

/** The rows of a session as SQL; messages follow each other by a second. */
export const sessionSql = (
	id: string,
	messages: readonly TestMessage[],
	columns: Fields = {},
): string => {
	const times = {time_created: START_MS, time_updated: START_MS};
	const row = {id, directory: '/home/ada/orchard', title: 'Pears', version: '1.18.33', ...times};
	const rows = messages.flatMap(({id: messageId, data, parts = []}, index) => {
		const at = START_MS + index * 1000;
		const own = {session_id: id, time_created: at, time_updated: at};
		return [
			insert('message', {id: messageId, ...own, data}),
			...parts.map((part, place) =>
				insert('part', {id: `${messageId}p${place}`, message_id: messageId, ...own, data: part}),
			),
		];
	});
	return [insert('session', {...row, ...columns}), ...rows].join('\n');
};

/** Builds a database with these tables; `sql` adds to it. */
export const buildSessions = (path: string, ...sql: readonly string[]): void =>
	buildDatabase(path, [TABLES, ...sql].join('\n'));

/** What an agent does while it writes a part. */
export const rewritePart = (
	agent: Database.Database,
	id: string,
	{data, atMs}: {readonly data: Fields; readonly atMs: number},
): void => {
	agent
		.prepare('UPDATE part SET data = ?, time_updated = ? WHERE id = ?')
		.run(JSON.stringify(data), atMs, id);
};
