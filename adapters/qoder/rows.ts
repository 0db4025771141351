/** Rows of the talk: what people type, what is put into their mouth, and what models answer. */

import {type AdapterEvent, eventKey, type Usage} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {
	at,
	countOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
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
	type ToolNames,
} from '../shared/rows/events.js';

type Json = Readonly<Record<string, unknown>>;

export interface Row {
	readonly record: Json;
	readonly place: Place;
	readonly names: ToolNames;
	/** Nobody types into a sub-agent. */
	readonly isSubagent: boolean;
	readonly unknown: (kind: string) => void;
}

const RESULT_NAME = /(?:result|output)$/i;
const REDACTED = '[redacted]';

const blocksOf = (content: unknown): readonly Json[] =>
	typeof content === 'string'
		? [{type: 'text', text: content}]
		: listOf(content).map(block =>
				typeof block === 'string' ? {type: 'text', text: block} : recordOf(block),
			);

const contentOf = ({record}: Row): readonly Json[] => blocksOf(at(record, 'message', 'content'));

const isResult = (block: Json): boolean => RESULT_NAME.test(stringOf(block['type']) ?? '');

/** What can be read of a block. */
const blockText = (block: Json): string => {
	const {type} = block;
	if (type === 'image' || type === 'file' || type === 'document') {
		const source = recordOf(block['source']);
		return mediaText(type === 'image' ? 'image' : 'file', {
			url: source['url'] ?? block['url'],
			data: source['data'],
			mediaType: source['media_type'],
			name: block['name'] ?? block['path'],
		});
	}
	return stringOf(block['text']) ?? '';
};

const textIn = (content: unknown): string =>
	blocksOf(content)
		.map(blockText)
		.filter(text => text !== '')
		.join('\n');

/** Results stand in a block, and often once more, in full, in a field of the row. */
const stated = (record: Json): unknown =>
	record['toolUseResult'] ?? Object.entries(record).find(([name]) => RESULT_NAME.test(name))?.[1];

const statedText = (value: unknown): string | undefined => {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return textIn(value);
	const inner = ['content', 'output', 'text'].map(name => at(value, name));
	const found = inner.find(part => typeof part === 'string' || Array.isArray(part));
	return found === undefined ? undefined : textIn(found);
};

const isRedacted = (value: unknown): boolean =>
	at(value, 'redacted') === true || at(value, 'status') === 'redacted';

const resultOf = (row: Row, block: Json, beside: unknown): Form => {
	const isHidden = isRedacted(block) || isRedacted(beside);
	const text = statedText(beside) ?? textIn(block['content'] ?? block['output'] ?? block['text']);
	const callId = textOf(block['tool_use_id']) ?? textOf(at(beside, 'callId'));
	return resultForm(
		isHidden ? REDACTED : text,
		{
			callId,
			name: textOf(at(beside, 'toolName')),
			isError: block['is_error'] === true,
			...compact({exitCode: numberOf(at(beside, 'exitCode'))}),
		},
		row.names,
	);
};

const results = (row: Row): readonly AdapterEvent[] => {
	const {record, place} = row;
	const blocks = contentOf(row).map((block, index) => ({block, index}));
	const found = blocks.filter(({block}) => isResult(block));
	const beside = stated(record);
	if (found.length === 0) {
		return beside === undefined ? [] : [eventOf(place, 0, resultOf(row, {}, beside))];
	}
	return found.map(({block, index}) =>
		eventOf(place, index, resultOf(row, block, found.length === 1 ? beside : undefined)),
	);
};

const HUMAN: ReadonlySet<unknown> = new Set([undefined, 'human']);

/** By the agent's own marks. */
export const isTyped = ({record, isSubagent}: Row): boolean =>
	!isSubagent &&
	record['isMeta'] !== true &&
	record['isCompactSummary'] !== true &&
	record['isVisibleInTranscriptOnly'] !== true &&
	stated(record) === undefined &&
	HUMAN.has(at(record, 'origin', 'kind'));

/** One message, at the place of its first block; with a result beside it that place is taken. */
const spoken = (row: Row, text: string): readonly AdapterEvent[] => {
	if (text.trim() === '') return [];
	const first = contentOf(row).findIndex(block => !isResult(block));
	const place = stated(row.record) !== undefined && first <= 0 ? 1 : Math.max(first, 0);
	if (row.record['isCompactSummary'] === true) {
		return [eventOf(row.place, place, {kind: 'summary', text})];
	}
	return [eventOf(row.place, place, isTyped(row) ? promptForm(text) : {kind: 'meta', text})];
};

export const userEvents = (row: Row): readonly AdapterEvent[] => {
	const said = contentOf(row).filter(block => !isResult(block));
	const [typed] = isTyped(row) ? [textOf(at(row.record, 'humanInput', 'text'))] : [];
	const media = said.filter(block => block['type'] !== 'text');
	const text = typed === undefined ? textIn(said) : [typed, ...media.map(blockText)].join('\n');
	return [...results(row), ...spoken(row, text)];
};

/** A prompt that waited while the agent was busy. */
export const attachmentEvents = (row: Row): readonly AdapterEvent[] => {
	const {attachment} = row.record;
	const text = textIn(at(attachment, 'prompt'));
	if (at(attachment, 'type') !== 'queued_command' || text === '') return [];
	return [eventOf(row.place, 0, isTyped(row) ? promptForm(text) : {kind: 'meta', text})];
};

const assistantForm = (row: Row, block: Json): Form | undefined => {
	const {place, names} = row;
	const {type} = block;
	if (type === 'tool_use') {
		const name = textOf(block['name']) ?? 'unknown';
		const call = {name, callId: textOf(block['id']), args: argumentsOf(block['input'])};
		return callForm(call, {change: commonChange(name), names, place});
	}
	if (isResult(block)) return resultOf(row, block, undefined);
	const thought = textOf(block['thinking']);
	if (thought !== undefined) return reasoningForm(thought, place);
	const text = textOf(blockText(block));
	if (text !== undefined) return replyForm(text, place);
	if (type !== 'text' && type !== 'thinking') row.unknown(`block/${oneLine(String(type), 80)}`);
	return undefined;
};

/** One model message may fill several rows. */
const messageIdOf = ({record, place}: Row): string =>
	eventKey(textOf(at(record, 'message', 'id')) ?? place.key);

export const assistantEvents = (row: Row): readonly AdapterEvent[] =>
	contentOf(row).flatMap((block, index) => {
		const form = assistantForm(row, block);
		if (form === undefined) return [];
		const about = form.messageId === undefined ? {} : {messageId: messageIdOf(row)};
		return [eventOf(row.place, index, {...form, ...about})];
	});

export const usageOf = (row: Row): Usage | undefined => {
	const usage = at(row.record, 'message', 'usage');
	if (!isRecord(usage)) return undefined;
	const count = (name: string): number => countOf(usage[name]);
	return compact({
		key: messageIdOf(row),
		input: count('input_tokens'),
		output: count('output_tokens'),
		cacheRead: count('cache_read_input_tokens'),
		cacheWrite: count('cache_creation_input_tokens'),
		model: row.place.model,
		atMs: row.place.atMs,
	});
};

/** What hooks and the agent itself say. */
export const noteEvents = (row: Row): readonly AdapterEvent[] => {
	const {record, place} = row;
	const hook = [at(record, 'data', 'hookEvent'), at(record, 'data', 'command')];
	const text = textOf(record['content']) ?? hook.flatMap(part => textOf(part) ?? []).join(': ');
	return text === '' ? [] : [eventOf(place, 0, {kind: 'meta', text})];
};
