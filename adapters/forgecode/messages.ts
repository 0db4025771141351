/** Entries of a conversation: `{message, usage}`, the message one of `text`, `tool` and `image`. */

import {eventKey, type ToolFacts, type Usage} from '../model.js';
import type {Changes} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
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
import {chatCalls} from '../shared/rows/chat.js';
import {
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	reasoningForm,
	replyForm,
	resultForm,
	type Talk as SharedTalk,
	userForm,
} from '../shared/rows/events.js';
import {replacementPatch} from '../shared/text-patch.js';

/** What is known of the session while its messages are read in order. */
export interface Talk extends SharedTalk {
	hasPrompt: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const CONTENT = 0;
const REASONING = 1;
const CALLS = 2;

const CHANGES: Changes = {
	fs_read: 'read',
	multi_patch: 'edit',
	patch: 'edit',
	read: 'read',
	remove: 'delete',
	undo: 'edit',
	write: 'write',
};

/** Variants of the agent's types: written in lower case, camel case or capitals, by version. */
const variantOf = (value: unknown): readonly [name: string, body: unknown] => {
	if (typeof value === 'string') return [value.toLowerCase(), undefined];
	const [entry] = Object.entries(recordOf(value));
	return entry === undefined ? ['none', undefined] : [entry[0].toLowerCase(), entry[1]];
};

const WRAPPER = /^<(task|feedback)>([\s\S]*?)<\/\1>/;

/** What was typed: kept as it was before it went into the template of a prompt. */
const typedText = (message: Json): string => {
	const [, raw] = variantOf(message['raw_content']);
	const content = stringOf(message['content']) ?? '';
	return textOf(raw) ?? WRAPPER.exec(content.trim())?.[2] ?? content;
};

/** A compaction puts its summary in the place of what was said before. */
const SUMMARY = /^(?:<summary>|Use the following summary frames)/;

const userMessageForm = (message: Json, talk: Talk): Form => {
	const text = typedText(message);
	if (message['droppable'] === true) return {kind: 'meta', text};
	if (message['raw_content'] === undefined && SUMMARY.test(text.trimStart()))
		return {kind: 'summary', text};
	talk.hasPrompt = true;
	return userForm(text, talk);
};

const readAssistant = (message: Json, place: Place, {batch, names}: Talk): void => {
	const reasoning = listOf(message['reasoning_details'])
		.flatMap(detail => textOf(at(detail, 'text')) ?? [])
		.join('\n');
	if (reasoning !== '') batch.event(eventOf(place, REASONING, reasoningForm(reasoning, place)));
	const text = textOf(message['content']);
	if (text !== undefined) batch.event(eventOf(place, CONTENT, replyForm(text, place)));
	for (const [index, call] of chatCalls(message['tool_calls']).entries()) {
		const change = entryOf(CHANGES, call.name);
		batch.event(eventOf(place, CALLS + index, callForm(call, {change, names, place})));
	}
};

const readText = (body: unknown, place: Place, talk: Talk): void => {
	const message = recordOf(body);
	const role = (stringOf(message['role']) ?? 'none').toLowerCase();
	const {batch} = talk;
	if (role === 'assistant') readAssistant(message, place, talk);
	else if (role === 'user') {
		const form = userMessageForm(message, talk);
		if (form.text.trim() !== '') batch.event(eventOf(place, CONTENT, form));
	} else if (role === 'system') {
		const text = textOf(message['content']);
		// Before the first prompt it is the system prompt.
		if (text !== undefined && talk.hasPrompt)
			batch.event(eventOf(place, CONTENT, {kind: 'meta', text}));
	} else batch.unknown(`role/${role.slice(0, 80)}`);
};

interface Output {
	readonly text: string;
	readonly facts: Pick<ToolFacts, 'agentId' | 'patch' | 'files'>;
}

const diffOutput = (body: unknown): Output => {
	const path = textOf(at(body, 'path')) ?? '';
	const [before, after] = ['old_text', 'new_text'].map(name => stringOf(at(body, name)) ?? '');
	const patch = replacementPatch(path, [[before ?? '', after ?? '']]);
	const files = path === '' ? undefined : [{path, change: 'edit' as const}];
	return {text: path, facts: compact({patch, files})};
};

const OUTPUTS: Readonly<Record<string, (body: unknown) => Output>> = {
	ai: body => ({
		text: stringOf(at(body, 'value')) ?? '',
		facts: compact({agentId: textOf(at(body, 'conversation_id'))}),
	}),
	empty: () => ({text: '', facts: {}}),
	filediff: diffOutput,
	image: body => ({text: imageText(body), facts: {}}),
	markdown: body => ({text: stringOf(body) ?? '', facts: {}}),
	// One for the model, one for the screen.
	pair: body => outputOf(listOf(body)[0]),
	text: body => ({text: stringOf(body) ?? '', facts: {}}),
};

const imageText = (body: unknown): string =>
	mediaText('image', {url: at(body, 'url'), mediaType: at(body, 'mime_type')});

const outputOf = (value: unknown): Output => {
	const [name, body] = variantOf(value);
	const read = entryOf(OUTPUTS, name);
	return read?.(body) ?? {text: jsonText(value ?? ''), facts: {}};
};

const readTool = (body: unknown, place: Place, {batch, names}: Talk): void => {
	const outputs = listOf(at(body, 'output', 'values')).map(outputOf);
	const text = outputs
		.map(output => output.text)
		.filter(part => part !== '')
		.join('\n');
	const facts = Object.assign({}, ...outputs.map(output => output.facts)) as Output['facts'];
	const form = resultForm(
		text,
		{
			callId: textOf(at(body, 'call_id')),
			name: textOf(at(body, 'name')),
			isError: at(body, 'output', 'is_error') === true,
		},
		names,
	);
	batch.event(eventOf(place, CONTENT, {...form, tool: {...form.tool, ...facts}}));
};

/** A picture is an entry of its own, behind the prompt that it belongs to: nothing that was typed. */
const readImage = (body: unknown, place: Place, {batch}: Talk): void =>
	batch.event(eventOf(place, CONTENT, {kind: 'meta', text: imageText(body)}));

const MESSAGES: Readonly<Record<string, (body: unknown, place: Place, talk: Talk) => void>> = {
	image: readImage,
	text: readText,
	tool: readTool,
};

/** `{actual: n}`, `{approx: n}` or a number. */
const countOf = (value: unknown): number => {
	const [, stated] = variantOf(value);
	return Math.max(0, numberOf(value) ?? numberOf(stated) ?? 0);
};

/** `prompt_tokens` holds the cached ones as well. */
const usageOf = (stated: unknown, {key, model}: Place): Usage | undefined => {
	const count = (name: string): number => countOf(at(stated, name));
	const [prompt, output, cacheRead] = [
		count('prompt_tokens'),
		count('completion_tokens'),
		count('cached_tokens'),
	];
	if (prompt + output === 0) return undefined;
	return {
		key: eventKey(key),
		input: Math.max(0, prompt - cacheRead),
		output,
		cacheRead,
		cacheWrite: 0,
		...compact({model, costUsd: numberOf(at(stated, 'cost'))}),
	};
};

/** Very old entries are the message itself. */
const messageOf = (entry: unknown): unknown =>
	isRecord(entry) && 'message' in entry ? entry['message'] : entry;

/** The text of an entry, whoever speaks. */
export const textOfEntry = (entry: unknown): string => {
	const [, body] = variantOf(messageOf(entry));
	return stringOf(at(body, 'content')) ?? '';
};

const modelOf = (body: unknown): string | undefined =>
	String(at(body, 'role')).toLowerCase() === 'assistant' ? textOf(at(body, 'model')) : undefined;

export const readEntry = (entry: unknown, spot: Omit<Place, 'model'>, talk: Talk): void => {
	const {batch} = talk;
	const [name, body] = variantOf(messageOf(entry));
	const model = modelOf(body);
	if (model !== undefined) batch.patch({model});
	const place: Place = {...spot, model};
	const read = entryOf(MESSAGES, name);
	if (read === undefined) batch.unknown(`message/${name.slice(0, 80)}`);
	else read(body, place, talk);
	const usage = usageOf(at(entry, 'usage'), place);
	if (usage !== undefined) batch.usage(usage);
};
