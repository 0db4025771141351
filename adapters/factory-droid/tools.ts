/** Calls of tools, and their results. */

import type {AdapterEvent, ToolFacts} from '../model.js';
import type {CallArguments} from '../shared/calls/arguments.js';
import type {Changes} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {entryOf, recordOf, textOf} from '../shared/narrow.js';
import {recall} from '../shared/pairs.js';
import {eventOf} from '../shared/record-events.js';
import {remember} from './progress.js';
import {contentText, type Row} from './row.js';

const CHANGES: Changes = {
	Create: 'create',
	Edit: 'edit',
	MultiEdit: 'edit',
	Read: 'read',
	Write: 'write',
};

/** Arguments that matter, the most telling first. */
const SUBJECTS = [
	'command',
	'file_path',
	'pattern',
	'query',
	'url',
	'description',
	'skill',
	'path',
	'folder',
	'directory_path',
	'prompt',
] as const;

const factsOf = (name: string, args: CallArguments): ToolFacts =>
	callFacts(args, entryOf(CHANGES, name), SUBJECTS);

export interface Call {
	readonly callId: string | undefined;
	readonly name: string;
	readonly args: CallArguments;
	/** Model message that asks for it. */
	readonly messageId: string | undefined;
	readonly model: string | undefined;
}

export const callEvent = (row: Row, block: number, call: Call): AdapterEvent => {
	const {callId, name, args, messageId, model} = call;
	if (callId !== undefined) remember(row.context.progress, 'calls', [callId, name]);
	return eventOf(
		row,
		{block, text: callText(args)},
		compact({
			kind: 'tool_use' as const,
			messageId,
			model,
			tool: compact({name, callId, ...factsOf(name, args)}),
		}),
	);
};

/** Of several results of one call (it was tried again) the last one counts, in the place of the first. */
export const resultEvent = (
	row: Row,
	block: number,
	result: Record<string, unknown>,
): AdapterEvent => {
	const {progress} = row.context;
	const callId = textOf(result['tool_use_id']) ?? textOf(result['toolUseId']);
	const isError = result['is_error'] === true || result['isError'] === true;
	const known = callId === undefined ? undefined : recall(progress.calls, callId);
	const event = eventOf(
		row,
		{block, text: contentText(result['content'])},
		{
			kind: 'tool_result',
			tool: compact({
				name: known ?? textOf(result['name']),
				callId,
				isError: isError || undefined,
			}),
		},
	);
	if (callId === undefined) return event;
	const key = recall(progress.results, callId);
	if (key !== undefined) return {...event, key};
	remember(progress, 'results', [callId, event.key]);
	return event;
};

/** Records of saved output: `tool_call`, `tool_result`. */
export const savedCall = (row: Row): readonly AdapterEvent[] => {
	const {record} = row;
	const callId = textOf(record['toolCallId']) ?? textOf(record['id']);
	const name = textOf(record['toolName']) ?? 'unknown';
	const args = recordOf(record['parameters']);
	const messageId = textOf(record['messageId']);
	return [callEvent(row, 0, {callId, name, args, messageId, model: undefined})];
};

export const savedResult = (row: Row): readonly AdapterEvent[] => {
	const {record, locator} = row;
	const callId = textOf(record['toolCallId']) ?? textOf(record['id']);
	const {value} = record;
	const content = typeof value === 'string' || Array.isArray(value) ? value : jsonText(value);
	const result = {...record, tool_use_id: callId, name: record['toolName'], content};
	// Call and result may share their id.
	const id = `${callId ?? ('offset' in locator ? locator.offset : 0)}.result`;
	return [resultEvent({...row, id}, 0, result)];
};
