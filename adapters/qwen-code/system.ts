/** `system` records: titles, commands, compressions, and many that say nothing about the talk. */

import type {AdapterEvent} from '../model.js';
import {capText} from '../shared/content.js';
import {piecesOf, textsOf} from '../shared/gemini/parts.js';
import {at, entryOf, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf} from '../shared/record-events.js';
import {noteTask} from './progress.js';
import {metaEvents, type Row} from './row.js';

type Reader = (row: Row) => readonly AdapterEvent[];

const NOTHING: readonly AdapterEvent[] = [];

const customTitle: Reader = ({payload, context: {progress}}) => {
	const title = textOf(payload['customTitle']);
	if (title === undefined) return NOTHING;
	// Before titles were made by a model there was no source, and all were given by hand.
	if (payload['titleSource'] === 'auto') progress.autoTitle = title;
	else progress.customTitle = title;
	return NOTHING;
};

const parentSession: Reader = ({payload, context: {progress}}) => {
	const id = textOf(payload['parentSessionId']);
	if (id !== undefined) progress.spawnedBy ??= id;
	return NOTHING;
};

const sessionSource: Reader = ({payload, context: {progress}}) => {
	if (payload['sourceType'] === 'scheduled_task') progress.isScheduled = true;
	return NOTHING;
};

const atCommand: Reader = ({payload, context: {progress}}) => {
	const text = textOf(payload['userText']);
	if (text !== undefined) progress.typedText = text;
	return NOTHING;
};

/** Texts that a command printed. */
const outputOf = (items: unknown): string =>
	listOf(items)
		.flatMap(item => textOf(at(item, 'text')) ?? [])
		.join('\n');

/** Written twice: before it runs, and with what it printed. */
const slashCommand: Reader = row => {
	const {payload, context} = row;
	if (payload['phase'] === 'result') {
		return metaEvents(row, 0, capText(outputOf(payload['outputHistoryItems'])));
	}
	const command = textOf(payload['rawCommand']);
	if (command === undefined) return NOTHING;
	const isSent = payload['sentToModel'] === true;
	if (isSent) context.progress.sentCommand = command;
	return [
		eventOf(
			row,
			{block: 0, text: capText(command)},
			{kind: 'message', role: 'user', input: isSent ? 'command' : 'local'},
		),
	];
};

/** The first user text of the history that a compression leaves is the summary. */
const compression: Reader = row => {
	const {payload} = row;
	const first = listOf(payload['compressedHistory']).find(
		content => at(content, 'role') === 'user',
	);
	const summary = textsOf(piecesOf(at(first, 'parts')));
	const [before, after] = ['originalTokenCount', 'newTokenCount'].map(name =>
		numberOf(at(payload, 'info', name)),
	);
	const counts =
		before === undefined || after === undefined ? '' : ` (${before} → ${after} tokens)`;
	const text = summary.text.trim() === '' ? {text: `compressed${counts}`} : summary;
	return [eventOf(row, {block: 0, text}, {kind: 'summary'})];
};

/** The task of a sub-agent that got the whole talk of its parent. */
const launchPrompt: Reader = row => {
	const text = stringOf(row.payload['displayText']) ?? '';
	noteTask(row.context.progress, text);
	return metaEvents(row, 0, capText(text));
};

const silent: Reader = () => NOTHING;

const READERS: Readonly<Record<string, Reader>> = {
	...Object.fromEntries(
		[
			'agent_bootstrap agent_retry attribution_snapshot background_task_completed branch_checkpoint file_history_snapshot',
			'goal_state goal_turn_end omni_recall rewind session_artifact_event session_artifact_snapshot session_model',
			'session_sources_snapshot turn_result ui_telemetry user_text_elements',
		]
			.flatMap(names => names.split(' '))
			.map(name => [name, silent]),
	),
	agent_launch_prompt: launchPrompt,
	at_command: atCommand,
	chat_compression: compression,
	custom_title: customTitle,
	parent_session: parentSession,
	session_source: sessionSource,
	slash_command: slashCommand,
};

export const systemEvents = (row: Row): readonly AdapterEvent[] => {
	const subtype = row.subtype ?? 'none';
	const reader = entryOf(READERS, subtype);
	if (reader !== undefined) return reader(row);
	row.context.batch.unknown(`system/${subtype.slice(0, 80)}`);
	return NOTHING;
};
