/** Items of a transcript: messages, reasoning, calls and results, as the responses interface has them. */

import {type AdapterEvent, eventKey, type Usage} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {at, isRecord, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	mediaText,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
} from '../shared/rows/events.js';
import {promptOf} from './prompts.js';

type Json = Readonly<Record<string, unknown>>;

export interface Item {
	readonly record: Json;
	readonly place: Place;
	/** Nobody types into a sub-agent. */
	readonly isSubagent: boolean;
}

const aboutOf = ({record}: Item, name: string): unknown => at(record, 'providerData', name);

/**
 * The id of an item is not unique: all items of one reply share that of the reply, and some services count those from 1 in
 * every run (2.117.0).
 */
export const keyOf = (record: Json): string | undefined => {
	const [id, type] = [textOf(record['id']), textOf(record['type'])];
	if (id === undefined || type === undefined) return undefined;
	if (type === 'message' && record['role'] !== 'assistant') return id;
	const reply = textOf(at(record, 'providerData', 'messageId'));
	return [type, id, textOf(record['callId']), reply].filter(part => part !== undefined).join('~');
};

const replyId = (item: Item): string =>
	eventKey(textOf(aboutOf(item, 'messageId')) ?? textOf(item.record['id']) ?? item.place.key);

const partText = (part: unknown): string => {
	if (typeof part === 'string') return part;
	const text = stringOf(at(part, 'text'));
	if (text !== undefined) return text;
	const isImage = at(part, 'type') === 'input_image';
	return isImage ? mediaText('image', {name: 'attached'}) : '';
};

const textIn = (content: unknown): string =>
	(isRecord(content) || typeof content === 'string' ? [content] : listOf(content))
		.map(partText)
		.filter(text => text !== '')
		.join('\n');

const prompts = (item: Item, text: string): readonly AdapterEvent[] => {
	const {place, isSubagent} = item;
	const isInjected =
		aboutOf(item, 'isMeta') === true || aboutOf(item, 'isCompactInternal') === true;
	if (isSubagent || isInjected) return [eventOf(place, 0, {kind: 'meta', text})];
	const {typed, added} = promptOf(text);
	return [
		...(typed === '' ? [] : [eventOf(place, 0, promptForm(typed))]),
		...(added === '' ? [] : [eventOf(place, 1, {kind: 'meta', text: added})]),
	];
};

type Reader = (item: Item) => readonly AdapterEvent[];

const message: Reader = item => {
	const {record, place} = item;
	const text = textIn(record['content']);
	if (text.trim() === '') return [];
	if (record['role'] === 'user') return prompts(item, text);
	if (record['role'] !== 'assistant') return [eventOf(place, 0, {kind: 'meta', text})];
	return [eventOf(place, 0, {...replyForm(text, place), messageId: replyId(item)})];
};

const reasoning: Reader = item => {
	const {record, place} = item;
	const text = [record['rawContent'], record['content']].map(textIn).find(part => part !== '');
	if (text === undefined) return [];
	return [eventOf(place, 0, {...reasoningForm(text, place), messageId: replyId(item)})];
};

const call: Reader = item => {
	const {record, place} = item;
	const name = textOf(record['name']) ?? 'unknown';
	const args = argumentsOf(record['arguments']);
	const form = callForm(
		{name, callId: textOf(record['callId']), args},
		{change: commonChange(name), names: new Map(), place},
	);
	return [eventOf(place, 0, {...form, messageId: replyId(item)})];
};

const outputText = (item: Item): string => {
	const text = textIn(item.record['output']);
	if (text !== '') return text;
	const shown = at(aboutOf(item, 'toolResult'), 'content');
	return typeof shown === 'string' ? shown : shown === undefined ? '' : jsonText(shown);
};

const FAILED: ReadonlySet<unknown> = new Set(['failed', 'error', 'incomplete']);

const result: Reader = item => {
	const {record, place} = item;
	const facts = {
		callId: textOf(record['callId']),
		name: textOf(record['name']),
		isError: FAILED.has(record['status']),
	};
	return [eventOf(place, 0, resultForm(outputText(item), facts, new Map()))];
};

const summary: Reader = ({record, place}) => {
	const text = textOf(record['summary']);
	return text === undefined ? [] : [eventOf(place, 0, {kind: 'summary', text})];
};

export const READERS: Readonly<Record<string, Reader>> = {
	function_call: call,
	function_call_output: result,
	function_call_result: result,
	message,
	reasoning,
	summary,
};

/** Stands on every item of a reply that is the last one of its kind: the numbers are the same. */
export const usageOf = (item: Item): Usage | undefined => {
	const usage = aboutOf(item, 'usage') ?? at(item.record, 'message', 'usage');
	if (!isRecord(usage)) return undefined;
	const count = (...values: readonly unknown[]): number =>
		Math.max(0, values.map(numberOf).find(value => value !== undefined) ?? 0);
	const cached = count(at(usage, 'inputTokensDetails', 0, 'cached_tokens'));
	const reasoned = numberOf(at(usage, 'outputTokensDetails', 0, 'reasoning_tokens'));
	return compact({
		key: replyId(item),
		input: Math.max(0, count(usage['inputTokens'], usage['input_tokens']) - cached),
		output: count(usage['outputTokens'], usage['output_tokens']),
		cacheRead: cached,
		cacheWrite: 0,
		reasoning: reasoned,
		model: item.place.model,
		atMs: item.place.atMs,
	});
};
