/** Content of a message in any of the forms that the stores have, as parts of few kinds. */

import {argumentLines, type CallArguments} from '../shared/calls/arguments.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, jsonText, placeholder} from '../shared/content.js';
import {
	at,
	booleanOf,
	entryOf,
	isRecord,
	listOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';

export interface Call {
	readonly name: string;
	readonly callId?: string;
	readonly args: CallArguments;
}

export interface Result {
	readonly name?: string;
	readonly callId?: string;
	readonly text: string;
	/** Absent where the record does not say. */
	readonly isError?: boolean;
}

export type Part =
	| {readonly kind: 'text' | 'reasoning' | 'binary'; readonly text: string}
	| {readonly kind: 'call'; readonly call: Call}
	| {readonly kind: 'result'; readonly result: Result}
	/** Known, and nothing in it to show. */
	| {readonly kind: 'nothing'}
	| {readonly kind: 'unknown'; readonly type: string};

type Block = Record<string, unknown>;

const first = <T>(
	block: Block,
	names: readonly string[],
	read: (value: unknown) => T | undefined,
): T | undefined => names.map(name => read(block[name])).find(value => value !== undefined);

/** Arguments are an object, or the text of one; a patch is a text that is none. */
const argumentsOf = (value: unknown): CallArguments => {
	if (typeof value !== 'string') return recordOf(value);
	return parseRecord(value) ?? (value.trim() === '' ? {} : {input: value});
};

const binary = (kind: 'image' | 'file', block: Block): Part => {
	const data = first(block, ['image', 'data', 'file', 'url'], stringOf) ?? '';
	const isInline = data !== '' && !/^(?:https?|file):/.test(data);
	return {
		kind: 'binary',
		text: placeholder(kind, {
			mediaType:
				first(block, ['mediaType', 'mimeType', 'media_type'], textOf) ??
				/^data:([\w.+/-]+)/.exec(data)?.[1],
			sizeBytes: isInline ? base64Bytes(data) : undefined,
			name: first(block, ['filename', 'name'], textOf),
		}),
	};
};

const callPart = (block: Block): Part => ({
	kind: 'call',
	call: compact({
		name: first(block, ['toolName', 'name'], textOf) ?? '',
		callId: first(block, ['toolCallId', 'id', 'tool_call_id'], textOf),
		args: argumentsOf(block['args'] ?? block['input'] ?? block['arguments']),
	}),
});

/** Text of a result: a text, `{type, value}`, content blocks, or an object of the tool's own. */
const outputText = (output: unknown): string => {
	if (typeof output === 'string') return output;
	if (Array.isArray(output)) return output.map(blockText).join('\n');
	if (!isRecord(output)) return output === undefined || output === null ? '' : jsonText(output);
	if (typeof output['type'] === 'string' && 'value' in output) return outputText(output['value']);
	return argumentLines(output);
};

const blockText = (block: unknown): string => {
	const part = partOf(block);
	if (part.kind === 'text' || part.kind === 'binary') return part.text;
	return isRecord(block) ? argumentLines(block) : outputText(block);
};

const errorOf = (block: Block): boolean | undefined => {
	const type = stringOf(at(block, 'output', 'type'));
	const stated = first(block, ['isError', 'is_error'], booleanOf);
	return stated ?? ((block['error'] ?? false) !== false || type?.startsWith('error') || undefined);
};

const resultPart = (block: Block): Part => {
	const outputs = ['result', 'output', 'content', 'experimental_content', 'error'];
	const output = outputs.map(name => block[name]).find(value => value !== undefined);
	return {
		kind: 'result',
		result: compact({
			name: textOf(block['toolName']),
			callId: first(block, ['toolCallId', 'tool_use_id', 'tool_call_id'], textOf),
			text: outputText(output),
			isError: errorOf(block),
		}),
	};
};

const reasoning = (block: Block): Part => {
	const text = first(block, ['thinking', 'text'], textOf);
	return text === undefined ? {kind: 'nothing'} : {kind: 'reasoning', text};
};

const nothing = (): Part => ({kind: 'nothing'});

const READERS: Readonly<Record<string, (block: Block) => Part>> = {
	command_output: resultPart,
	file: block => binary('file', block),
	image: block => binary('image', block),
	image_url: block => binary('image', {url: at(block, 'image_url', 'url')}),
	reasoning,
	redacted: nothing,
	'redacted-reasoning': nothing,
	text: block => ({kind: 'text', text: stringOf(block['text']) ?? ''}),
	thinking: reasoning,
	tool_call: callPart,
	'tool-call': callPart,
	tool_result: resultPart,
	'tool-result': resultPart,
	tool_use: callPart,
};

const partOf = (block: unknown): Part => {
	if (typeof block === 'string') return {kind: 'text', text: block};
	if (!isRecord(block)) return {kind: 'unknown', type: typeof block};
	const type = stringOf(block['type']) ?? 'none';
	const read = entryOf(READERS, type);
	return read === undefined ? {kind: 'unknown', type: type.slice(0, 80)} : read(block);
};

/** Parts of a message, one for each block of its content; a text counts as one block. */
export const partsOf = (content: unknown): readonly Part[] =>
	typeof content === 'string' ? [{kind: 'text', text: content}] : listOf(content).map(partOf);

/** Calls beside the content, as some models' messages have them. */
export const outsideCalls = (record: Block): readonly Part[] =>
	listOf(record['tool_calls']).map(call =>
		callPart({...recordOf(at(call, 'function')), id: at(call, 'id')}),
	);

/** A message of the role `tool` without result blocks is the result itself. */
export const wholeResult = (record: Block): Part => resultPart(record);
