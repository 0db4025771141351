/** Messages of LangChain: `{type: human | ai | tool | system, content, …}`. */

import {eventKey} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {at, entryOf, isRecord, listOf, numberOf, recordOf, textOf} from '../shared/narrow.js';
import {chatContent} from '../shared/rows/chat.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
	type Talk,
} from '../shared/rows/events.js';

type Json = Readonly<Record<string, unknown>>;

export interface Message {
	readonly body: Json;
	readonly place: Place;
	/** The first message after the history was replaced. */
	readonly isSummary: boolean;
}

/** Thoughts go by several names. */
const plainPart = (part: unknown): unknown => {
	if (!isRecord(part)) return part;
	const {type, reasoning, thinking, text} = part;
	if (type !== 'reasoning' && type !== 'thinking') return part;
	return {type: 'thinking', thinking: textOf(reasoning) ?? textOf(thinking) ?? text};
};

const contentOf = (body: Json, talk: Talk): {readonly text: string; readonly thoughts: string} => {
	const {content} = body;
	const {text, thoughts, unknown} = chatContent(
		Array.isArray(content) ? content.map(plainPart) : content,
	);
	// Calls are told by `tool_calls` as well.
	for (const kind of unknown) if (kind !== 'tool_use') talk.batch.unknown(`part/${kind}`);
	return {text, thoughts};
};

/** Context that the agent puts in as if it were said. */
const INTERNAL: ReadonlySet<unknown> = new Set(['goal_control', 'goal_state']);

const humanForms = ({body, isSummary}: Message, talk: Talk): readonly Form[] => {
	const {text} = contentOf(body, talk);
	const from = at(body, 'additional_kwargs', 'lc_source');
	if (text.trim() === '') return [];
	if (isSummary || from === 'summarization') return [{kind: 'summary', text}];
	const isTask = talk.isSubagent && talk.task === undefined;
	if (isTask) talk.task = text;
	const isMeta = isTask || INTERNAL.has(from) || text.startsWith('[SYSTEM]');
	return [isMeta ? {kind: 'meta', text} : promptForm(text)];
};

const aiForms = ({body, place}: Message, talk: Talk): readonly Form[] => {
	const {text, thoughts} = contentOf(body, talk);
	const calls = listOf(body['tool_calls'])
		.map(recordOf)
		.map((call): Form => {
			const name = textOf(call['name']) ?? 'unknown';
			const stated = {name, callId: textOf(call['id']), args: argumentsOf(call['args'])};
			return callForm(stated, {change: commonChange(name), names: talk.names, place});
		});
	return [
		...(thoughts.trim() === '' ? [] : [reasoningForm(thoughts, place)]),
		...(text.trim() === '' ? [] : [replyForm(text, place)]),
		...calls,
	];
};

const toolForms = ({body}: Message, talk: Talk): readonly Form[] => {
	const facts = {
		callId: textOf(body['tool_call_id']),
		name: textOf(body['name']),
		isError: body['status'] === 'error',
	};
	return [resultForm(contentOf(body, talk).text, facts, talk.names)];
};

const FORMS: Readonly<Record<string, (message: Message, talk: Talk) => readonly Form[]>> = {
	ai: aiForms,
	human: humanForms,
	system: ({body}, talk) => [{kind: 'meta', text: contentOf(body, talk).text}],
	tool: toolForms,
};

export const modelOf = (body: Json): string | undefined =>
	textOf(at(body, 'response_metadata', 'model_name'));

/** `input_tokens` counts cached ones as well. */
const emitUsage = ({body, place}: Message, {batch}: Talk): void => {
	const usage = body['usage_metadata'];
	if (!isRecord(usage)) return;
	const count = (...path: readonly string[]): number => numberOf(at(usage, ...path)) ?? 0;
	const cacheRead = count('input_token_details', 'cache_read');
	const cacheWrite = count('input_token_details', 'cache_creation');
	batch.usage({
		key: eventKey(place.key),
		input: Math.max(0, count('input_tokens') - cacheRead - cacheWrite),
		output: count('output_tokens'),
		cacheRead,
		cacheWrite,
		...compact({
			reasoning: numberOf(at(usage, 'output_token_details', 'reasoning')),
			model: place.model,
			atMs: place.atMs,
		}),
	});
};

/** Emits the events of a message. */
export const readMessage = (message: Message, talk: Talk): void => {
	const type = textOf(message.body['type']) ?? 'none';
	const read = entryOf(FORMS, type);
	if (read === undefined) talk.batch.unknown(`message/${type.slice(0, 80)}`);
	for (const [block, form] of (read?.(message, talk) ?? []).entries()) {
		talk.batch.event(eventOf(message.place, block, form));
	}
	emitUsage(message, talk);
};
