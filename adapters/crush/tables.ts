/** `crush.db` of a project: columns came with its migrations, so each is read where it exists. */

import type {MessageTable} from '../shared/rows/messages.js';
import {
	isSupported,
	type ListedSession,
	markedRows,
	messageMarks,
	type SessionTable,
} from '../shared/rows/sessions.js';
import {hasColumns} from '../shared/session-parts/schema.js';
import {columnsOf, type ForeignDatabase} from '../shared/sqlite.js';

export const SESSIONS: SessionTable = {
	name: 'sessions',
	id: 'id',
	needs: ['id'],
	columns: [
		'id',
		'parent_session_id',
		'title',
		'prompt_tokens',
		'completion_tokens',
		'cost',
		'summary_message_id',
		'created_at',
		'updated_at',
	],
};

export const MESSAGES: MessageTable = {
	name: 'messages',
	id: 'id',
	session: 'session_id',
	columns: [
		'id',
		'session_id',
		'role',
		'parts',
		'model',
		'provider',
		'is_summary_message',
		'created_at',
		'updated_at',
		'finished_at',
	],
	documents: ['parts'],
	order: ['created_at'],
};

const MARKS = ['updated_at', 'title', 'prompt_tokens', 'completion_tokens', 'summary_message_id'];

/** Where the agent lets its small model find a title. */
const TITLE_SESSION = /^title-/;

export const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const needs = ['id', 'session_id', 'role', 'parts'];
	if (!isSupported(db, SESSIONS) || !hasColumns(db, MESSAGES.name, needs)) return undefined;
	// A reply is rewritten as long as it streams, in the same second too: then it only grows.
	const changed = columnsOf(db, MESSAGES.name).has('updated_at') ? ['max(updated_at)'] : [];
	const newest = messageMarks(db, {table: MESSAGES.name, session: MESSAGES.session}, [
		'count(*)',
		'sum(octet_length(parts))',
		...changed,
	]);
	return markedRows(db, SESSIONS, MARKS)
		.filter(({id}) => !TITLE_SESSION.test(id))
		.map(({id, marks}) => ({id, mark: JSON.stringify([...marks, newest.get(id) ?? ''])}));
};
