/** Tool calls that no message asked for, and results. */

import type {AdapterEvent} from '../../model.js';
import {compact} from '../compact.js';
import {base64Bytes, placeholder} from '../content.js';
import {at, listOf, numberOf, recordOf, stringOf, textOf} from '../narrow.js';
import {recall} from '../pairs.js';
import {eventOf} from '../record-events.js';
import {exitCodeIn} from './calls.js';
import {closeCall} from './progress.js';
import type {Row} from './row.js';
import {callEvent} from './talk.js';

const toolName = (data: Record<string, unknown>): string => {
	const [server, tool] = [textOf(data['mcpServerName']), textOf(data['mcpToolName'])];
	const own = textOf(data['toolName']);
	return own ?? (server !== undefined && tool !== undefined ? `${server}-${tool}` : 'unknown');
};

/** Calls of messages are started, too: those are known, and open. */
export const startEvents = (row: Row): readonly AdapterEvent[] => {
	const {data, context} = row;
	const callId = textOf(data['toolCallId']);
	if (callId !== undefined && context.progress.open.includes(callId)) return [];
	return [callEvent(row, 0, {callId, name: toolName(data), args: data['arguments']})];
};

const binaryText = (value: unknown): string => {
	const {type, mimeType, data} = recordOf(value);
	const mediaType = textOf(mimeType);
	const content = stringOf(data);
	const isImage = type === 'image' || (mediaType?.startsWith('image/') ?? false);
	const sizeBytes = content === undefined ? undefined : base64Bytes(content);
	return placeholder(isImage ? 'image' : 'file', {mediaType, sizeBytes});
};

const outputOf = ({data}: Row): string => {
	const result = recordOf(data['result']);
	const contents = listOf(result['contents']).flatMap(part => textOf(at(part, 'text')) ?? []);
	const text =
		textOf(result['content']) ??
		(contents.length > 0 ? contents.join('\n') : textOf(result['detailedContent'])) ??
		textOf(data['result']) ??
		textOf(at(data, 'error', 'message')) ??
		textOf(data['error']) ??
		'';
	const binaries = listOf(result['binaryResultsForLlm']).map(binaryText);
	return [text, ...binaries].filter(part => part !== '').join('\n');
};

export const resultEvents = (row: Row): readonly AdapterEvent[] => {
	const {data, context} = row;
	const {progress} = context;
	const callId = textOf(data['toolCallId']);
	if (callId !== undefined) closeCall(progress, callId);
	const text = outputOf(row);
	const exitCode = numberOf(at(data, 'shellExecution', 'exitCode')) ?? exitCodeIn(text);
	const hasFailed = data['success'] === false || (exitCode ?? 0) !== 0;
	return [
		eventOf(
			row,
			{text},
			{
				kind: 'tool_result',
				tool: compact({
					name: callId === undefined ? undefined : recall(progress.calls, callId),
					callId,
					isError: hasFailed || undefined,
					exitCode,
					agentId: callId === undefined ? undefined : recall(progress.started, callId),
				}),
			},
		),
	];
};

/** A pasted image, or a resource: never its bytes. */
export const assetText = (data: Record<string, unknown>): string => {
	const sizeBytes = numberOf(data['byteLength']);
	const facts = {mediaType: textOf(data['mimeType']), sizeBytes};
	return placeholder(data['type'] === 'image' ? 'image' : 'file', facts);
};
