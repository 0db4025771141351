/** `ui_messages.json`: what the chat panel showed. Times and costs for the messages, and all there is when those are missing. */

import type {AdapterEvent, ToolFacts, Usage} from '../../model.js';
import {eventKey} from '../../model.js';
import {compact} from '../compact.js';
import {capText} from '../content.js';
import {at, isRecord, listOf, numberOf, stringOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';

type Json = Readonly<Record<string, unknown>>;

const jsonOf = (text: unknown): unknown => {
	try {
		return JSON.parse(stringOf(text) ?? '');
	} catch {
		return undefined; // older rows hold plain text
	}
};

/** Rows that were shown whole; a row that is still being written is marked `partial`. */
const wholeRows = (document: unknown): readonly (readonly [index: number, row: Json])[] =>
	[...listOf(document).entries()].flatMap(([index, row]) =>
		isRecord(row) && row['partial'] !== true ? [[index, row] as const] : [],
	);

/** Time of each message: a row names the last message that was there when it was shown. */
export const timesOf = (document: unknown): ReadonlyMap<number, number> => {
	const times = new Map<number, number>();
	for (const [, row] of wholeRows(document)) {
		const before = numberOf(row['conversationHistoryIndex']);
		const atMs = timeMs(row['ts']);
		if (before === undefined || atMs === undefined || times.has(before + 1)) continue;
		times.set(before + 1, atMs);
	}
	return times;
};

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) && stated > 0 ? stated : 0;
};

/** Usage of each request, those that were deleted included. */
export const usageOf = (document: unknown): readonly Usage[] =>
	wholeRows(document).flatMap(([index, row]) => {
		if (row['say'] !== 'api_req_started' && row['say'] !== 'deleted_api_reqs') return [];
		const stated = jsonOf(row['text']);
		if (numberOf(at(stated, 'tokensIn')) === undefined) return [];
		return [
			compact({
				key: `u${index}`,
				input: count(at(stated, 'tokensIn')),
				output: count(at(stated, 'tokensOut')),
				cacheRead: count(at(stated, 'cacheReads')),
				cacheWrite: count(at(stated, 'cacheWrites')),
				costUsd: numberOf(at(stated, 'cost')),
				atMs: timeMs(row['ts']),
			}),
		];
	});

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;
type Shown = (text: string) => Form | undefined;

const message =
	(role: 'user' | 'assistant'): Shown =>
	text => ({kind: 'message', role, text});
const plain =
	(kind: AdapterEvent['kind'], tool?: ToolFacts): Shown =>
	text =>
		tool === undefined ? {kind, text} : {kind, text, tool};
const nothing: Shown = () => undefined;

const toolCall: Shown = text => {
	const call = jsonOf(text);
	const path = textOf(at(call, 'path'));
	return {
		kind: 'tool_use',
		text,
		tool: compact({name: textOf(at(call, 'tool')) ?? 'tool', subject: path}),
	};
};

const question: Shown = text => ({
	kind: 'message',
	role: 'assistant',
	text: stringOf(at(jsonOf(text), 'question')) ?? stringOf(at(jsonOf(text), 'response')) ?? text,
});

const summary: Shown = text => (text === '' ? undefined : {kind: 'summary', text});

/** What rows of each kind are. */
const ROWS: Readonly<Record<string, Shown>> = {
	task: message('user'),
	user_feedback: message('user'),
	text: message('assistant'),
	completion_result: message('assistant'),
	followup: question,
	plan_mode_respond: question,
	reasoning: plain('reasoning'),
	tool: toolCall,
	use_mcp_server: toolCall,
	browser_action_launch: toolCall,
	command: text => ({kind: 'tool_use', text, tool: {name: 'execute_command', subject: text}}),
	command_output: plain('tool_result', {name: 'execute_command'}),
	mcp_server_response: plain('tool_result', {name: 'use_mcp_server'}),
	browser_action_result: plain('tool_result', {name: 'browser_action'}),
	codebase_search_result: plain('tool_result', {name: 'codebase_search'}),
	subtask_result: plain('tool_result', {name: 'new_task'}),
	condense_context: summary,
	error: plain('meta'),
	user_feedback_diff: plain('meta'),
	sliding_window_truncation: plain('meta'),
	// Progress, prompts for approval and costs.
	api_req_started: nothing,
	api_req_finished: nothing,
	api_req_retried: nothing,
	api_req_retry_delayed: nothing,
	api_req_deleted: nothing,
	api_req_failed: nothing,
	deleted_api_reqs: nothing,
	mcp_server_request_started: nothing,
	browser_action: nothing,
	shell_integration_warning: nothing,
	checkpoint_created: nothing,
	checkpoint_saved: nothing,
	resume_task: nothing,
	resume_completed_task: nothing,
	mistake_limit_reached: nothing,
	auto_approval_max_req_reached: nothing,
	task_progress: nothing,
	user_edit_todos: nothing,
};

/** The first text of a task is the task itself. */
const formOf = (row: Json, isFirst: boolean, report: (kind: string) => void): Form | undefined => {
	const kind = stringOf(row['say']) ?? stringOf(row['ask']) ?? 'none';
	const shown = isFirst && kind === 'text' ? ROWS['task'] : ROWS[kind];
	if (shown === undefined || !Object.hasOwn(ROWS, kind)) {
		report(`ui/${kind.slice(0, 80)}`);
		return undefined;
	}
	const condensed = stringOf(at(row, 'contextCondense', 'summary'));
	return shown(condensed ?? stringOf(row['text']) ?? '');
};

/** The rows as events, for a task without messages. */
export const rowEvents = (
	document: unknown,
	path: string,
	report: (kind: string) => void,
): readonly AdapterEvent[] => {
	const rows = wholeRows(document);
	const first = rows[0]?.[0];
	return rows.flatMap(([index, row]) => {
		const form = formOf(row, index === first, report);
		const reasoning = textOf(row['reasoning']);
		const shared = {locator: {path, pointer: `/${index}`}, ...compact({atMs: timeMs(row['ts'])})};
		const key = eventKey(`ui${index}`);
		const thought: readonly AdapterEvent[] =
			reasoning === undefined
				? []
				: [{kind: 'reasoning', key: `${key}.reasoning`, ...shared, ...capText(reasoning)}];
		if (form === undefined || form.text.trim() === '') return thought;
		return [...thought, {...form, ...capText(form.text), key, ...shared}];
	});
};
