/** Items of a history: a message with its context, reasoning and calls. */

import type {AdapterEvent} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {placeholder} from '../shared/content.js';
import {at, isRecord, listOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
} from '../shared/rows/events.js';

const partText = (part: unknown): string =>
	at(part, 'type') === 'imageUrl'
		? mediaText('image', {url: at(part, 'imageUrl', 'url')})
		: (stringOf(at(part, 'text')) ?? '');

const contentText = (content: unknown): string =>
	typeof content === 'string' ? content : listOf(content).map(partText).join('\n');

/** What stands where in an item: these blocks first, then two for each call. */
const BLOCKS = {said: 0, reasoning: 1, context: 2, summary: 3, calls: 4} as const;

export interface Item {
	readonly value: unknown;
	readonly message: unknown;
	readonly place: Place;
	readonly names: Map<string, string>;
	/** Calls whose result stands in a state: a message of the role `tool` repeats it. */
	readonly answered: ReadonlySet<string>;
}

type Maybe = readonly [block: number, form: Form] | undefined;

const textForm = (block: number, text: string | undefined, form: (text: string) => Form): Maybe =>
	text === undefined || text.trim() === '' ? undefined : [block, form(text)];

const said = ({message, place, names, answered}: Item): Maybe => {
	const text = contentText(at(message, 'content'));
	const role = at(message, 'role');
	const block = BLOCKS.said;
	if (role === 'user') return textForm(block, text, words => promptForm(words));
	if (role === 'assistant') return textForm(block, text, words => replyForm(words, place));
	if (role === 'thinking') return textForm(block, text, words => reasoningForm(words, place));
	if (role !== 'tool') return textForm(block, text, words => ({kind: 'meta', text: words}));
	const callId = textOf(at(message, 'toolCallId'));
	if (callId !== undefined && answered.has(callId)) return undefined;
	return [block, resultForm(text, {callId}, names)];
};

const contextForm = ({value}: Item): Maybe => {
	const items = listOf(at(value, 'contextItems'));
	const names = items.map(item => placeholder('file', {name: textOf(at(item, 'name'))}));
	return textForm(BLOCKS.context, names.join('\n'), text => ({kind: 'meta', text}));
};

const outputText = (state: unknown): string =>
	listOf(at(state, 'output'))
		.map(item => stringOf(at(item, 'content')) ?? '')
		.join('\n');

export const hasResult = (state: unknown): boolean =>
	listOf(at(state, 'output')).length > 0 || at(state, 'status') === 'done';

export const callIdOf = (state: unknown): string | undefined =>
	textOf(at(state, 'toolCallId')) ?? textOf(at(state, 'toolCall', 'id'));

/** The extension's own tools have a prefix. */
const changeIn = (name: string) => commonChange(name.replace(/^builtin_/, ''));

const callOf = (item: Item, call: unknown, parsed?: unknown): Form => {
	const {place, names} = item;
	const name = textOf(at(call, 'function', 'name')) ?? 'unknown';
	const args = isRecord(parsed) ? parsed : argumentsOf(at(call, 'function', 'arguments'));
	const callId = textOf(at(call, 'id'));
	return callForm({name, callId, args}, {change: changeIn(name), names, place});
};

/** The states of calls say more than the calls in the message. */
const callForms = (item: Item): readonly Maybe[] => {
	const states = listOf(at(item.value, 'toolCallStates'));
	if (states.length === 0) {
		const calls = listOf(at(item.message, 'toolCalls'));
		return calls.map((call, index) => [BLOCKS.calls + 2 * index, callOf(item, call)]);
	}
	return states.flatMap((state, index): readonly Maybe[] => {
		const block = BLOCKS.calls + 2 * index;
		const call = callOf(item, at(state, 'toolCall'), at(state, 'parsedArgs'));
		if (!hasResult(state)) return [[block, call]];
		const facts = {callId: callIdOf(state), isError: at(state, 'status') === 'errored'};
		return [
			[block, call],
			[block + 1, resultForm(outputText(state), facts, item.names)],
		];
	});
};

const summaryForm = (text: string): Form => ({kind: 'summary', text});

/** A compaction rewrites the document: the first item is then the summary itself, in the role of the model. */
export const isRewritten = (first: unknown): boolean => {
	const summary = textOf(at(first, 'conversationSummary'));
	return summary !== undefined && contentText(at(first, 'message', 'content')) === summary;
};

export const itemEvents = (item: Item): readonly AdapterEvent[] => {
	const {value, place} = item;
	const summary = textForm(BLOCKS.summary, textOf(at(value, 'conversationSummary')), summaryForm);
	const thought = textOf(at(value, 'reasoning', 'text'));
	const forms = isRewritten(value)
		? [summary]
		: [
				textForm(BLOCKS.reasoning, thought, text => reasoningForm(text, place)),
				said(item),
				contextForm(item),
				...callForms(item),
				summary,
			];
	return forms.flatMap(form => (form === undefined ? [] : [eventOf(place, form[0], form[1])]));
};
