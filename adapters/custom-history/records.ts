/** Records of a file: `{record_type, source_id, session_id, …}`. */

import type {FileTouch} from '../model.js';
import {type Changes, commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {entryOf, isRecord, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	type Place as EventPlace,
	type Form,
	mediaText,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
	type ToolNames,
} from '../shared/rows/events.js';

export type Json = Readonly<Record<string, unknown>>;

/** `Source.extra`. */
export interface Place {
	readonly provider: string;
	readonly sourceId: string;
	readonly session: string;
	/** The file keeps the lineage contract: relationships are what the exporter knows. */
	readonly isNative: boolean;
	readonly isFirst: boolean;
}

/** Sessions of several agents may have one id. */
export const sessionKey = (provider: string, session: string): string => `${provider}/${session}`;

export const isIndex = (value: unknown): value is number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** A session inside of a file. */
export const keyOf = (record: Json): string =>
	JSON.stringify([record['source_id'], record['session_id']]);

/** Text under the names that exporters use. */
const textIn = (event: Json): string => {
	const {payload, preview} = event;
	const stated = textOf(recordOf(payload)['text']) ?? textOf(payload) ?? textOf(preview);
	return stated ?? (isRecord(payload) ? jsonText(payload) : '');
};

interface Context {
	readonly place: EventPlace;
	readonly names: ToolNames;
}

type Reader = (event: Json, context: Context) => Form;

const metaForm: Reader = event => ({kind: 'meta', text: textIn(event)});

const messageForm: Reader = (event, {place}) => {
	const text = textIn(event);
	if (event['role'] === 'user') return promptForm(text);
	return event['role'] === 'assistant' ? replyForm(text, place) : {kind: 'meta', text};
};

const callIdOf = (payload: Json): string | undefined =>
	textOf(payload['call_id']) ?? textOf(payload['tool_call_id']);

const toolForm: Reader = (event, {place, names}) => {
	const payload = recordOf(event['payload']);
	const name = textOf(payload['tool']) ?? textOf(payload['name']) ?? 'command';
	const {command} = payload;
	const args = argumentsOf(payload['args'] ?? payload['input'] ?? compact({command}));
	const form = callForm(
		{name, callId: callIdOf(payload), args},
		{change: commonChange(name), names, place},
	);
	return form.text === '' ? {...form, text: textIn(event)} : form;
};

const outcomeForm: Reader = (event, {names}) => {
	const payload = recordOf(event['payload']);
	const name = textOf(payload['tool']) ?? textOf(payload['name']);
	const exitCode = numberOf(payload['exit_code']);
	const isError = payload['is_error'] === true;
	const facts = {callId: callIdOf(payload), name, isError, ...compact({exitCode})};
	return resultForm(textIn(event), facts, names);
};

const artifactForm: Reader = event => {
	const {name, path, media_type: mediaType} = recordOf(event['payload']);
	const text = textOf(event['preview']) ?? mediaText('file', {name: name ?? path, mediaType});
	return {kind: 'meta', text};
};

const READERS: Readonly<Record<string, Reader>> = {
	artifact: artifactForm,
	command_finished: metaForm,
	command_output: outcomeForm,
	command_started: toolForm,
	message: messageForm,
	notice: metaForm,
	summary: event => ({kind: 'summary', text: textIn(event)}),
	tool_call: toolForm,
	tool_output: outcomeForm,
};

/** The enumeration has no reasoning: a payload says so itself. */
const isReasoning = (payload: Json): boolean =>
	[payload['kind'], payload['type']].some(kind => kind === 'reasoning' || kind === 'thinking');

export const formOf = (event: Json, context: Context, report: (kind: string) => void): Form => {
	if (isReasoning(recordOf(event['payload']))) return reasoningForm(textIn(event), context.place);
	const type = textOf(event['event_type']) ?? 'notice';
	const read = entryOf(READERS, type);
	if (read === undefined) report(`event/${type.slice(0, 80)}`);
	return (read ?? metaForm)(event, context);
};

const CHANGES: Changes = {
	create: 'create',
	created: 'create',
	delete: 'delete',
	deleted: 'delete',
	edit: 'edit',
	modified: 'edit',
	move: 'move',
	renamed: 'move',
	write: 'write',
	written: 'write',
};

/** The file of a `file_reference`, or of a `file_touch` as it was called before. */
export const touchOf = (record: Json): FileTouch | undefined => {
	const path = textOf(record['value']) ?? textOf(record['path']);
	const kind = textOf(record['change_kind']) ?? '';
	const change = entryOf(CHANGES, kind);
	return path === undefined ? undefined : {path, change: change ?? 'read'};
};
