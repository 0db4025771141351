/** Which record says what: one table from record type to what is done with it. */

import type {AdapterEvent} from '../model.js';
import {oneLine} from '../shared/content.js';
import {at, entryOf, listOf, stringOf, textOf} from '../shared/narrow.js';
import {noteEvents} from '../shared/record-events.js';
import {timeMs} from '../shared/time.js';
import type {Row} from './row.js';
import {messageEvents} from './talk.js';
import {savedCall, savedResult} from './tools.js';

type Reader = (row: Row) => readonly AdapterEvent[];

const NOTHING: readonly AdapterEvent[] = [];

/** Types of sessions that a mission starts by itself. */
const CHILD_TYPES = new Set(['worker', 'validator']);

const FIELDS = [
	['title', ['sessionTitle', 'title']],
	['cwd', ['cwd']],
	['lastCwd', ['lastCwd']],
	['model', ['model']],
	['callerId', ['callingSessionId']],
	['callId', ['callingToolUseId']],
	['parentId', ['parent']],
	['sessionId', ['id', 'sessionId', 'session_id']],
] as const;

/** The first line, also of saved output (`system`, subtype `init`). */
const header: Reader = ({record, context: {progress}}) => {
	for (const [field, names] of FIELDS) {
		const text = names.map(name => textOf(record[name])).find(value => value !== undefined);
		if (text !== undefined) progress[field] = text;
	}
	const createdAtMs = timeMs(record['created_at']) ?? timeMs(record['timestamp']);
	if (createdAtMs !== undefined) progress.createdAtMs = createdAtMs;
	progress.hasOwnTitle = record['isSessionTitleManuallySet'] === true;
	progress.isChild =
		progress.callerId !== undefined || CHILD_TYPES.has(stringOf(record['decompSessionType']) ?? '');
	return NOTHING;
};

const settings: Reader = ({record, context: {progress}}) => {
	const model = textOf(record['model']) ?? textOf(at(record, 'settings', 'model'));
	if (model !== undefined) progress.model = model;
	return NOTHING;
};

/** Nothing is removed by a compaction: what was summed up stays in the file. */
const compaction: Reader = row => {
	const {record} = row;
	const summary = record['summary'];
	const parts = [at(summary, 'title'), at(summary, 'body')].flatMap(part => textOf(part) ?? []);
	const text =
		textOf(record['summaryText']) ??
		textOf(summary) ??
		(parts.length === 0 ? 'compacted' : parts.join('\n'));
	return noteEvents(row, text, 'summary');
};

const todoLine = (todo: unknown): string =>
	`[${textOf(at(todo, 'status')) ?? 'pending'}] ${textOf(at(todo, 'description')) ?? textOf(at(todo, 'content')) ?? ''}`;

const todos: Reader = row => {
	const stated = row.record['todos'];
	const list = at(stated, 'todos') ?? stated;
	return noteEvents(row, textOf(list) ?? listOf(list).map(todoLine).join('\n'));
};

const outcome: Reader = row => {
	const reason = textOf(row.record['reason']) ?? 'completed';
	return reason === 'completed' ? NOTHING : noteEvents(row, `turn ended: ${oneLine(reason)}`);
};

/** Saved output ends with the last answer once more. */
const completion: Reader = row => {
	const text = textOf(row.record['finalText']);
	const isNew = text !== undefined && oneLine(text, 400) !== row.context.progress.lastText;
	return isNew ? messageEvents({...row, message: {role: 'assistant', content: text}}) : NOTHING;
};

const READERS: Readonly<Record<string, Reader>> = {
	agent_turn_outcome: outcome,
	compaction_state: compaction,
	completion,
	error: row => noteEvents(row, textOf(row.record['message'])),
	message: messageEvents,
	session_end: () => NOTHING,
	session_settings: settings,
	session_start: header,
	system: header,
	todo_state: todos,
	tool_call: savedCall,
	tool_result: savedResult,
};

export const readRecord = (row: Row): void => {
	const {record, atMs, context} = row;
	const {progress, batch} = context;
	const type = stringOf(record['type']) ?? 'none';
	const read = entryOf(READERS, type);
	if (read === undefined) {
		batch.unknown(oneLine(type, 80));
		return;
	}
	const id = textOf(record['session_id']) ?? textOf(record['sessionId']);
	if (id !== undefined) progress.sessionId ??= id;
	if (atMs !== undefined && type !== 'session_start') progress.bornAtMs ??= atMs;
	for (const event of read(row)) batch.event(event);
};
