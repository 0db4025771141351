/** Response items: the talk itself, as it went to and came from the model. */

import {oneLine} from '../shared/content.js';
import {listOf, stringOf, textOf} from '../shared/narrow.js';
import {isToolList, itemText, joinItems} from './content.js';
import {emit, modelField} from './emit.js';
import {emitUserMessage} from './prompts.js';
import type {Line, LineHandler, Reading} from './state.js';
import {TOOL_ITEMS} from './tools.js';

const emitReply = (reading: Reading, line: Line): void => {
	// A compaction writes its summary as a message too, right before the `compacted` line (0.171.0).
	if (line.metadata['compaction_output'] === true) return;
	const text = joinItems(listOf(line.payload['content']));
	if (text === '') return;
	const messageId = textOf(line.payload['id']) ?? line.key;
	const model = modelField(reading);
	emit(reading, line, {kind: 'message', role: 'assistant', text, messageId, ...model});
};

const emitMeta: LineHandler = (reading, line) => {
	const texts = listOf(line.payload['content']).map(itemText);
	const text = texts.filter(part => part !== undefined && !isToolList(part)).join('\n\n');
	if (text !== '') emit(reading, line, {kind: 'meta', text});
};

const ROLES: ReadonlyMap<string, LineHandler> = new Map([
	['user', emitUserMessage],
	['assistant', emitReply],
	['developer', emitMeta],
	['system', emitMeta],
]);

const message: LineHandler = (reading, line) => {
	const role = stringOf(line.payload['role']) ?? '';
	const handler = ROLES.get(role);
	if (handler === undefined) reading.batch.unknown(`message/${role}`);
	else handler(reading, line);
};

/** Only what is readable: the thoughts themselves are encrypted as a rule. */
const reasoning: LineHandler = (reading, line) => {
	const parts = [...listOf(line.payload['summary']), ...listOf(line.payload['content'])];
	const text = joinItems(parts, '\n\n');
	if (text !== '') emit(reading, line, {kind: 'reasoning', text, ...modelField(reading)});
};

/** Agents among themselves. In the file of a sub-agent the first one is its task. */
const agentMessage: LineHandler = (reading, line) => {
	const text = joinItems(listOf(line.payload['content']));
	if (text === '') return;
	if (reading.state.header?.facts.isSubagent === true) reading.state.task ??= oneLine(text);
	emit(reading, line, {kind: 'meta', text});
};

const ignore: LineHandler = () => undefined;

/** By `payload.type`. The ignored ones hold encrypted texts, tool lists and settings. */
const ITEMS: ReadonlyMap<string, LineHandler> = new Map([
	['message', message],
	['reasoning', reasoning],
	['agent_message', agentMessage],
	...TOOL_ITEMS,
	...['compaction', 'compaction_summary', 'context_compaction', 'compaction_trigger'].map(
		type => [type, ignore] as const,
	),
	...['additional_tools', 'configuration_update', 'ghost_snapshot', 'other'].map(
		type => [type, ignore] as const,
	),
]);

export const isItemType = (type: string): boolean => ITEMS.has(type);

export const responseItem: LineHandler = (reading, line) => {
	const type = stringOf(line.payload['type']) ?? '';
	const handler = ITEMS.get(type);
	if (handler === undefined) reading.batch.unknown(`response_item/${type}`);
	else handler(reading, line);
};
