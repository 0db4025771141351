/** `shelley.db`: columns came with its versions, so each is read where it exists. */

import type {MessageTable} from '../shared/rows/messages.js';
import {
	isSupported,
	type ListedSession,
	markedRows,
	messageMarks,
	type SessionTable,
} from '../shared/rows/sessions.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {columnsOf, type ForeignDatabase} from '../shared/sqlite.js';

export const CONVERSATIONS: SessionTable = {
	name: 'conversations',
	id: 'conversation_id',
	needs: ['conversation_id'],
	columns: [
		'conversation_id',
		'slug',
		'user_initiated',
		'created_at',
		'updated_at',
		'cwd',
		'archived',
		'parent_conversation_id',
		'model',
		'is_draft',
	],
};

export const MESSAGES: MessageTable = {
	name: 'messages',
	id: 'message_id',
	session: 'conversation_id',
	columns: [
		'message_id',
		'conversation_id',
		'sequence_id',
		'type',
		'llm_data',
		'user_data',
		'usage_data',
		'created_at',
		'generation',
		'model_name',
		'forked_from_message_id',
	],
	documents: ['llm_data', 'user_data'],
	order: ['sequence_id'],
};

const MARKS = ['updated_at', 'slug', 'cwd', 'archived', 'parent_conversation_id', 'model'];

const drafts = (db: ForeignDatabase): ReadonlySet<unknown> => {
	const {name, id} = CONVERSATIONS;
	if (!columnsOf(db, name).has('is_draft')) return new Set();
	return new Set(db.all(`SELECT ${id} AS id FROM ${name} WHERE is_draft`).map(row => row['id']));
};

export const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const needs = ['message_id', 'conversation_id', 'type'];
	if (!isSupported(db, CONVERSATIONS) || !hasColumns(db, MESSAGES.name, needs)) return undefined;
	// `updated_at` has whole seconds, and a row may be rewritten within one.
	const large = listOfColumns(db, MESSAGES.name, ['llm_data']);
	const newest = messageMarks(db, {table: MESSAGES.name, session: MESSAGES.session}, [
		'count(*)',
		'max(rowid)',
		...(large === '' ? [] : [`sum(octet_length(${large}))`]),
	]);
	const unfinished = drafts(db);
	return markedRows(db, CONVERSATIONS, MARKS)
		.filter(({id}) => !unfinished.has(id))
		.map(({id, marks}) => ({id, mark: JSON.stringify([...marks, newest.get(id) ?? ''])}));
};
