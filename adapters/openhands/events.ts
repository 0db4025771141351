/** One stored event as events of ours. Kinds are names of classes of the SDK. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import type {CallArguments} from '../shared/calls/arguments.js';
import {editorCall} from '../shared/calls/editor.js';
import {callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, capText, jsonText, oneLine, placeholder} from '../shared/content.js';
import {
	at,
	entryOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';
import {localTimeMs} from '../shared/time.js';

export type Json = Readonly<Record<string, unknown>>;

/** Places of what one record holds beside its main part. */
const BLOCKS = {main: 0, reasoning: 1, thought: 2, extended: 3} as const;

export interface Place {
	/** Native id, or the file's name where there is none. */
	readonly key: string;
	readonly locator: Locator;
	readonly state: 'undone' | undefined;
}

type Form = Pick<AdapterEvent, 'kind' | 'text'> &
	Partial<AdapterEvent> & {readonly block?: keyof typeof BLOCKS};

const dataImage = (url: string): string => {
	const mediaType = /^data:([^;,]+)/.exec(url)?.[1];
	if (mediaType === undefined) return placeholder('image', {name: oneLine(url, 80)});
	return placeholder('image', {mediaType, sizeBytes: base64Bytes(url)});
};

/** Content blocks as text. */
const contentText = (content: unknown): string => {
	if (typeof content === 'string') return content;
	return listOf(content)
		.map(block => {
			const urls = listOf(at(block, 'image_urls')).filter(url => typeof url === 'string');
			return urls.length > 0 ? urls.map(dataImage).join('\n') : (stringOf(at(block, 'text')) ?? '');
		})
		.filter(text => text !== '')
		.join('\n');
};

const reasoningForm = (record: Json): readonly Form[] => {
	const blocks = listOf(record['thinking_blocks'])
		.map(block => stringOf(at(block, 'thinking')) ?? '')
		.filter(text => text !== '');
	const text = textOf(record['reasoning_content']) ?? blocks.join('\n');
	return text === '' ? [] : [{kind: 'reasoning', text, block: 'reasoning'}];
};

const RESUMED = /^\s*<<RESUMED CONVERSATION>>/;

/** What no person typed: text of hooks, of the environment, and of other agents. */
const isInjected = (record: Json, text: string): boolean =>
	record['source'] !== 'user' || textOf(record['sender']) !== undefined || RESUMED.test(text);

const userForms = (record: Json, text: string): readonly Form[] => {
	const extended = contentText(record['extended_content']);
	const skills: readonly Form[] =
		extended === '' ? [] : [{kind: 'meta', text: extended, block: 'extended'}];
	if (isInjected(record, text)) return [{kind: 'meta', text}, ...skills];
	const message = {kind: 'message', role: 'user', text} as const;
	return [isSlashCommand(text) ? {...message, input: 'command'} : message, ...skills];
};

const messageForms = (record: Json): readonly Form[] => {
	const message = recordOf(record['llm_message']);
	const text = contentText(message['content']);
	if (message['role'] === 'user') return userForms(record, text);
	if (message['role'] !== 'assistant') return [{kind: 'meta', text}];
	return [...reasoningForm(message), {kind: 'message', role: 'assistant', text}];
};

const parsed = (text: unknown): unknown => {
	try {
		return JSON.parse(stringOf(text) ?? '');
	} catch {
		return undefined; // then the action itself says what was asked for
	}
};

const argumentsOf = (record: Json): CallArguments => {
	const stated = parsed(at(record, 'tool_call', 'arguments'));
	if (isRecord(stated)) return stated;
	const {kind: _, ...fields} = recordOf(record['action']);
	return fields;
};

const callForm = (record: Json): Form => {
	const args = argumentsOf(record);
	const {text, facts} = editorCall(args);
	return {
		kind: 'tool_use',
		text,
		tool: {
			...facts,
			...compact({
				name: textOf(record['tool_name']) ?? textOf(at(record, 'action', 'kind')),
				callId: textOf(record['tool_call_id']) ?? textOf(at(record, 'tool_call', 'id')),
			}),
		},
	};
};

/** Actions that are words: the model thinks, or ends with an answer. */
const actionForm = (record: Json): Form => {
	const {kind, thought, message} = recordOf(record['action']);
	if (kind === 'ThinkAction') return {kind: 'reasoning', text: stringOf(thought) ?? ''};
	if (kind === 'FinishAction') {
		return {kind: 'message', role: 'assistant', text: stringOf(message) ?? ''};
	}
	return callForm(record);
};

const actionForms = (record: Json): readonly Form[] => {
	const thought = contentText(record['thought']);
	const words: Form = {kind: 'message', role: 'assistant', text: thought, block: 'thought'};
	return [...reasoningForm(record), words, actionForm(record)];
};

/** Both fields exist in some versions, and are the same but for their form. */
const observationText = (observation: Json): string => {
	const text = contentText(observation['content']);
	if (text !== '') return text;
	const other = observation['output'] ?? observation['result'] ?? observation['error'];
	return other === undefined || other === null ? '' : (stringOf(other) ?? jsonText(other));
};

const resultForm = (record: Json, text: string, hasFailed: boolean): Form => {
	const observation = record['observation'];
	const stated = at(observation, 'exit_code') ?? at(observation, 'metadata', 'exit_code');
	const code = numberOf(stated);
	const exitCode = code !== undefined && Number.isSafeInteger(code) && code >= 0 ? code : undefined;
	return {
		kind: 'tool_result',
		text,
		tool: compact({
			name: textOf(record['tool_name']),
			callId: textOf(record['tool_call_id']),
			isError: hasFailed || (exitCode ?? 0) > 0 ? true : undefined,
			exitCode,
		}),
	};
};

/** The answer to a thought or an ending is no more than a receipt. */
const RECEIPTS: ReadonlySet<unknown> = new Set(['ThinkObservation', 'FinishObservation']);

const observationForms = (record: Json): readonly Form[] => {
	const observation = recordOf(record['observation']);
	if (RECEIPTS.has(observation['kind'])) return [];
	return [resultForm(record, observationText(observation), observation['is_error'] === true)];
};

/** A call of another agent that works for this one; told again as it goes on, so its id is the key. */
const foreignCall = (record: Json): readonly Form[] => {
	const callId = textOf(record['tool_call_id']);
	const name = textOf(record['tool_kind']) ?? 'tool';
	const subject = textOf(record['title']);
	const key = callId === undefined ? undefined : eventKey(`acp-${callId}`);
	const input = record['raw_input'];
	const call: Form = {
		kind: 'tool_use',
		text: isRecord(input) ? callText(input) : (subject ?? name),
		tool: compact({name, callId, subject: subject && oneLine(subject)}),
		...compact({key}),
	};
	const {raw_output: output, content} = record;
	const text = stringOf(output) ?? (output ? jsonText(output) : contentText(content));
	if (text === '') return [call];
	const isError = record['is_error'] === true ? true : undefined;
	const tool = compact({name, callId, isError});
	const resultKey = key === undefined ? {block: 'extended' as const} : {key: `${key}.result`};
	return [call, {kind: 'tool_result', text, tool, ...resultKey}];
};

const summaryForms = (record: Json): readonly Form[] => [
	{kind: 'summary', text: stringOf(record['summary']) ?? ''},
];
const errorText = (record: Json): string =>
	textOf(record['error']) ?? textOf(record['detail']) ?? textOf(record['code']) ?? '';
const nothing = (): readonly Form[] => [];

const KINDS: Readonly<Record<string, (record: Json) => readonly Form[]>> = {
	MessageEvent: messageForms,
	ActionEvent: actionForms,
	ObservationEvent: observationForms,
	UserRejectObservation: record => [
		resultForm(record, stringOf(record['rejection_reason']) ?? 'rejected', true),
	],
	AgentErrorEvent: record => [resultForm(record, errorText(record), true)],
	ACPToolCallEvent: foreignCall,
	Condensation: summaryForms,
	CondensationSummaryEvent: summaryForms,
	ConversationErrorEvent: record => [{kind: 'meta', text: errorText(record)}],
	// Instructions, progress and bookkeeping.
	SystemPromptEvent: nothing,
	CondensationRequest: nothing,
	ConversationStateUpdateEvent: nothing,
	HookExecutionEvent: nothing,
	LLMCompletionLogEvent: nothing,
	PauseEvent: nothing,
	StreamingDeltaEvent: nothing,
	TokenEvent: nothing,
};

/** Older records do not say what they are. */
const kindOf = (record: Json): string => {
	const kind = textOf(record['kind']);
	if (kind !== undefined) return kind;
	if (isRecord(record['llm_message'])) return 'MessageEvent';
	if (isRecord(record['action'])) return 'ActionEvent';
	return isRecord(record['observation']) ? 'ObservationEvent' : 'none';
};

const toEvent = (record: Json, {key, locator, state}: Place, form: Form): AdapterEvent => {
	const {block = 'main', ...rest} = form;
	const response = textOf(record['llm_response_id']);
	return {
		...rest,
		...capText(form.text),
		...compact({
			key: form.key ?? eventKey(key, BLOCKS[block]),
			atMs: localTimeMs(record['timestamp']),
			messageId: form.kind === 'message' || form.kind === 'tool_use' ? response : undefined,
			locator,
			state,
		}),
	};
};

export const recordEvents = (
	record: Json,
	place: Place,
	report: (kind: string) => void,
): readonly AdapterEvent[] => {
	const kind = kindOf(record);
	const forms = entryOf(KINDS, kind)?.(record);
	if (forms === undefined) {
		report(kind.slice(0, 80));
		return [];
	}
	return forms
		.filter(form => form.tool !== undefined || form.text.trim() !== '')
		.map(form => toEvent(record, place, form));
};
