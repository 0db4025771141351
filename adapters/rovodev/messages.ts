/** Messages and their parts. */

import type {AdapterEvent} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {jsonText, oneLine} from '../shared/content.js';
import {at, entryOf, stringOf, textOf} from '../shared/narrow.js';
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

/** The same thing has several names: the message shape is not documented. */
export const firstOf = (values: readonly unknown[], names: readonly string[]): unknown =>
	values
		.flatMap(value => names.map(name => at(value, name)))
		.find(found => found !== undefined && found !== null);

const NAMES = ['tool_name', 'toolName', 'name', 'tool'];
const ARGUMENTS = ['arguments', 'args', 'input', 'parameters'];
const CALL_IDS = ['tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'call_id', 'callId'];

interface Message {
	readonly isReply: boolean;
	readonly isSystem: boolean;
	readonly place: Place;
	readonly names: Map<string, string>;
}

const kindOf = (part: unknown): string =>
	(textOf(firstOf([part], ['part_kind', 'kind', 'type'])) ?? 'text').replaceAll('_', '-');

const itemText = (item: unknown): string => {
	if (typeof item === 'string') return item;
	const text = stringOf(at(item, 'text')) ?? stringOf(at(item, 'content'));
	if (text !== undefined) return text;
	const mediaType = firstOf([item], ['media_type', 'mediaType']);
	if (mediaType === undefined && at(item, 'url') === undefined) return jsonText(item);
	const kind = String(mediaType ?? at(item, 'kind')).startsWith('image') ? 'image' : 'file';
	return mediaText(kind, {url: at(item, 'url'), data: at(item, 'data'), mediaType});
};

const textIn = (part: unknown): string => {
	const content = at(part, 'text') ?? at(part, 'content');
	if (typeof content === 'string') return content;
	return Array.isArray(content) ? content.map(itemText).join('\n') : jsonText(content);
};

type Reader = (part: unknown, message: Message) => Form | undefined;

const words: Reader = (part, {isReply, isSystem, place}) => {
	const text = textIn(part);
	if (text.trim() === '') return undefined;
	if (isSystem) return {kind: 'meta', text};
	return isReply ? replyForm(text, place) : promptForm(text);
};

const thought: Reader = (part, {place}) => {
	const text = textIn(part);
	return text.trim() === '' ? undefined : reasoningForm(text, place);
};

const callIdOf = (part: unknown): string | undefined =>
	textOf(firstOf([part], [...CALL_IDS, 'id']));

const call: Reader = (part, {place, names}) => {
	const name = textOf(firstOf([part], NAMES)) ?? 'unknown';
	const args = argumentsOf(firstOf([part], ARGUMENTS));
	const callId = callIdOf(part);
	return callForm({name, callId, args}, {change: commonChange(name), names, place});
};

const result =
	(isRetry: boolean): Reader =>
	(part, {names}) => {
		const name = textOf(firstOf([part], NAMES));
		const callId = textOf(firstOf([part], CALL_IDS));
		const isError = isRetry || firstOf([part], ['is_error', 'isError']) === true;
		return resultForm(textIn(part), {callId, isError, ...compact({name})}, names);
	};

/** Without a tool it asks the model for another answer. */
const retry: Reader = (part, message) =>
	firstOf([part], NAMES) === undefined
		? {kind: 'meta', text: textIn(part)}
		: result(true)(part, message);

const READERS: Readonly<Record<string, Reader>> = {
	'function-result': result(false),
	'retry-prompt': retry,
	'system-prompt': () => undefined,
	text: words,
	thinking: thought,
	'tool-call': call,
	'tool-result': result(false),
	'tool-return': result(false),
	'tool-use': call,
	'tool-use-result': result(false),
	'user-prompt': words,
};

const isPrompt = (form: Form | undefined): boolean => form?.role === 'user';

/** The words of a prompt belong together, at the place of the first. */
const joinPrompt = (forms: readonly (Form | undefined)[]): readonly (Form | undefined)[] => {
	const prompts = forms.filter(isPrompt);
	if (prompts.length < 2) return forms;
	const text = prompts.map(form => form?.text).join('\n');
	const first = forms.findIndex(isPrompt);
	return forms.map((form, index) => {
		if (!isPrompt(form)) return form;
		return index === first ? promptForm(text) : undefined;
	});
};

export const partsOf = (value: unknown): readonly unknown[] => {
	const parts = at(value, 'parts');
	return Array.isArray(parts) ? parts : [{kind: 'text', content: at(value, 'content')}];
};

export const messageEvents = (
	value: unknown,
	message: Message,
	unknown: (kind: string) => void,
): readonly AdapterEvent[] => {
	const forms = partsOf(value).map(part => {
		const kind = kindOf(part);
		const read = entryOf(READERS, kind);
		if (read === undefined) unknown(`part/${oneLine(kind, 80)}`);
		return read?.(part, message);
	});
	return joinPrompt(forms).flatMap((form, block) =>
		form === undefined ? [] : [eventOf(message.place, block, form)],
	);
};
