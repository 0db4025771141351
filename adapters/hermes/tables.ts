/** `state.db`: which tables and columns are asked for. Only few of them are there in every version. */

import type {MessageTable} from '../shared/rows/messages.js';
import {
	isSupported,
	type ListedSession,
	markedRows,
	messageMarks,
	type SessionTable,
} from '../shared/rows/sessions.js';
import {columnsOf, type ForeignDatabase} from '../shared/sqlite.js';

export const SESSIONS: SessionTable = {
	name: 'sessions',
	id: 'id',
	needs: ['id', 'source', 'started_at'],
	columns: [
		'id',
		'source',
		'model',
		'model_config',
		'parent_session_id',
		'started_at',
		'ended_at',
		'end_reason',
		'last_activity_at',
		'title',
		'title_source',
		'cwd',
		'git_branch',
		'git_repo_root',
		'input_tokens',
		'output_tokens',
		'cache_read_tokens',
		'cache_write_tokens',
		'reasoning_tokens',
		'estimated_cost_usd',
		'actual_cost_usd',
		'cost_source',
		'hidden',
		'archived',
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
		'content',
		'tool_call_id',
		'tool_calls',
		'tool_name',
		'timestamp',
		'finish_reason',
		'reasoning',
		'reasoning_content',
		'observed',
		'_compressed_summary',
		'active',
		'compacted',
		'display_kind',
	],
	documents: ['content', 'tool_calls', 'reasoning', 'reasoning_content'],
	order: ['display_order', 'id'],
};

const MESSAGE_NEEDS = ['id', 'session_id', 'role', 'timestamp'];

/** Columns of a session that change without a new message. */
const MARKS = [
	'last_activity_at',
	'ended_at',
	'end_reason',
	'title',
	'title_source',
	'parent_session_id',
	'cwd',
	'hidden',
	'archived',
	'input_tokens',
	'output_tokens',
	'actual_cost_usd',
];
/** Compaction and rewind flip these. */
const FLAGS = ['active', 'compacted'];

export const listSessions = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	const there = columnsOf(db, MESSAGES.name);
	if (!isSupported(db, SESSIONS) || !MESSAGE_NEEDS.every(name => there.has(name))) return undefined;
	const sums = FLAGS.filter(name => there.has(name)).map(name => `sum(${name})`);
	const newest = messageMarks(db, {table: MESSAGES.name, session: MESSAGES.session}, [
		'count(*)',
		'max(id)',
		...sums,
	]);
	return markedRows(db, SESSIONS, MARKS).map(({id, marks}) => ({
		id,
		mark: JSON.stringify([...marks, newest.get(id) ?? '']),
	}));
};
