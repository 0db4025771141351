/** Tables and columns came and went: they are looked up, never assumed. */

import {columnsOf, type ForeignDatabase} from '../sqlite.js';

/** Tables that hold what was said. */
export const RECORD_TABLES: ReadonlySet<string> = new Set(['message', 'part', 'session_message']);

/** Those of the wanted columns that are there, for a SELECT. */
export const listOfColumns = (
	db: ForeignDatabase,
	table: string,
	wanted: readonly string[],
): string => {
	const there = columnsOf(db, table);
	return wanted.filter(name => there.has(name)).join(', ');
};

export const hasColumns = (
	db: ForeignDatabase,
	table: string,
	wanted: readonly string[],
): boolean => {
	const there = columnsOf(db, table);
	return wanted.every(name => there.has(name));
};

export const hasMessages = (db: ForeignDatabase): boolean =>
	hasColumns(db, 'message', ['id', 'session_id', 'data']) &&
	hasColumns(db, 'part', ['id', 'message_id', 'session_id', 'data']);

export const hasNewMessages = (db: ForeignDatabase): boolean =>
	hasColumns(db, 'session_message', ['id', 'session_id', 'type', 'data']);

export const isSupported = (db: ForeignDatabase): boolean =>
	hasColumns(db, 'session', ['id']) && (hasMessages(db) || hasNewMessages(db));
