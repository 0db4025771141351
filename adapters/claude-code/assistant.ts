/** `assistant` rows: one content block a row as a rule, each with the id and the usage of its whole model message. */

import type {AdapterEvent, Usage} from '../model.js';
import {compact} from '../shared/compact.js';
import {entryOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf} from '../shared/record-events.js';
import {isPart, partText} from './parts.js';
import {remember} from './progress.js';
import {resultEvent} from './results.js';
import {type Block, blocksOf, kindName, type Row} from './row.js';
import {callFacts, callText} from './tools.js';

/** The model that the agent writes on its own error texts. */
const NO_MODEL = '<synthetic>';

interface Message {
	readonly messageId: string | undefined;
	readonly model: string | undefined;
}

type Reader = (row: Row, block: Block, message: Message) => AdapterEvent | undefined;

const spoken =
	(kind: 'message' | 'reasoning', field: string): Reader =>
	(row, {place, block}, message) => {
		const text = textOf(block[field]);
		if (text === undefined) return undefined;
		const role = kind === 'message' ? ('assistant' as const) : undefined;
		return eventOf(row, {block: place, text}, compact({kind, role, ...message}));
	};

const call: Reader = (row, {place, block}, message) => {
	const {name, callId} = {name: stringOf(block['name']), callId: stringOf(block['id'])};
	const input = recordOf(block['input']);
	if (name !== undefined && callId !== undefined) {
		remember(row.context.progress, 'calls', [callId, name]);
	}
	return eventOf(
		row,
		{block: place, text: callText(name ?? '', input)},
		compact({
			kind: 'tool_use' as const,
			...message,
			tool: compact({name, callId, ...callFacts(name ?? '', input)}),
		}),
	);
};

const READERS: Readonly<Record<string, Reader>> = {
	text: spoken('message', 'text'),
	thinking: spoken('reasoning', 'thinking'),
	redacted_thinking: () => undefined,
	tool_use: call,
	server_tool_use: call,
	mcp_tool_use: call,
};

const anyResult: Reader = (row, block) => resultEvent(row, block);

const readerOf = ({type}: Block): Reader | undefined =>
	entryOf(READERS, type) ?? (type.endsWith('tool_result') ? anyResult : undefined);

const noteUsage = (
	row: Row,
	message: Record<string, unknown>,
	{messageId, model}: Message,
): void => {
	const usage = recordOf(message['usage']);
	const costUsd = numberOf(row.record['costUSD']);
	if (Object.keys(usage).length === 0 && costUsd === undefined) return;
	const reasoning = numberOf(recordOf(usage['output_tokens_details'])['thinking_tokens']);
	const counts: Usage = compact({
		key: messageId ?? row.id,
		input: numberOf(usage['input_tokens']) ?? 0,
		output: numberOf(usage['output_tokens']) ?? 0,
		cacheRead: numberOf(usage['cache_read_input_tokens']) ?? 0,
		cacheWrite: numberOf(usage['cache_creation_input_tokens']) ?? 0,
		reasoning: reasoning === 0 ? undefined : reasoning,
		model,
		costUsd,
		atMs: row.atMs,
	});
	row.context.batch.usage(counts);
};

/** Texts that the program wrote in the model's place: failed requests, turns without an answer. */
const localEvents = (row: Row, blocks: readonly Block[]): readonly AdapterEvent[] => {
	const text = blocks.flatMap(block => (isPart(block) ? (partText(block) ?? []) : [])).join('\n');
	if (text.trim() === '') return [];
	const isError = row.record['isApiErrorMessage'] === true && !/^api error/i.test(text);
	return [eventOf(row, {block: 0, text: isError ? `API error: ${text}` : text}, {kind: 'meta'})];
};

export const assistantEvents = (row: Row): readonly AdapterEvent[] => {
	const {record, context} = row;
	const message = recordOf(record['message']);
	const blocks = blocksOf(message['content']);
	if (blocks === undefined) {
		const detail = 'assistant row without content';
		context.batch.problem({code: 'bad-record', where: row.id, detail});
		return [];
	}
	const model = textOf(message['model']);
	if (record['isApiErrorMessage'] === true || model === NO_MODEL) return localEvents(row, blocks);
	const about = {messageId: textOf(message['id']) ?? textOf(record['requestId']), model};
	if (model !== undefined && (!row.isSideChain || context.identity.isSubagent)) {
		context.progress.model = model;
	}
	noteUsage(row, message, about);
	return blocks.flatMap(block => readBlock(row, block, about));
};

const readBlock = (row: Row, block: Block, message: Message): readonly AdapterEvent[] => {
	const reader = readerOf(block);
	if (reader === undefined) row.context.batch.unknown(`block/${kindName(block.type)}`);
	const event = reader?.(row, block, message);
	return event === undefined ? [] : [event];
};
