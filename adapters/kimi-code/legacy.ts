/** Logs of the first generation: `wire.jsonl` with times, and `context.jsonl` with what the model was given. */

import {entryOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {argumentsOf, contentText, type Json, type Part, partsOf} from './content.js';
import {remember} from './progress.js';
import {emitPrompt} from './prompts.js';
import {emit, emitMeta, type Fields, type Row} from './row.js';
import {readCall, readResult} from './tools.js';
import {noteUsage} from './usage.js';
import {readMessage} from './wire.js';

type Reader = (row: Row, payload: Json) => void;

/** A step begins by its own record, else with what comes after a result. */
const stepOf = ({context: {progress}, place}: Row): string => {
	progress.step ??= place;
	return progress.step;
};

const reply = (row: Row, part: Part | undefined): void => {
	if (part === undefined || part.text.trim() === '') return;
	const kind: Pick<Fields, 'kind' | 'role'> =
		part.kind === 'thought' ? {kind: 'reasoning'} : {kind: 'message', role: 'assistant'};
	const messageId = stepOf(row);
	emit(row, {}, {...kind, text: part.text, messageId});
};

const contentPart: Reader = (row, payload) => reply(row, partsOf(payload)[0]);

const turn: Reader = (row, payload) => {
	delete row.context.progress.step;
	emitPrompt(row, payload['user_input'], {id: undefined, origin: {}});
};

/** Arguments may come in pieces after the call: each time the call is given again, with what there is by now. */
const emitCall = (row: Row): void => {
	const {progress} = row.context;
	const {openCall} = progress;
	if (openCall === undefined) return;
	const {key, callId, name, text: args} = openCall;
	const {text, tool} = readCall(progress, {name, callId, args: argumentsOf(args)});
	const messageId = stepOf(row);
	emit(row, {id: key}, {kind: 'tool_use', text, tool, messageId});
};

/** As much of a call's arguments as is put together. */
const ARGUMENT_CHARS = 262_144;

const READERS: Readonly<Record<string, Reader>> = {
	CompactionEnd: row => emit(row, {}, {kind: 'summary', text: 'The context was compacted.'}),
	AudioURLPart: contentPart,
	ImageURLPart: contentPart,
	StatusUpdate: (row, payload) => noteUsage(row, payload['token_usage'], 'status'),
	SteerInput: turn,
	StepBegin: ({context: {progress}, place}) => {
		progress.step = place;
	},
	SubagentEvent: ({context: {progress}}, payload) => {
		const [callId, agentId] = [textOf(payload['parent_tool_call_id']), textOf(payload['agent_id'])];
		if (callId === undefined || agentId === undefined) return;
		if (!progress.agents.some(([known]) => known === callId)) {
			remember(progress, 'agents', [callId, agentId]);
		}
	},
	TextPart: contentPart,
	ThinkPart: contentPart,
	ToolCall: (row, payload) => {
		const {name, arguments: args} = recordOf(payload['function']);
		row.context.progress.openCall = {
			key: row.place,
			callId: stringOf(payload['id']) ?? row.place,
			name: stringOf(name) ?? '',
			text: stringOf(args) ?? '',
		};
		emitCall(row);
	},
	ToolCallPart: (row, payload) => {
		const {openCall} = row.context.progress;
		if (openCall === undefined || openCall.text.length > ARGUMENT_CHARS) return;
		openCall.text += stringOf(payload['arguments_part']) ?? '';
		emitCall(row);
	},
	ToolResult: (row, payload) => {
		delete row.context.progress.step;
		const callId = textOf(payload['tool_call_id']);
		const fields = readResult(row.context.progress, callId, {result: payload['return_value']});
		emit(row, {}, {kind: 'tool_result', ...fields});
	},
	TurnBegin: turn,
	VideoURLPart: contentPart,
};

/** Types that say nothing of the talk. */
const SILENT =
	/^(?:TurnEnd|StepInterrupted|CompactionBegin|Approval\w*|Notification|Hook\w*|MCP\w*|PlanDisplay|Btw\w*|Question\w*|StepRetry)$/;

export const readLegacyWire = (row: Row): void => {
	if (row.type === 'metadata') return;
	const {type, payload} = recordOf(row.record['message']);
	const name = stringOf(type) ?? 'none';
	const read = entryOf(READERS, name);
	if (read !== undefined) read(row, recordOf(payload));
	else if (!SILENT.test(name)) row.context.batch.unknown(`type/${name.slice(0, 80)}`);
};

/** Texts that the agent puts among the user's messages. */
const INJECTED = /^\s*<system(?:-reminder)?>/;

/** Roles with a leading underscore are marks of the program. */
export const readContext = (row: Row): void => {
	const {record} = row;
	const role = stringOf(record['role']) ?? 'none';
	if (role.startsWith('_')) return;
	const text = contentText(record['content']);
	if (role === 'user' && INJECTED.test(text)) emitMeta(row, {}, text);
	else {
		const {content, tool_calls: toolCalls, tool_call_id: toolCallId} = record;
		readMessage(row, {role, content, toolCalls, toolCallId});
	}
};
