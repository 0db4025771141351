/** Events of a run: thoughts, replies, calls, results, questions, tokens. */

import type {AdapterEvent} from '../model.js';
import type {Changes} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
import {
	at,
	entryOf,
	firstText,
	isRecord,
	listOf,
	numberOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {display, prompt, queued, started} from './prompts.js';
import {type Call, type Reading, type Row, rememberCall} from './state.js';

type Handler = (reading: Reading, row: Row) => void;
type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

const emit = (
	{batch}: Reading,
	{key, atMs, locator}: Row,
	{block = 0, ...form}: Form & {readonly block?: number},
): void => {
	if (form.text.trim() === '' && form.tool === undefined) return;
	const place = compact({key: block === 0 ? key : `${key}.${block}`, atMs, locator});
	batch.event({...form, ...capText(form.text), ...place});
};

const answerOf = ({state}: Reading, event: Record<string, unknown>) =>
	compact({messageId: textOf(event['message_id']), model: state.model ?? undefined});

const reasoning: Handler = (reading, row) =>
	emit(reading, row, {
		kind: 'reasoning',
		text: stringOf(row.event['text']) ?? '',
		...answerOf(reading, row.event),
	});

const reply: Handler = (reading, row) =>
	emit(reading, row, {
		kind: 'message',
		role: 'assistant',
		text: stringOf(row.event['text']) ?? '',
		...answerOf(reading, row.event),
	});

const CHANGES: Changes = {
	read: 'read',
	read_file: 'read',
	edit: 'edit',
	edit_file: 'edit',
	multi_edit: 'edit',
	write: 'write',
	write_file: 'write',
};

const toolCalls: Handler = (reading, row) => {
	const {event} = row;
	for (const [block, call] of listOf(event['tool_calls']).entries()) {
		const name = textOf(at(call, 'name')) ?? 'unknown';
		const callId = textOf(at(call, 'call_id')) ?? textOf(at(call, 'id'));
		const stated = stringOf(at(call, 'args')) ?? '';
		const args = parseRecord(stated);
		const known: Call = {
			id: callId ?? `${row.key}.${block}`,
			name,
			batch: textOf(event['message_id']) ?? '',
			index: block,
		};
		rememberCall(reading.state, known);
		emit(reading, row, {
			kind: 'tool_use',
			text: args === undefined ? stated : callText(args),
			block,
			...answerOf(reading, event),
			tool: {
				...callFacts(args ?? {}, entryOf(CHANGES, name)),
				name,
				...compact({callId}),
			},
		});
	}
};

/** Results name their call, or its message and place. */
const callOf = ({state}: Reading, batch: unknown, result: unknown): Call | undefined => {
	const id = textOf(at(result, 'tool_call_id'));
	const index = numberOf(at(result, 'tool_call_index'));
	return id === undefined
		? state.calls.find(call => call.batch === batch && call.index === index)
		: state.calls.find(call => call.id === id);
};

/** A shell answers with an object: `{"command", "exit_code", "output"}`. */
const outputOf = (text: string): {readonly text: string; readonly exitCode?: number} => {
	const value = text.startsWith('{') ? parseRecord(text) : undefined;
	const output = stringOf(value?.['output']);
	if (output === undefined) return {text};
	const exitCode = numberOf(value?.['exit_code']);
	return Number.isSafeInteger(exitCode) ? compact({text: output, exitCode}) : {text: output};
};

const toolResults: Handler = (reading, row) => {
	const {event} = row;
	for (const [block, result] of listOf(event['results']).entries()) {
		const call = callOf(reading, event['batch_id'], result);
		const {text, exitCode} = outputOf(stringOf(at(result, 'text')) ?? '');
		const hasFailed = at(result, 'is_error') === true || (exitCode ?? 0) !== 0;
		emit(reading, row, {
			kind: 'tool_result',
			text,
			block,
			tool: compact({
				name: call?.name,
				callId: textOf(at(result, 'tool_call_id')) ?? call?.id,
				exitCode,
				isError: hasFailed ? true : undefined,
			}),
		});
	}
};

/** A question to the person, with what it offers. */
const questions: Handler = (reading, row) => {
	const cards = listOf(row.event['questions']).map(card => {
		const labels = listOf(at(card, 'options')).map(option => textOf(at(option, 'label')));
		const lines = [
			textOf(at(card, 'header')),
			textOf(at(card, 'question')),
			...labels.filter(label => label !== undefined).map(label => `- ${label}`),
		];
		return lines.filter(line => line !== undefined).join('\n');
	});
	emit(reading, row, {kind: 'message', role: 'assistant', text: cards.join('\n\n')});
};

const ANSWERS = ['text', 'selected_label', 'label'] as const;

const answers: Handler = (reading, row) => {
	const texts = listOf(row.event['answers']).map(answer => firstText(answer, ANSWERS));
	const text = texts.filter(answer => answer !== undefined).join('\n');
	if (text !== '') prompt(reading, row, text);
};

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

const usage: Handler = ({batch, state}, {event, key, atMs}) => {
	state.model = textOf(event['model']) ?? state.model;
	const stated = event['usage'];
	if (!isRecord(stated)) return;
	// `cached_tokens` are part of the input, `cache_read_tokens` stand beside it.
	const within = count(stated['cached_tokens']);
	const reasoningTokens = count(stated['reasoning_tokens']);
	batch.usage(
		compact({
			key,
			input: Math.max(0, count(stated['input_tokens']) - within),
			output: count(stated['output_tokens']),
			cacheRead: within || count(stated['cache_read_tokens']),
			cacheWrite: count(stated['cache_write_tokens']),
			reasoning: reasoningTokens === 0 ? undefined : reasoningTokens,
			model: state.model ?? undefined,
			atMs,
		}),
	);
};

const terminal: Handler = (reading, row) => {
	const {terminal: end, reason} = row.event;
	if (end === 'completed') return;
	const about = textOf(reason);
	const word = end === 'cancelled' ? 'Interrupted' : `Ended: ${stringOf(end) ?? 'unknown'}`;
	emit(reading, row, {kind: 'meta', text: about === undefined ? word : `${word} (${about})`});
};

const words =
	(head: string, ...names: readonly string[]): Handler =>
	(reading, row) => {
		const texts = names.map(name => textOf(row.event[name])).filter(text => text !== undefined);
		emit(reading, row, {kind: 'meta', text: [head, ...texts].join(': ')});
	};

const compacted: Handler = (reading, row) => {
	const text = textOf(row.event['summary']) ?? 'Context compacted';
	emit(reading, row, {kind: 'summary', text});
};

/** By kind of what it is about, and what happened. */
export const RUN_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
	['run/started', started],
	['run/user_prompt_display', display],
	['run/inbox_item_queued', queued],
	['run/reasoning_summary_committed', reasoning],
	['run/reasoning_committed', reasoning],
	['run/assistant_message_committed', reply],
	['run/assistant_tool_calls_committed', toolCalls],
	['run/tool_result_batch_committed', toolResults],
	['run/user_input_prompt_requested', questions],
	['run/user_input_prompt_settled', answers],
	['run/model_completed', usage],
	['run/terminal', terminal],
	['run/context_compaction_installed', compacted],
	['task/failed', words('Task failed', 'reason')],
	['approval/requested', words('Approval asked', 'tool_name', 'raw_args')],
	['approval/decision_applied', words('Approval', 'decision')],
]);
