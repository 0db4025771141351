/** `event_msg` lines: what the screen of Codex was told. They repeat the response items, except for what is read here. */

import {oneLine} from '../shared/content.js';
import {at, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {emit, modelField} from './emit.js';
import {responseItem} from './items.js';
import type {Line, LineHandler, Reading} from './state.js';
import {tokenCount} from './usage.js';

const turnStarted: LineHandler = ({state}, line) => {
	state.trigger = textOf(at(line.payload, 'turn_attribution', 'turn_trigger')) ?? null;
	state.turn = 'open';
};

const turnEnded: LineHandler = ({state}) => {
	state.turn = 'none';
};

/** Drops the last turns of the user: everything since the prompt that began the first of them. */
const rolledBack: LineHandler = (reading, line) => {
	const {state} = reading;
	const turns = Math.max(0, Math.floor(numberOf(line.payload['num_turns']) ?? 0));
	const [first] = turns === 0 ? [] : state.turnStarts.slice(-turns);
	if (first === undefined) return;
	state.turnStarts = state.turnStarts.slice(0, -turns);
	reading.batch.undo(first);
	reading.mustTake = true;
};

const renamed: LineHandler = ({state}, line) => {
	const name = textOf(line.payload['thread_name']);
	state.threadName = name === undefined ? null : oneLine(name);
};

/** An event text in the shape of the response item that it would repeat. */
const asItem =
	(toPayload: (payload: Record<string, unknown>) => Record<string, unknown>): LineHandler =>
	(reading, line) => {
		if (reading.isFallback) responseItem(reading, {...line, payload: toPayload(line.payload)});
	};

const textItem = (text: unknown): readonly unknown[] => [{type: 'text', text}];
const imageItem = (value: unknown): unknown =>
	stringOf(value)?.startsWith('data:') === true
		? {type: 'image', url: value}
		: {type: 'image', path: value};

const userMessage = asItem(payload => ({
	type: 'message',
	role: 'user',
	content: [
		...textItem(payload['message']),
		...listOf(payload['images']).map(imageItem),
		...listOf(payload['local_images']).map(imageItem),
	],
}));

const agentMessage = asItem(payload => ({
	type: 'message',
	role: 'assistant',
	content: textItem(payload['message']),
}));

const agentReasoning = asItem(payload => ({
	type: 'reasoning',
	content: textItem(payload['text']),
}));

const COMPLETED_ITEMS: ReadonlyMap<string, LineHandler> = new Map([
	['UserMessage', asItem(({content}) => ({type: 'message', role: 'user', content}))],
	['AgentMessage', asItem(({content, id}) => ({type: 'message', role: 'assistant', content, id}))],
	['Reasoning', asItem(item => ({type: 'reasoning', content: listOf(item['summary_text'])}))],
]);

const itemCompleted: LineHandler = (reading, line) => {
	const item = recordOf(line.payload['item']);
	COMPLETED_ITEMS.get(stringOf(item['type']) ?? '')?.(reading, {...line, payload: item});
};

const EVENTS: ReadonlyMap<string, LineHandler> = new Map([
	['task_started', turnStarted],
	['turn_started', turnStarted],
	['task_complete', turnEnded],
	['turn_complete', turnEnded],
	['turn_aborted', turnEnded],
	['thread_rolled_back', rolledBack],
	['thread_name_updated', renamed],
	['token_count', tokenCount],
	['user_message', userMessage],
	['agent_message', agentMessage],
	['agent_reasoning', agentReasoning],
	['item_completed', itemCompleted],
]);

/** Known to say nothing that the response items do not. */
const REPEATED: ReadonlySet<string> = new Set([
	'agent_reasoning_raw_content',
	'context_compacted',
	'entered_review_mode',
	'exited_review_mode',
	'error',
	'exec_command_begin',
	'exec_command_end',
	'item_started',
	'mcp_tool_call_begin',
	'mcp_tool_call_end',
	'patch_apply_begin',
	'patch_apply_end',
	'plan_update',
	'sub_agent_activity',
	'thread_goal_updated',
	'thread_settings_applied',
	'undo_completed',
	'view_image_tool_call',
	'web_search_begin',
	'web_search_end',
]);

export const eventMessage: LineHandler = (reading: Reading, line: Line): void => {
	const type = stringOf(line.payload['type']) ?? '';
	const handler = EVENTS.get(type);
	if (handler !== undefined) handler(reading, line);
	else if (!REPEATED.has(type)) reading.batch.unknown(`event_msg/${type}`);
};

/** The history was replaced by a summary; `replacement_history` repeats what was said before and is never read. */
export const compacted: LineHandler = (reading, line) =>
	emit(reading, line, {
		kind: 'summary',
		text: stringOf(line.payload['message']) ?? '',
		...modelField(reading),
	});
