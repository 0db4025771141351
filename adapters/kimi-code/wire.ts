/** `wire.jsonl` of the new layout, protocol 1.4 and 1.5: one table from record type to what is done with it. */

import {oneLine} from '../shared/content.js';
import {at, entryOf, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {argumentsOf, contentText, type Json, type Part, partsOf} from './content.js';
import {remember} from './progress.js';
import {emitPrompt, originKind} from './prompts.js';
import {emit, emitMeta, type Row} from './row.js';
import {readCall, readResult} from './tools.js';
import {noteUsage} from './usage.js';

type Reader = (row: Row) => void;

/** A prompt as it was given; as a rule the message of it follows, under the same id or without one. */
const turnPrompt: Reader = row => {
	const {record, context} = row;
	const id = textOf(record['promptId']) ?? row.place;
	const origin = recordOf(record['origin']);
	context.progress.openPrompt = [id, originKind(origin)];
	emitPrompt(row, record['input'], {id, origin});
};

const userMessage = (row: Row, message: Json): void => {
	const {progress} = row.context;
	const origin = recordOf(message['origin']);
	const [openId, openKind] = progress.openPrompt ?? [];
	const isPrompt = openKind === originKind(origin);
	if (isPrompt) delete progress.openPrompt;
	const id = isPrompt ? openId : textOf(message['id']);
	emitPrompt(row, message['content'], {id, origin});
};

const emitReply = (
	row: Row,
	part: Part,
	{id, messageId}: {id: string; messageId: string},
): void => {
	const {progress, batch} = row.context;
	if (part.kind === 'unknown') batch.unknown(`part/${part.type.slice(0, 80)}`);
	if (part.text.trim() === '') return;
	const {model} = progress;
	emit(
		row,
		{id, block: part.place},
		{
			...(part.kind === 'thought' ? {kind: 'reasoning'} : {kind: 'message', role: 'assistant'}),
			text: part.text,
			messageId,
			...(model === undefined ? {} : {model}),
		},
	);
};

const assistantMessage = (row: Row, message: Json): void => {
	const {progress} = row.context;
	delete progress.openPrompt;
	const id = textOf(message['id']) ?? row.place;
	const parts = partsOf(message['content']);
	for (const part of parts) emitReply(row, part, {id, messageId: id});
	for (const [index, value] of listOf(message['toolCalls']).entries()) {
		const call = recordOf(value);
		const nested = recordOf(call['function']);
		const {text, tool} = readCall(progress, {
			name: textOf(call['name']) ?? textOf(nested['name']) ?? '',
			callId: textOf(call['id']),
			args: argumentsOf(call['arguments'] ?? nested['arguments']),
		});
		emit(row, {id, block: parts.length + index}, {kind: 'tool_use', text, tool, messageId: id});
	}
};

const toolMessage = (row: Row, message: Json): void => {
	const result = {output: message['content'], isError: message['isError']};
	const fields = readResult(row.context.progress, textOf(message['toolCallId']), {result});
	emit(row, {id: textOf(message['id'])}, {kind: 'tool_result', ...fields});
};

const MESSAGES: Readonly<Record<string, (row: Row, message: Json) => void>> = {
	assistant: assistantMessage,
	system: () => undefined,
	tool: toolMessage,
	user: userMessage,
};

/** A message as the model is given it. */
export const readMessage = (row: Row, message: Json): void => {
	const role = stringOf(message['role']) ?? 'none';
	const read = entryOf(MESSAGES, role);
	if (read === undefined) row.context.batch.unknown(`role/${role.slice(0, 80)}`);
	else read(row, message);
};

type StepReader = (row: Row, event: Json, step: string) => void;

const STEPS: Readonly<Record<string, StepReader>> = {
	'step.begin': ({context: {progress}}) => {
		delete progress.openPrompt;
	},
	'content.part': (row, event, messageId) => {
		const id = textOf(event['uuid']) ?? row.place;
		for (const part of partsOf(event['part'])) emitReply(row, part, {id, messageId});
	},
	'tool.call': (row, event, messageId) => {
		const {text, tool} = readCall(row.context.progress, {
			name: textOf(event['name']) ?? textOf(event['toolName']) ?? '',
			callId: textOf(event['toolCallId']),
			args: argumentsOf(event['args'] ?? event['input']),
		});
		emit(row, {id: textOf(event['uuid'])}, {kind: 'tool_use', text, tool, messageId});
	},
	'tool.result': (row, event) => {
		const fields = readResult(row.context.progress, textOf(event['toolCallId']), event);
		emit(row, {}, {kind: 'tool_result', ...fields});
	},
	'step.end': (row, event) => noteUsage(row, event['usage'], 'step'),
};

/** Records of a step name it, or (at its borders) are named like it; in a public sample they stand alone. */
const loopEvent: Reader = row => {
	const event = recordOf(row.record['event']);
	const type = stringOf(event['type']) ?? 'none';
	const {progress, batch} = row.context;
	if (type === 'step.begin') progress.step = textOf(event['uuid']) ?? row.place;
	const step = textOf(event['stepUuid']) ?? progress.step ?? row.place;
	const read = entryOf(STEPS, type);
	if (read === undefined) batch.unknown(`event/${type.slice(0, 80)}`);
	else read(row, event, step);
};

/** The last `count` turns are taken back. */
const undo: Reader = ({record, context: {progress}}) => {
	const count = typeof record['count'] === 'number' ? Math.max(0, record['count']) : 1;
	if (count === 0) return;
	const [first] = progress.turns.splice(-count, count);
	if (first !== undefined) progress.cutFrom = first[0];
};

const noteModel: Reader = ({record, context: {progress}}) => {
	const model = textOf(record['model']) ?? textOf(record['modelAlias']);
	if (model !== undefined) progress.model = model;
};

const noteDirectory: Reader = ({record, context: {progress}}) => {
	const cwd = textOf(record['cwd']) ?? textOf(at(record, 'environmentDisclosure', 'cwd'));
	if (cwd !== undefined) progress.cwd = cwd;
	// The name at the provider comes with each request; until then there is only the alias.
	const alias = textOf(record['modelAlias']);
	if (alias !== undefined) progress.model ??= alias;
};

const READERS: Readonly<Record<string, Reader>> = {
	'config.update': noteDirectory,
	'context.append_loop_event': loopEvent,
	'context.append_message': row => readMessage(row, recordOf(row.record['message'])),
	'context.apply_compaction': row => {
		const {summary} = row.record;
		const text = contentText(isRecord(summary) ? summary['content'] : summary);
		if (text !== '') emit(row, {}, {kind: 'summary', text});
	},
	'context.clear': row => emitMeta(row, {}, 'The context was cleared.'),
	'context.undo': undo,
	forked: ({context: {progress}}) => {
		progress.isCopy = true;
	},
	'llm.request': noteModel,
	metadata: ({record, context: {progress}}) => {
		const atMs = timeMs(record['created_at']);
		if (atMs !== undefined) progress.bornAtMs ??= atMs;
	},
	'profile.bind': noteDirectory,
	'subagent.spawned': ({record, context: {progress}}) => {
		const [callId, agentId] = [textOf(record['parentToolCallId']), textOf(record['subagentId'])];
		if (callId !== undefined && agentId !== undefined) {
			remember(progress, 'agents', [callId, agentId]);
		}
	},
	'turn.prompt': turnPrompt,
	'turn.steer': turnPrompt,
	'usage.record': row => noteUsage(row, row.record['usage'], 'record'),
};

/**
 * Records that are known and say nothing of the talk, or say it again: `agent.message.appended` repeats every message (2.1.0).
 * A name ending in a dot stands for all that begin with it.
 */
const SILENT = [
	'agent.',
	'cron.',
	'full_compaction.',
	'goal.',
	'interaction.',
	'llm.tools_snapshot',
	'mcp.',
	'micro_compaction.',
	'permission.',
	'plan_mode.',
	'plugin.',
	'prompt.',
	'runtime.',
	'staleGuard.',
	'subagent.',
	'swarm_mode.',
	'task.',
	'token_counting.',
	'tools.',
	'turn.',
] as const;

const isSilent = (type: string): boolean =>
	SILENT.some(name => (name.endsWith('.') ? type.startsWith(name) : type === name));

export const readWire = (row: Row): void => {
	const {type, context} = row;
	const read = entryOf(READERS, type);
	if (read !== undefined) read(row);
	else if (!isSilent(type)) context.batch.unknown(`type/${oneLine(type, 80)}`);
};
