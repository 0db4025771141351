/** Which record says what: one table from record type to what is done with it. */

import type {AdapterEvent} from '../../model.js';
import {oneLine} from '../content.js';
import {at, entryOf, firstText, textOf} from '../narrow.js';
import {recall} from '../pairs.js';
import {noteEvents} from '../record-events.js';
import {noteContext, remember} from './progress.js';
import type {Row} from './row.js';
import {assistantEvents, reasoningEvents, userEvents} from './talk.js';
import {assetText, resultEvents, startEvents} from './tools.js';
import {noteTotals, noteUsage} from './usage.js';

type Reader = (row: Row) => readonly AdapterEvent[];

const NOTHING: readonly AdapterEvent[] = [];

/** A record that changes what is known, and is no event. */
const fact =
	(note: (row: Row) => void): Reader =>
	row => {
		note(row);
		return NOTHING;
	};

const silent: Reader = () => NOTHING;

const meta =
	(...fields: readonly string[]): Reader =>
	row =>
		noteEvents(row, firstText(row.data, fields));

const noteStart = ({data, context: {progress}}: Row): void => {
	const [id, version, spawner] = [
		data['sessionId'],
		data['copilotVersion'],
		data['detachedFromSpawningParentSessionId'],
	].map(textOf);
	if (id !== undefined) progress.sessionId ??= id;
	if (version !== undefined) progress.version = version;
	if (spawner !== undefined) progress.spawnedBy = spawner;
	noteContext(progress, data['context']);
};

const noteModel =
	(field: string) =>
	({data, context: {progress}}: Row): void => {
		const model = textOf(data[field]);
		if (model !== undefined) progress.model = model;
	};

const noteSession = (row: Row): void => {
	noteStart(row);
	noteModel('selectedModel')(row);
};

const compaction: Reader = row => {
	const {data} = row;
	if (data['success'] === false) return noteEvents(row, failureText(data['error']));
	const [before, removed] = [data['preCompactionTokens'], data['tokensRemoved']];
	const counts = typeof before === 'number' && typeof removed === 'number';
	const text = counts ? `compacted (${before} → ${before - removed} tokens)` : 'compacted';
	return noteEvents(row, textOf(data['summaryContent']) ?? text, 'summary');
};

const failureText = (error: unknown): string => {
	const detail = textOf(error) ?? textOf(at(error, 'message'));
	return detail === undefined ? 'failed' : `failed: ${oneLine(detail)}`;
};

const subagentStarted = ({data, context: {progress}}: Row): void => {
	const text = ['agentDescription', 'agentDisplayName', 'agentName'].map(name =>
		textOf(data[name]),
	);
	const [description, callId] = [text.find(name => name !== undefined), textOf(data['toolCallId'])];
	if (description !== undefined) progress.description = oneLine(description, 200);
	if (callId === undefined) return;
	progress.callId = callId;
	const caller = recall(progress.callers, callId);
	if (caller !== undefined) progress.parentAgentId = caller;
};

const READERS: Readonly<Record<string, Reader>> = {
	abort: row => noteEvents(row, `aborted: ${textOf(row.data['reason']) ?? 'no reason'}`),
	'assistant.message': assistantEvents,
	'assistant.reasoning': row => reasoningEvents(row, 'content'),
	'session.binary_asset': row => noteEvents(row, assetText(row.data)),
	'session.compaction_complete': compaction,
	'session.context_changed': fact(row => noteContext(row.context.progress, row.data)),
	'session.context_cleared': row => noteEvents(row, 'context cleared'),
	'session.error': meta('message'),
	'session.handoff': row => noteEvents(row, textOf(row.data['summary']), 'summary'),
	'session.info': meta('message'),
	'session.model_change': fact(noteModel('newModel')),
	'session.resume': fact(noteSession),
	'session.shutdown': fact(noteTotals),
	'session.start': fact(noteSession),
	'session.task_complete': row => noteEvents(row, textOf(row.data['summary']), 'summary'),
	'session.truncation': row => noteEvents(row, 'older messages left out of the context'),
	'session.usage_record': fact(noteUsage),
	'session.warning': meta('message'),
	'skill.invoked': meta('content', 'name'),
	'subagent.configured': fact(noteModel('model')),
	'subagent.failed': row => noteEvents(row, failureText(row.data['error'])),
	'subagent.started': fact(row => {
		noteModel('model')(row);
		subagentStarted(row);
	}),
	'system.notification': meta('content'),
	'tool.execution_complete': resultEvents,
	'tool.execution_start': startEvents,
	'tool.user_requested': startEvents,
	'user.message': userEvents,
};

/** Known, and nothing for us: marks of turns, settings, permissions, prompts of the system, debug copies of what the model got. */
const SILENT = new Set(
	[
		'assistant.turn_start assistant.turn_end session.compaction_start session.mode_changed session.plan_changed',
		'session.usage_checkpoint subagent.completed subagent.selected subagent.deselected system.message',
	].flatMap(names => names.split(' ')),
);
const SILENT_FAMILY = /^(?:hook|model|permission)\./;

const readerOf = (type: string): Reader | undefined => {
	if (SILENT.has(type) || SILENT_FAMILY.test(type)) return silent;
	return entryOf(READERS, type);
};

/** What records of others say to the one whose log is read. */
const noteOther = (row: Row): void => {
	const {type, data, agentId, context} = row;
	const {progress} = context;
	// Directory and version are those of the session.
	if (agentId === undefined) {
		if (type === 'session.start' || type === 'session.resume') noteStart(row);
		if (type === 'session.context_changed') noteContext(progress, data);
		return;
	}
	const callId = textOf(data['toolCallId']);
	if (callId === undefined) return;
	if (type === 'subagent.started') remember(progress, 'started', [callId, agentId]);
	if (type === 'tool.execution_start' && context.agentId !== undefined) {
		remember(progress, 'callers', [callId, agentId]);
	}
};

export const readRecord = (row: Row): void => {
	const {type, agentId, atMs, context} = row;
	if (agentId !== context.agentId) {
		noteOther(row);
		return;
	}
	if (atMs !== undefined) context.progress.bornAtMs ??= atMs;
	const read = readerOf(type);
	if (read === undefined) {
		context.batch.unknown(oneLine(type, 80));
		return;
	}
	for (const event of read(row)) context.batch.event(event);
};
