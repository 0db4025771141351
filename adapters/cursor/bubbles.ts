/** Bubbles: what the editor shows as one message, thought or tool call. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, capText, oneLine, placeholder} from '../shared/content.js';
import {
	at,
	countOf,
	isRecord,
	JSON_DEPTH_LIMIT,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {toolOf} from './bubble-tools.js';
import {modelName} from './messages.js';

export type Bubble = Readonly<Record<string, unknown>>;

/** What is carried from bubble to bubble. */
export interface BubbleReading {
	readonly batch: BatchBuilder;
	readonly isSubagent: boolean;
	/** Time of the last bubble that has one; before the first, that of the chat. */
	atMs: number | undefined;
	/** A bubble stated its time. */
	hasTimes: boolean;
	model: string | undefined;
	task: string | undefined;
	/** As a bubble states it. */
	directory: string | undefined;
}

export interface BubblePlace {
	readonly id: string;
	readonly locator: Locator;
	/** The chat's list of bubbles may state a time, too. */
	readonly listedAtMs?: number | undefined;
}

/** Bubbles that hold something else than text. */
const THINKING = 30;
const USER = 1;

/** Places in a bubble. */
const TEXT = 0;
const THOUGHT = 1;
const CALL = 2;
const RESULT = 3;

/** Text of a Lexical document: its leaves, blocks on lines of their own. */
const richText = (node: unknown, depth = 0): string => {
	if (depth > JSON_DEPTH_LIMIT) return '';
	const children = listOf(at(node, 'children')).map(child => richText(child, depth + 1));
	const isBlock = listOf(at(node, 'children')).some(
		child => listOf(at(child, 'children')).length > 0,
	);
	return textOf(at(node, 'text')) ?? children.join(isBlock ? '\n' : '');
};

const lexicalText = (value: unknown): string | undefined => {
	const text = stringOf(value);
	if (text === undefined) return textOf(richText(at(value, 'root')));
	try {
		return textOf(richText(at(JSON.parse(text), 'root')));
	} catch {
		return undefined; // no document: the other fields have to do
	}
};

const codeText = (blocks: unknown): string | undefined =>
	textOf(
		listOf(blocks)
			.flatMap(block => {
				const content = textOf(at(block, 'content'));
				if (content === undefined) return [];
				return [`\`\`\`${stringOf(at(block, 'languageId')) ?? ''}\n${content}\n\`\`\``];
			})
			.join('\n'),
	);

const bubbleText = (bubble: Bubble): string | undefined =>
	textOf(bubble['text']) ??
	textOf(bubble['rawText']) ??
	lexicalText(bubble['richText']) ??
	codeText(bubble['codeBlocks']);

const imageText = (image: unknown): string => {
	const data = stringOf(image) ?? stringOf(at(image, 'data')) ?? '';
	const isInline = data.startsWith('data:');
	return placeholder('image', {
		mediaType: textOf(at(image, 'mimeType')) ?? /^data:([\w.+/-]+)/.exec(data)?.[1],
		sizeBytes: isInline ? base64Bytes(data) : undefined,
		name: textOf(at(image, 'path'))?.split(/[\\/]/).at(-1),
	});
};

/** Below this a start is no time, but the milliseconds that passed until the next stamp. */
const ELAPSED_LIMIT = 946_684_800_000;
const LATER_STAMPS = ['clientRpcSendTime', 'clientSettleTime', 'clientEndTime'] as const;

const startOf = (timing: Record<string, unknown>): number | undefined => {
	const start = numberOf(timing['clientStartTime']);
	if (start === undefined || start >= ELAPSED_LIMIT) return timeMs(start);
	const later = LATER_STAMPS.map(name => numberOf(timing[name]) ?? 0).find(value => value > 0);
	return later === undefined ? undefined : timeMs(later - start);
};

const timeOf = (bubble: Bubble, {listedAtMs}: BubblePlace): number | undefined =>
	timeMs(bubble['createdAt']) ??
	timeMs(bubble['timestamp']) ??
	listedAtMs ??
	startOf(recordOf(bubble['timingInfo']));

interface Row {
	readonly bubble: Bubble;
	readonly place: BubblePlace;
	readonly reading: BubbleReading;
}

type EventFields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength'>;

const emit = (
	{place, reading}: Row,
	{block, text}: {block: number; text: string},
	fields: EventFields,
): void =>
	reading.batch.event(
		compact({
			key: eventKey(place.id, block),
			...fields,
			atMs: reading.atMs,
			...capText(text),
			locator: place.locator,
		}),
	);

const userEvents = (row: Row): void => {
	const {bubble, reading} = row;
	const parts = [bubbleText(bubble), ...listOf(bubble['images']).map(imageText)];
	const text = parts.filter(part => part !== undefined).join('\n');
	if (text === '') return;
	if (reading.isSubagent) reading.task ??= oneLine(text, 200);
	emit(
		row,
		{block: TEXT, text},
		reading.isSubagent ? {kind: 'meta'} : {kind: 'message', role: 'user'},
	);
};

/** A thought stands in `thinking`, or is the text of a bubble that is nothing else. */
const thoughtOf = (bubble: Bubble): string | undefined => {
	const thinking = bubble['thinking'];
	const isThought = bubble['isThought'] === true || bubble['capabilityType'] === THINKING;
	return (
		textOf(thinking) ?? textOf(at(thinking, 'text')) ?? (isThought ? bubbleText(bubble) : undefined)
	);
};

const assistantEvents = (row: Row): void => {
	const {bubble, reading} = row;
	const model = reading.model === undefined ? {} : {model: reading.model};
	const thought = thoughtOf(bubble);
	const tool = toolOf(bubble);
	const text = bubbleText(bubble);
	if (thought !== undefined)
		emit(row, {block: THOUGHT, text: thought}, {kind: 'reasoning', ...model});
	if (text !== undefined && text !== thought && text !== tool?.result?.text) {
		emit(row, {block: TEXT, text}, {kind: 'message', role: 'assistant', ...model});
	}
	if (tool === undefined) return;
	emit(row, {block: CALL, text: tool.text}, {kind: 'tool_use', ...model, tool: tool.facts});
	if (tool.result === undefined) return;
	const {text: output, facts} = tool.result;
	emit(row, {block: RESULT, text: output}, {kind: 'tool_result', tool: facts});
};

const noteUsage = ({bubble, place, reading}: Row): void => {
	const [input, output] = ['inputTokens', 'outputTokens'].map(name =>
		countOf(at(bubble, 'tokenCount', name)),
	) as [number, number];
	if (input + output === 0) return;
	const {model, atMs} = reading;
	reading.batch.usage(
		compact({key: eventKey(place.id), input, output, cacheRead: 0, cacheWrite: 0, model, atMs}),
	);
};

export const readBubble = (bubble: Bubble, place: BubblePlace, reading: BubbleReading): void => {
	const row: Row = {bubble, place, reading};
	const atMs = timeOf(bubble, place);
	if (atMs !== undefined) {
		reading.atMs = atMs;
		reading.hasTimes = true;
	}
	reading.model = modelName(at(bubble, 'modelInfo', 'modelName')) ?? reading.model;
	reading.directory ??= textOf(bubble['workspaceProjectDir']);
	if (bubble['type'] === USER) userEvents(row);
	else assistantEvents(row);
	noteUsage(row);
};

/** Payloads of tools in the first form: by bubble, in a JSON text below the chat's capabilities. */
export const toolPayloads = (composer: unknown): ReadonlyMap<string, unknown> => {
	const payloads = new Map<string, unknown>();
	for (const capability of listOf(at(composer, 'capabilities'))) {
		const stored = at(capability, 'data', 'bubbleDataMap');
		const map = typeof stored === 'string' ? parsed(stored) : stored;
		if (!isRecord(map)) continue;
		for (const [id, payload] of Object.entries(map)) payloads.set(id, payload);
	}
	return payloads;
};

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // nothing to add then
	}
};
