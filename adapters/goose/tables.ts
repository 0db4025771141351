/** `sessions.db`: columns came with its versions, so each is read where it exists. */

import type {MessageTable} from '../shared/rows/messages.js';
import {
	isSupported,
	type ListedSession,
	markedRows,
	messageMarks,
	type SessionTable,
} from '../shared/rows/sessions.js';
import {hasColumns} from '../shared/session-parts/schema.js';
import type {ForeignDatabase} from '../shared/sqlite.js';

export const SESSIONS: SessionTable = {
	name: 'sessions',
	id: 'id',
	needs: ['id'],
	columns: [
		'id',
		'name',
		'description',
		'user_set_name',
		'session_type',
		'working_dir',
		'created_at',
		'updated_at',
		'input_tokens',
		'output_tokens',
		'accumulated_input_tokens',
		'accumulated_output_tokens',
		'accumulated_cache_read_tokens',
		'accumulated_cache_write_tokens',
		'accumulated_cost',
		'model_config_json',
		'archived_at',
		'parent_session_id',
		'parent_delegation',
	],
};

export const MESSAGES: MessageTable = {
	name: 'messages',
	id: 'id',
	session: 'session_id',
	columns: [
		'id',
		'message_id',
		'session_id',
		'role',
		'content_json',
		'created_timestamp',
		'metadata_json',
	],
	documents: ['content_json'],
	order: ['created_timestamp', 'id'],
};

const MARKS = [
	'updated_at',
	'name',
	'description',
	'archived_at',
	'session_type',
	'accumulated_input_tokens',
	'accumulated_output_tokens',
	'accumulated_cost',
];

export const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const needs = ['id', 'session_id', 'role', 'content_json'];
	if (!isSupported(db, SESSIONS) || !hasColumns(db, MESSAGES.name, needs)) return undefined;
	// A compaction writes the whole conversation anew, under new numbers.
	const newest = messageMarks(db, {table: MESSAGES.name, session: MESSAGES.session}, [
		'count(*)',
		'max(id)',
	]);
	return markedRows(db, SESSIONS, MARKS).map(({id, marks}) => ({
		id,
		mark: JSON.stringify([...marks, newest.get(id) ?? '']),
	}));
};
