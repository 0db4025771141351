/** Lines of `updates.jsonl` by their kind. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import {compact} from '../shared/compact.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {closeRun, replyChunk, thoughtChunk, userChunk} from './runs.js';
import type {Line, Reading, State} from './state.js';
import {toolCall, toolCallUpdate} from './tools.js';
import {turnUsage} from './usage.js';

type Handler = (reading: Reading, line: Line) => void;

const emit = (
	{batch}: Reading,
	{key, atMs, locator}: Line,
	event: Pick<AdapterEvent, 'kind' | 'text' | 'tool'>,
): void => {
	if (event.text.trim() !== '') batch.event({...compact({key, atMs, locator}), ...event});
};

const say =
	(kind: 'meta' | 'summary', textFrom: (update: Record<string, unknown>) => string): Handler =>
	(reading, line) =>
		emit(reading, line, {kind, text: textFrom(line.update)});

/** The texts of some fields, those that are there. */
const fields = (update: Record<string, unknown>, ...names: readonly string[]): string =>
	names
		.map(name => textOf(update[name]) ?? '')
		.filter(text => text !== '')
		.join(': ');

const planText = (update: Record<string, unknown>): string =>
	listOf(update['entries'])
		.map(entry => `[${stringOf(at(entry, 'status')) ?? ' '}] ${stringOf(at(entry, 'content'))}`)
		.join('\n');

const compactedText = (update: Record<string, unknown>): string => {
	const [before, after] = [numberOf(update['tokens_before']), numberOf(update['tokens_after'])];
	const counts =
		before === undefined || after === undefined ? '' : ` (${before} → ${after} tokens)`;
	return textOf(update['summary_preview']) ?? `Context compacted${counts}`;
};

const subagent =
	(verb: string): Handler =>
	(reading, line) => {
		const {update} = line;
		const about = fields(update, 'subagent_type', 'description', 'status', 'output');
		const agentId = textOf(update['child_session_id']);
		const tool = agentId === undefined ? {} : {tool: {agentId}};
		emit(reading, line, {kind: 'meta', text: `Sub-agent ${verb}: ${about}`, ...tool});
	};

/** Everything from the start of a prompt on is taken back; a number that is out of range keeps all. */
const rewind: Handler = (reading, {update}) => {
	const {state, batch} = reading;
	const index = numberOf(update['target_prompt_index']);
	const from = index === undefined ? undefined : state.promptStarts[index];
	if (index === undefined || from === undefined) return;
	batch.undo(from);
	state.promptStarts = state.promptStarts.slice(0, index);
	state.calls = [];
	reading.mustTake = true;
};

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
	['user_message_chunk', userChunk],
	['agent_message_chunk', replyChunk],
	['agent_thought_chunk', thoughtChunk],
	['tool_call', toolCall],
	['tool_call_update', toolCallUpdate],
	['plan', say('meta', planText)],
	['compaction_checkpoint', say('summary', () => 'Context compacted')],
	['auto_compact_completed', say('summary', compactedText)],
	['session_recap', say('summary', update => fields(update, 'summary'))],
	['subagent_spawned', subagent('started')],
	['subagent_finished', subagent('ended')],
	['task_backgrounded', say('meta', update => fields(update, 'description', 'command'))],
	['task_completed', say('meta', update => fields(update, 'description', 'command', 'status'))],
	['hook_execution', say('meta', update => fields(update, 'hook_name', 'name', 'output'))],
	['turn_completed', turnUsage],
	['rewind_marker', rewind],
	[
		'model_changed',
		({state}, {update}) => {
			state.model = textOf(update['model_id']) ?? state.model;
		},
	],
	[
		'session_summary_generated',
		({state}, {update}) => {
			state.summary = textOf(update['session_summary']) ?? state.summary;
		},
	],
]);

/** State of the terminal; nothing of the talk. */
const IGNORED: ReadonlySet<string> = new Set([
	'available_commands_update',
	'current_mode_update',
	'last_turn_summary',
]);

/** Chunks that go on with a message; everything else ends it. */
const CHUNKS = /_chunk$/;

/**
 * The event id ends in a number that counts the session's events. A number that is not higher than those before is used again (a
 * process that counts anew): the line makes it unique.
 */
const keyOf = (state: State, id: string | undefined, number: number): string => {
	if (id === undefined) return `L${number}`;
	const [, prefix, digits] = /^(.*-)?(\d{1,15})$/.exec(id) ?? [];
	if (digits === undefined) return `${eventKey(id)}~L${number}`;
	const last = state.counters[prefix ?? ''] ?? -1;
	if (Number(digits) <= last) return `${eventKey(id)}~L${number}`;
	state.counters = {...state.counters, [prefix ?? '']: Number(digits)};
	return eventKey(id);
};

export interface Place {
	readonly number: number;
	readonly locator: Locator;
}

/** `{"method", "params"}`; old lines are the bare `params`. */
export const handleRecord = (
	reading: Reading,
	record: Record<string, unknown>,
	{number, locator}: Place,
): void => {
	const {state, batch} = reading;
	const params = isRecord(record['params']) ? record['params'] : record;
	const update = params['update'];
	if (!isRecord(update)) {
		batch.unknown(textOf(record['method'])?.slice(0, 80) ?? 'none');
		return;
	}
	const kind = stringOf(update['sessionUpdate']) ?? 'none';
	const about = recordOf(params['_meta']);
	const key = keyOf(state, textOf(about['eventId']), number);
	const atMs = timeMs(about['agentTimestampMs']) ?? timeMs(record['timestamp']);
	state.bornAtMs ??= atMs ?? null;
	if (!CHUNKS.test(kind)) closeRun(reading);
	const handler = HANDLERS.get(kind);
	if (handler !== undefined) {
		const meta = recordOf(update['_meta']);
		handler(reading, compact({update, meta, key, atMs, locator}));
	} else if (!IGNORED.has(kind)) batch.unknown(kind.slice(0, 80));
};
