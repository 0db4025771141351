/** One message of the forest on its way to events. */

import {type AdapterEvent, eventKey, type Problem} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {argumentLines} from '../shared/calls/arguments.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, capText, oneLine, placeholder, sizeLabel} from '../shared/content.js';
import {at, countOf, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {CallState, MessageNode} from './database.js';
import {agentOf, spliceOf} from './forest.js';
import {callFacts, resultOf} from './tools.js';

/** What is known while the messages of one transcript are read in their order. */
export interface Reading {
	readonly batch: BatchBuilder;
	/** Nobody typed there. */
	readonly isSubagent: boolean;
	/** Names of the calls so far. */
	readonly calls: Map<string, string>;
	/** A message by the user, or by whoever gave a sub-agent its task, was seen. */
	hasPrompt: boolean;
	/** The model that answered last. */
	model: string | undefined;
	/** What a sub-agent was told to do. */
	task: string | undefined;
}

type Message = Record<string, unknown>;

interface Row {
	readonly node: MessageNode;
	readonly message: Message;
	readonly states: ReadonlyMap<string, CallState>;
	readonly reading: Reading;
}

type EventFields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength'>;

/** Places in a message: content, thinking, then the calls. */
const CONTENT = 0;
const THINKING = 1;
const FIRST_CALL = 2;

const emit = (row: Row, {block, text}: {block: number; text: string}, fields: EventFields): void =>
	row.reading.batch.event(
		compact({
			key: eventKey(String(row.node.id), block),
			...fields,
			// Rows are stamped in whole seconds.
			atMs: timeMs(at(row.message, 'metadata', 'created_at')) ?? timeMs(row.node.createdAt),
			...capText(text),
			locator: {table: 'message_nodes', row: row.node.row},
		}),
	);

const imageText = (image: unknown): string => {
	const data = stringOf(at(image, 'base64_data'));
	return placeholder('image', {sizeBytes: data === undefined ? undefined : base64Bytes(data)});
};

const contentOf = (message: Message): string =>
	[textOf(message['content']), ...listOf(message['images']).map(imageText)]
		.filter(text => text !== undefined)
		.join('\n');

/** The agent marks what was typed; what it sends by itself, such as keep-alives, names its source instead. */
const isTyped = (message: Message, {hasPrompt, isSubagent}: Reading): boolean => {
	const mark = at(message, 'metadata', 'is_user_input');
	const source = textOf(at(message, 'metadata', 'telemetry', 'source'));
	return !isSubagent && mark !== false && (mark === true || !hasPrompt || source === undefined);
};

const userEvents = (row: Row): void => {
	const {message, reading} = row;
	const text = contentOf(message);
	if (text === '') return;
	const fields: EventFields = isTyped(message, reading)
		? {kind: 'message', role: 'user'}
		: {kind: 'meta'};
	reading.hasPrompt = true;
	if (reading.isSubagent) reading.task ??= oneLine(text, 200);
	emit(row, {block: CONTENT, text}, fields);
};

const callEvent = (row: Row, call: unknown, index: number): void => {
	const {reading, states} = row;
	const callId = textOf(at(call, 'id'));
	const name = stringOf(at(call, 'name')) ?? '';
	const args = recordOf(at(call, 'arguments'));
	if (callId !== undefined) reading.calls.set(callId, name);
	const text = stringOf(args['command']) ?? argumentLines(args);
	const state = callId === undefined ? undefined : states.get(callId);
	emit(
		row,
		{block: FIRST_CALL + index, text},
		compact({
			kind: 'tool_use' as const,
			model: reading.model,
			tool: compact({name, callId, ...callFacts(args, state)}),
		}),
	);
};

const assistantEvents = (row: Row): void => {
	const {message, reading} = row;
	reading.model = textOf(at(message, 'metadata', 'generation_model')) ?? reading.model;
	const shared = compact({
		messageId: textOf(at(message, 'metadata', 'request_id')),
		model: reading.model,
	});
	const thinking = textOf(at(message, 'thinking', 'thinking'));
	if (thinking !== undefined) {
		emit(row, {block: THINKING, text: thinking}, {kind: 'reasoning', ...shared});
	}
	const text = textOf(message['content']);
	if (text !== undefined) {
		emit(row, {block: CONTENT, text}, {kind: 'message', role: 'assistant', ...shared});
	}
	for (const [index, call] of listOf(message['tool_calls']).entries()) callEvent(row, call, index);
	noteUsage(row);
};

const noteUsage = ({node, message, reading}: Row): void => {
	const metrics = recordOf(at(message, 'metadata', 'metrics'));
	const count = (name: string): number => countOf(metrics[`${name}_tokens`]);
	const usage = {
		input: count('input'),
		output: count('output'),
		cacheRead: count('cache_read'),
		cacheWrite: count('cache_creation'),
	};
	if (Object.values(usage).every(value => value === 0)) return;
	reading.batch.usage(
		compact({
			// A reply may stand in two nodes of one request.
			key: eventKey(textOf(at(message, 'metadata', 'request_id')) ?? String(node.id)),
			...usage,
			model: reading.model,
			atMs: timeMs(at(message, 'metadata', 'created_at')) ?? timeMs(node.createdAt),
		}),
	);
};

const toolEvents = (row: Row): void => {
	const {node, message, reading, states} = row;
	const callId = textOf(message['tool_call_id']);
	const {text, facts} = resultOf(message, callId === undefined ? undefined : states.get(callId));
	const images = listOf(message['images']).map(imageText);
	emit(
		row,
		{block: CONTENT, text: [text, ...images].filter(part => part !== '').join('\n')},
		{
			kind: 'tool_result',
			tool: compact({
				name: callId === undefined ? undefined : reading.calls.get(callId),
				callId,
				...facts,
				agentId: agentOf(node.id, node.metadata)?.agentId,
			}),
		},
	);
};

const systemEvents = (row: Row): void => {
	const {node, message, reading} = row;
	const text = textOf(message['content']);
	if (text === undefined) return;
	if (spliceOf(node.metadata) !== undefined) emit(row, {block: CONTENT, text}, {kind: 'summary'});
	// Before the first prompt it is the system prompt.
	else if (reading.hasPrompt) emit(row, {block: CONTENT, text}, {kind: 'meta'});
};

const ROLES: Readonly<Record<string, (row: Row) => void>> = {
	assistant: assistantEvents,
	system: systemEvents,
	tool: toolEvents,
	user: userEvents,
};

const brokenNode = ({id, sizeBytes}: MessageNode): Problem => ({
	code: 'bad-record',
	where: `message_nodes ${id}`,
	detail: `message of ${sizeLabel(sizeBytes)} is no JSON object, or too large`,
});

export const readNode = (
	node: MessageNode,
	states: ReadonlyMap<string, CallState>,
	reading: Reading,
): void => {
	const {message} = node;
	if (message === undefined) {
		reading.batch.problem(brokenNode(node));
		return;
	}
	const role = stringOf(message['role']) ?? 'none';
	const read = entryOf(ROLES, role);
	if (read === undefined) reading.batch.unknown(`role/${role.slice(0, 80)}`);
	else read({node, message, states, reading});
};

/** Calls that a message makes or answers. */
export const callIdsOf = ({message}: MessageNode): readonly string[] =>
	[
		message?.['tool_call_id'],
		...listOf(message?.['tool_calls']).map(call => at(call, 'id')),
	].flatMap(id => textOf(id) ?? []);
