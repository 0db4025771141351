/** Messages as lists of content blocks, as the models' interface has them. */

import type {AdapterEvent, Locator} from '../../model.js';
import {eventKey} from '../../model.js';
import {compact} from '../compact.js';
import {base64Bytes, capText, placeholder} from '../content.js';
import {at, isRecord, listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {isSlashCommand} from '../slash-command.js';
import {userText} from './prompts.js';
import {callOf, resultOf} from './tools.js';

type Json = Readonly<Record<string, unknown>>;

/** A message, and what its events share. */
export interface TaskMessage {
	readonly record: Json;
	readonly role: 'user' | 'assistant';
	readonly key: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly model: string | undefined;
	/** The task that a parent gave: nobody typed it. */
	readonly isTask: boolean;
	/** Call id → tool name. */
	readonly names: Map<string, string>;
}

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;
type Report = (kind: string) => void;

/** Words that stand in a call or a result are an event of their own beside it. */
const wordsKey = (key: string, block: number): string => `${eventKey(key)}.said${block}`;

const toEvent = (
	{key, atMs, locator, model, role}: TaskMessage,
	place: number,
	form: Form,
): AdapterEvent => ({
	...form,
	...capText(form.text),
	...compact({key: form.key ?? eventKey(key, place), atMs, locator}),
	...(role === 'assistant' ? compact({messageId: eventKey(key), model}) : {}),
});

const blocksOf = (content: unknown): readonly Json[] =>
	typeof content === 'string'
		? [{type: 'text', text: content}]
		: listOf(content).map(block =>
				typeof block === 'string' ? {type: 'text', text: block} : recordOf(block),
			);

const imageText = (block: Json): string => {
	const source = recordOf(block['source']);
	const data = stringOf(source['data']);
	return placeholder('image', {
		mediaType: textOf(source['media_type']),
		sizeBytes: data === undefined ? undefined : base64Bytes(data),
	});
};

const promptForm = (text: string, isTask: boolean): Form => {
	if (isTask) return {kind: 'meta', text};
	const message = {kind: 'message', role: 'user', text} as const;
	return isSlashCommand(text) ? {...message, input: 'command'} : message;
};

interface Placed {
	readonly place: number;
	readonly form: Form;
}

const resultForms = (block: Json, place: number, message: TaskMessage): readonly Placed[] => {
	const {text, tool, spoken} = resultOf(block, message.names);
	const answer: Form | undefined =
		spoken === undefined || spoken === ''
			? undefined
			: {...promptForm(spoken, false), key: wordsKey(message.key, place)};
	return [
		{place, form: {kind: 'tool_result', text, tool}},
		...(answer === undefined ? [] : [{place, form: answer}]),
	];
};

/** Blocks of a user message that are part of one prompt: texts, images and files. */
const promptPart = (block: Json, resultName: string | undefined): Form | string | undefined => {
	if (block['type'] === 'image') return imageText(block);
	if (block['type'] === 'file') {
		return placeholder('file', {name: textOf(block['path']) ?? textOf(block['name'])});
	}
	if (block['type'] !== 'text') return undefined;
	const said = userText(stringOf(block['text']) ?? '', resultName);
	if (said.kind === 'typed') return said.text;
	return said.kind === 'tool_result'
		? {kind: 'tool_result', text: said.text, tool: {name: said.name}}
		: {kind: said.kind, text: said.text};
};

const userEvents = (message: TaskMessage, report: Report): readonly AdapterEvent[] => {
	const forms: Placed[] = [];
	const typed: {place: number; text: string}[] = [];
	let resultName: string | undefined;
	for (const [place, block] of blocksOf(message.record['content']).entries()) {
		if (block['type'] === 'tool_result') {
			forms.push(...resultForms(block, place, message));
			continue;
		}
		const part = promptPart(block, resultName);
		if (part === undefined) report(`block/${String(block['type']).slice(0, 80)}`);
		else if (typeof part === 'string') typed.push({place, text: part});
		else {
			if (part.kind === 'tool_result') resultName = part.tool?.name;
			forms.push({place, form: part});
		}
	}
	const text = typed
		.map(part => part.text.trim())
		.filter(part => part !== '')
		.join('\n');
	const place = typed[0]?.place ?? 0;
	if (text !== '') forms.push({place, form: promptForm(text, message.isTask)});
	return forms
		.filter(({form}) => form.tool !== undefined || form.text.trim() !== '')
		.toSorted((a, b) => a.place - b.place)
		.map(item => toEvent(message, item.place, item.form));
};

const reasoningText = (block: Json): string =>
	stringOf(block['thinking']) ??
	stringOf(block['text']) ??
	stringOf(block['summary']) ??
	listOf(block['summary'])
		.map(item => stringOf(at(item, 'text')) ?? stringOf(item) ?? '')
		.join('\n');

const assistantForms = (block: Json, place: number, message: TaskMessage): readonly Form[] => {
	const {type} = block;
	if (type === 'text') {
		return [{kind: 'message', role: 'assistant', text: stringOf(block['text']) ?? ''}];
	}
	if (type === 'thinking' || type === 'reasoning') {
		return [{kind: 'reasoning', text: reasoningText(block)}];
	}
	if (type === 'image') return [{kind: 'message', role: 'assistant', text: imageText(block)}];
	if (type !== 'tool_use') return [];
	const {text, tool, words} = callOf(block);
	if (tool.callId !== undefined) message.names.set(tool.callId, tool.name ?? 'unknown');
	const call: Form = {kind: 'tool_use', text, tool};
	if (words === undefined) return [call];
	const key = wordsKey(message.key, place);
	return [call, {kind: 'message', role: 'assistant', text: words, key}];
};

/** Encrypted thoughts say nothing. */
const SILENT: ReadonlySet<unknown> = new Set(['redacted_thinking', 'thoughtSignature']);

/** Some providers' thoughts stand beside the content. */
const besideContent = ({record, key}: TaskMessage): readonly Form[] => {
	const text = textOf(record['reasoning_content']);
	return text === undefined ? [] : [{kind: 'reasoning', text, key: `${eventKey(key)}.reasoning`}];
};

const assistantEvents = (message: TaskMessage, report: Report): readonly AdapterEvent[] => [
	...besideContent(message).map(form => toEvent(message, 0, form)),
	...blocksOf(message.record['content']).flatMap((block, place) => {
		const forms = assistantForms(block, place, message);
		if (forms.length === 0 && !SILENT.has(block['type'])) {
			report(`block/${String(block['type']).slice(0, 80)}`);
		}
		return forms
			.filter(form => form.tool !== undefined || form.text.trim() !== '')
			.map(form => toEvent(message, place, form));
	}),
];

const plainText = (content: unknown): string =>
	blocksOf(content)
		.map(block => stringOf(block['text']) ?? '')
		.join('\n');

/** Records that are no part of the talk: what a compaction left, or a mark where something was cut. */
const specialForm = ({record}: TaskMessage): Form | undefined => {
	if (record['isSummary'] === true) return {kind: 'summary', text: plainText(record['content'])};
	if (record['isTruncationMarker'] === true) {
		return {kind: 'meta', text: plainText(record['content'])};
	}
	if (record['type'] === 'reasoning') return {kind: 'reasoning', text: reasoningText(record)};
	return undefined;
};

export const messageEvents = (message: TaskMessage, report: Report): readonly AdapterEvent[] => {
	const special = specialForm(message);
	if (special !== undefined) {
		return special.text.trim() === '' ? [] : [toEvent(message, 0, special)];
	}
	return message.role === 'user' ? userEvents(message, report) : assistantEvents(message, report);
};

/** Role of a record; undefined for anything that is no message. */
export const roleOf = (record: unknown): TaskMessage['role'] | undefined => {
	if (!isRecord(record)) return undefined;
	const {role} = record;
	return role === 'user' || role === 'assistant' ? role : undefined;
};

/** The native id where it is there and not taken, else the place. */
export const messageKey = (record: Json, index: number, taken: Set<string>): string => {
	const id = textOf(record['id']);
	const key = id === undefined || taken.has(id) ? `n${index}` : id;
	taken.add(key);
	return key;
};

export const modelOf = (record: Json): string | undefined =>
	textOf(at(record, 'modelInfo', 'id')) ??
	textOf(at(record, 'modelInfo', 'modelId')) ??
	textOf(record['model']);
