/** Event lines by their type. */

import type {ToolFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';
import {replacementPatch} from '../shared/text-patch.js';
import {closeChunks, PACKED, packedChunks, singleChunk} from './chunks.js';
import {callForm, contentText, emit} from './content.js';
import {nameOf, type Reading, type Row, type State} from './state.js';

type Handler = (reading: Reading, row: Row) => void;

/** Everything but a person has another source: plugins, contexts, checkpoints. */
const userMessage: Handler = (reading, row) => {
	const {state} = reading;
	const text = contentText(row.data['content']);
	const source = textOf(at(row.data, 'source', 'kind')) ?? 'user';
	if (source !== 'user') {
		emit(reading, row, {kind: 'meta', text});
	} else if (state.header?.isSubagent === true) {
		state.task ??= oneLine(text);
		emit(reading, row, {kind: 'meta', text});
	} else {
		const input = isSlashCommand(text) ? ('command' as const) : undefined;
		emit(reading, row, {kind: 'message', text, ...compact({role: 'user' as const, input})});
	}
};

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

const noteUsage = ({batch, state}: Reading, {data, key, atMs}: Row): void => {
	const {usage} = data;
	if (!isRecord(usage)) return;
	const reasoning = count(usage['reasoningTokens']);
	batch.usage(
		compact({
			key,
			input: count(usage['inputTokens']),
			output: count(usage['outputTokens']),
			cacheRead: count(usage['cacheReadTokens']),
			cacheWrite: count(usage['cacheWriteTokens']),
			reasoning: reasoning === 0 ? undefined : reasoning,
			model: state.model ?? undefined,
			atMs,
		}),
	);
};

const assistantMessage: Handler = (reading, row) => {
	const {state} = reading;
	state.pending = null;
	const message = recordOf(row.data['message']);
	state.model = textOf(at(message, 'source', 'model')) ?? state.model;
	noteUsage(reading, row);
	const messageId = textOf(message['id']) ?? row.key;
	const shared = compact({messageId, model: state.model ?? undefined});
	for (const [block, part] of listOf(message['content']).entries()) {
		const type = stringOf(at(part, 'type')) ?? 'none';
		const text = stringOf(at(part, 'text')) ?? '';
		if (type === 'text')
			emit(reading, row, {kind: 'message', role: 'assistant', text, ...shared}, block);
		else if (type === 'reasoning') emit(reading, row, {kind: 'reasoning', text, ...shared}, block);
		else if (type === 'tool-call') {
			const {id, name, arguments: args} = recordOf(part);
			emit(reading, row, {...callForm(reading, {id, name, arguments: args}), ...shared}, block);
		} else reading.batch.unknown(`block/${type.slice(0, 80)}`);
	}
};

/** Repeats a call of a message, unless that is missing. */
const toolCall: Handler = (reading, row) => {
	const {callId, name, arguments: args} = row.data;
	if (nameOf(reading.state, textOf(callId)) !== undefined) return;
	emit(reading, row, callForm(reading, {id: callId, name, arguments: args}));
};

const patchOf = (meta: unknown): string | undefined => {
	const patches = listOf(at(meta, 'diffs')).map(diff => {
		const path = textOf(at(diff, 'path'));
		const [before, after] = [stringOf(at(diff, 'oldText')), stringOf(at(diff, 'newText'))];
		return path === undefined ? undefined : replacementPatch(path, [[before ?? '', after ?? '']]);
	});
	const found = patches.filter(patch => patch !== undefined);
	return found.length === 0 ? undefined : found.join('\n');
};

const resultFacts = (state: State, data: Record<string, unknown>, result: unknown): ToolFacts => {
	const callId =
		textOf(at(result, 'toolCallId')) ?? textOf(at(data, 'message', 'source', 'callId'));
	const exitCode = numberOf(at(data, 'meta', 'exitCode'));
	const hasFailed = at(result, 'isError') === true || isRecord(data['error']);
	return compact({
		name: nameOf(state, callId),
		callId,
		isError: hasFailed ? true : undefined,
		exitCode: Number.isSafeInteger(exitCode) ? exitCode : undefined,
		patch: patchOf(data['meta']),
	});
};

/** Up to version 3 the result is a block of a user message; in version 4 the message itself. */
const toolResult: Handler = (reading, row) => {
	const {data} = row;
	const message = recordOf(data['message']);
	const nested = listOf(message['content']).filter(part => at(part, 'type') === 'tool-result');
	for (const [block, result] of (nested.length === 0 ? [message] : nested).entries()) {
		const text = contentText(at(result, 'content'));
		const tool = resultFacts(reading.state, data, result);
		emit(reading, row, {kind: 'tool_result', text, tool}, block);
	}
};

const QUIET_ENDS: ReadonlySet<unknown> = new Set(['completed', 'forked']);

const turnEnd: Handler = (reading, row) => {
	closeChunks(reading);
	const reason = textOf(at(row.data, 'reason', 'kind'));
	if (reason === undefined || QUIET_ENDS.has(reason)) return;
	emit(reading, row, {kind: 'meta', text: `Turn ended: ${reason}`});
};

const summary: Handler = (reading, row) => {
	noteUsage(reading, row);
	emit(reading, row, {kind: 'summary', text: contentText(row.data['summary'])});
};

const todos: Handler = (reading, row) => {
	const lines = listOf(row.data['todos']).map(
		todo => `[${stringOf(at(todo, 'status')) ?? ' '}] ${stringOf(at(todo, 'content')) ?? ''}`,
	);
	emit(reading, row, {kind: 'meta', text: lines.join('\n')});
};

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
	['user/message', userMessage],
	[
		'developer/message',
		(reading, row) => emit(reading, row, {kind: 'meta', text: contentText(row.data['content'])}),
	],
	['assistant/message', assistantMessage],
	['assistant/chunk', singleChunk],
	['tool/call', toolCall],
	['tool/result', toolResult],
	['turn/end', turnEnd],
	['compaction/summary', summary],
	['todo/write', todos],
	[
		'session/title',
		({state}, {data}) => {
			state.title = textOf(data['title']) ?? textOf(data['text']) ?? state.title;
		},
	],
	[
		'request/header',
		({state}, {data}) => {
			state.model = textOf(at(data, 'header', 'config', 'model')) ?? state.model;
		},
	],
	[
		'request/context',
		({state}, {data}) => {
			state.model = textOf(data['model']) ?? state.model;
		},
	],
]);

/** Structure of the log and state of the program; system prompts; attempts that failed and were made again. */
const IGNORED =
	/^(?:turn\/start|step\/|system\/message|assistant\/attempt|session\/end-seed|compaction\/|tool\/(?:ptc|code)-dispatch|command\/|hook\/|llm\/|agent-preset\/|approval\/|image\/|workspace\/|team\/|schedule\/|feedback\/)/;

/** A new step or prompt: what came in pieces before it is all there is. */
const NEXT_STEPS: ReadonlySet<string> = new Set(['step/start', 'user/message']);

export const handleEvent = (reading: Reading, type: string, row: Row): void => {
	if (NEXT_STEPS.has(type)) closeChunks(reading);
	const handler = HANDLERS.get(type);
	if (handler !== undefined) handler(reading, row);
	else if (Object.hasOwn(PACKED, type)) packedChunks(reading, row, type);
	else if (!IGNORED.test(type)) reading.batch.unknown(type.slice(0, 80));
};
