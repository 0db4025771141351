/** Rows that hold neither talk nor tools: injected context and notes of the program. */

import type {AdapterEvent} from '../model.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf} from '../shared/record-events.js';
import {partText, readable} from './parts.js';
import {queuedPrompt, readPrompt} from './prompts.js';
import {blocksOf, kindName, type Row} from './row.js';
import {promptEvents} from './user.js';

/** Whole system prompts and lists of tools, agents and skills: no events. */
const SILENT_ATTACHMENT = /^(?:prompt_snapshot|deferred_tools|agent_listing|skill_listing)/;

const renderedText = (rendered: unknown): string =>
	listOf(rendered)
		.flatMap(item => blocksOf(recordOf(item)['content']) ?? [])
		.flatMap(block => partText(block) ?? [])
		.join('\n');

export const attachmentEvents = (row: Row): readonly AdapterEvent[] => {
	const {record} = row;
	const {type, ...fields} = recordOf(record['attachment']);
	if (SILENT_ATTACHMENT.test(stringOf(type) ?? '')) return [];
	const prompt = row.isSideChain ? undefined : queuedPrompt(record);
	if (prompt !== undefined) return promptEvents(row, prompt);
	const text = renderedText(record['rendered']) || readable(fields);
	return text.trim() === '' ? [] : [eventOf(row, {block: 0, text}, {kind: 'meta'})];
};

/** `compacted (auto, 155,000 tokens before)` */
const compactionText = (record: Record<string, unknown>): string => {
	const trigger = textOf(at(record, 'compactMetadata', 'trigger'));
	const tokens = at(record, 'compactMetadata', 'preTokens');
	const facts = [
		...(trigger === undefined ? [] : [trigger]),
		...(typeof tokens === 'number' ? [`${tokens.toLocaleString('en-US')} tokens before`] : []),
	];
	return facts.length === 0 ? 'compacted' : `compacted (${facts.join(', ')})`;
};

/** Commands that the program handled itself, and what they printed. */
const localCommand = (row: Row): readonly AdapterEvent[] => {
	const told = readPrompt(stringOf(row.record['content']) ?? '');
	if (told.text.trim() === '') return [];
	return told.kind === 'message' && told.input !== undefined
		? [eventOf(row, {block: 0, text: told.text}, {kind: 'message', role: 'user', input: 'local'})]
		: [eventOf(row, {block: 0, text: told.text}, {kind: 'meta'})];
};

/** Whatever a system row has to say, if anything. */
const noteText = (record: Record<string, unknown>): string => {
	const error = textOf(at(record, 'error', 'message')) ?? textOf(record['error']);
	return (
		textOf(record['content']) ??
		textOf(record['stopReason']) ??
		(error === undefined ? undefined : `API error: ${error}`) ??
		listOf(record['hookErrors'])
			.flatMap(item => textOf(item) ?? [])
			.join('\n')
	);
};

const note = (row: Row): readonly AdapterEvent[] => {
	const text = noteText(row.record);
	return text === '' ? [] : [eventOf(row, {block: 0, text}, {kind: 'meta'})];
};

const silent = (): readonly AdapterEvent[] => [];

const SUBTYPES: Readonly<Record<string, (row: Row) => readonly AdapterEvent[]>> = {
	api_error: note,
	away_summary: note,
	compact_boundary: row => [
		eventOf(row, {block: 0, text: compactionText(row.record)}, {kind: 'summary'}),
	],
	informational: note,
	local_command: localCommand,
	memory_saved: note,
	microcompact_boundary: silent,
	model_fallback: note,
	permission_retry: note,
	scheduled_task_fire: note,
	stop_hook_summary: note,
	task_notification: note,
	turn_duration: silent,
	voice_call_talk: note,
};

export const systemEvents = (row: Row): readonly AdapterEvent[] => {
	const subtype = stringOf(row.record['subtype']) ?? '';
	const read = entryOf(SUBTYPES, subtype);
	// Before 2.0 system rows had no subtype.
	if (read === undefined && subtype !== '')
		row.context.batch.unknown(`system/${kindName(subtype)}`);
	return (read ?? note)(row);
};
