/**
 * `warp.sqlite`: conversations, their tasks and their prompts. It holds much more, and in the data of a conversation a token of its
 * server: only these columns and fields are asked for.
 */

import type {Problem} from '../model.js';
import {at, listOf, textOf} from '../shared/narrow.js';
import {jsonIn} from '../shared/rows/events.js';
import {capped, tooLarge} from '../shared/rows/messages.js';
import {
	type ListedSession,
	markedRows,
	messageMarks,
	type SessionTable,
} from '../shared/rows/sessions.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import type {ForeignDatabase, Row} from '../shared/sqlite.js';

const CONVERSATIONS: SessionTable = {
	name: 'agent_conversations',
	id: 'conversation_id',
	needs: ['conversation_id', 'conversation_data'],
	columns: ['conversation_id', 'last_modified_at'],
};
export const TASKS = 'agent_tasks';
const TASK_NEEDS = ['conversation_id', 'task_id', 'task'];
export const QUERIES = 'ai_queries';
const QUERY_NEEDS = ['exchange_id', 'conversation_id', 'input'];
const QUERY_COLUMNS = [...QUERY_NEEDS, 'start_ts', 'working_directory', 'model_id'];

/** Fields of the data of a conversation, and the names under which they are read. */
const FIELDS = {
	agent_name: '$.agent_name',
	title: '$.title',
	parent_id: '$.parent_conversation_id',
	input_tokens: '$.conversation_usage_metadata.primary_agent.input_tokens',
	output_tokens: '$.conversation_usage_metadata.primary_agent.output_tokens',
} as const;

export const listConversations = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	if (!hasColumns(db, CONVERSATIONS.name, CONVERSATIONS.needs)) return undefined;
	if (!hasColumns(db, TASKS, TASK_NEEDS)) return undefined;
	const changed = hasColumns(db, TASKS, ['last_modified_at']) ? ['max(last_modified_at)'] : [];
	const tasks = messageMarks(db, {table: TASKS, session: 'conversation_id'}, [
		'count(*)',
		'sum(octet_length(task))',
		...changed,
	]);
	return markedRows(db, CONVERSATIONS, ['last_modified_at']).map(({id, marks}) => ({
		id,
		mark: JSON.stringify([...marks, tasks.get(id) ?? '']),
	}));
};

export interface Conversation {
	readonly row: Row;
	readonly tasks: readonly {readonly id: string; readonly bytes: Uint8Array}[];
	readonly queries: readonly Row[];
	readonly problems: readonly Problem[];
}

const conversationRow = (db: ForeignDatabase, id: string): Row | undefined => {
	const fields = Object.entries(FIELDS).map(
		([name, path]) =>
			`CASE WHEN json_valid(conversation_data) THEN json_extract(conversation_data, '${path}') END AS ${name}`,
	);
	const columns = [listOfColumns(db, CONVERSATIONS.name, CONVERSATIONS.columns), ...fields];
	return db.get(
		`SELECT ${columns.join(', ')} FROM ${CONVERSATIONS.name} WHERE conversation_id = ?`,
		id,
	);
};

const taskRows = (db: ForeignDatabase, id: string): Pick<Conversation, 'tasks' | 'problems'> => {
	const rows = db.all(
		`SELECT task_id, ${capped('task')} FROM ${TASKS} WHERE conversation_id = ? ORDER BY task_id`,
		id,
	);
	return {
		tasks: rows.flatMap(({task_id: taskId, task}) =>
			task instanceof Uint8Array && task.length > 0 ? [{id: String(taskId), bytes: task}] : [],
		),
		problems: rows.flatMap(row => tooLarge(`${TASKS} ${row['task_id']}`, row['task_bytes']) ?? []),
	};
};

const queryRows = (db: ForeignDatabase, id: string): readonly Row[] => {
	if (!hasColumns(db, QUERIES, QUERY_NEEDS)) return [];
	const columns = listOfColumns(db, QUERIES, QUERY_COLUMNS);
	return db.all(`SELECT ${columns} FROM ${QUERIES} WHERE conversation_id = ? ORDER BY rowid`, id);
};

export const loadConversation = (db: ForeignDatabase, id: string): Conversation | undefined => {
	const row = conversationRow(db, id);
	return row === undefined ? undefined : {row, ...taskRows(db, id), queries: queryRows(db, id)};
};

/** The texts of `[{"Query": {"text": …}}]` or `[{"query": …}]`; anything else that is no JSON is the text itself. */
export const queryTexts = ({input}: Row): readonly string[] => {
	const items = jsonIn(input);
	const texts =
		items === undefined
			? [input]
			: listOf(items).map(item => textOf(at(item, 'Query', 'text')) ?? at(item, 'query'));
	return texts.flatMap(text => textOf(text) ?? []);
};
