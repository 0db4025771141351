import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {IndexColumn} from './text.js';

/**
 * Changes of the full-text tables, gathered and carried out in one go right before a commit. Most statements on other tables open
 * a statement journal, and FTS5 answers each of these by writing a segment of what it holds: rows and index words in turn cost
 * several times the work (12 against 5 s CPU for 220 MB).
 */
export interface IndexQueue {
	add(column: IndexColumn, eventId: number, text: string): void;
	/** A whole row of `head_fts`, replacing an earlier one. */
	head(
		sessionId: number,
		row: {readonly title: string; readonly prompt: string; readonly project: string},
	): void;
	remove(eventId: number, kind: string): void;
	/** UTF-16 units that wait. */
	size(): number;
	flush(): void;
	/** Forgets what waits, after a rollback. */
	clear(): void;
}

type Change = readonly [sql: string, ...values: readonly (string | number)[]];

export const createIndexQueue = (database: Database): IndexQueue => {
	const sql = prepared(database);
	let changes: Change[] = [];
	let size = 0;
	return {
		add(column, eventId, text) {
			changes.push([INSERTS[column], eventId, text]);
			size += text.length;
		},
		head(sessionId, {title, prompt, project}) {
			changes.push(
				['DELETE FROM head_fts WHERE rowid = ?', sessionId],
				[
					'INSERT INTO head_fts(rowid, title, prompt, project) VALUES (?, ?, ?, ?)',
					sessionId,
					title,
					prompt,
					project,
				],
			);
			size += title.length + prompt.length + project.length;
		},
		remove(eventId, kind) {
			changes.push([
				`DELETE FROM ${kind === 'meta' ? 'meta_fts' : 'event_fts'} WHERE rowid = ?`,
				eventId,
			]);
		},
		size: () => size,
		flush() {
			for (const [statement, ...values] of changes) sql(statement).run(...values);
			changes = [];
			size = 0;
		},
		clear() {
			changes = [];
			size = 0;
		},
	};
};

const INSERTS: Readonly<Record<IndexColumn, string>> = {
	prompt: 'INSERT INTO event_fts(rowid, prompt) VALUES (?, ?)',
	reply: 'INSERT INTO event_fts(rowid, reply) VALUES (?, ?)',
	tool: 'INSERT INTO event_fts(rowid, tool) VALUES (?, ?)',
	output: 'INSERT INTO event_fts(rowid, output) VALUES (?, ?)',
	thought: 'INSERT INTO event_fts(rowid, thought) VALUES (?, ?)',
	meta: 'INSERT INTO meta_fts(rowid, text) VALUES (?, ?)',
};
