/** Tool calls and their results: the same in both stores but for the case of names. */

import type {ToolFacts} from '../model.js';
import type {Changes} from '../shared/calls/changes.js';
import {editorCall} from '../shared/calls/editor.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, jsonText, placeholder} from '../shared/content.js';
import {
	at,
	entryOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';

const CHANGES: Changes = {fs_read: 'read', read: 'read', fs_write: 'write', write: 'write'};

export interface ToolText {
	readonly text: string;
	readonly tool: ToolFacts;
}

/** Paths of a read of several files. */
const operationPaths = (input: unknown): readonly string[] =>
	listOf(at(input, 'operations')).flatMap(operation => textOf(at(operation, 'path')) ?? []);

export const callOf = (name: string, callId: string | undefined, input: unknown): ToolText => {
	const change = entryOf(CHANGES, name);
	const {text, facts} = editorCall(recordOf(input), change);
	const paths = operationPaths(input);
	const touched =
		change === undefined || paths.length === 0
			? {}
			: {subject: paths[0] ?? '', files: paths.map(path => ({path, change}))};
	return {text, tool: {...facts, ...touched, ...compact({name, callId})}};
};

/** What a command gave: both streams and its end. */
const streams = (value: Record<string, unknown>): string | undefined => {
	const texts = [value['stdout'], value['stderr']].map(stringOf);
	if (texts.every(text => text === undefined)) return undefined;
	return texts.filter(text => text !== undefined && text !== '').join('\n');
};

/** `{kind: 'text', data}` in the new store, `{Text: …}` in the old one; likewise for JSON. */
const itemText = (item: unknown): string => {
	const {kind, data, Text: text, Json: json} = recordOf(item);
	if (typeof text === 'string') return text;
	if (kind === 'text' && typeof data === 'string') return data;
	const value = json ?? data ?? item;
	return (isRecord(value) ? streams(value) : stringOf(value)) ?? jsonText(value);
};

const exitCodeOf = (content: readonly unknown[]): number | undefined => {
	const stated = content
		.map(item => at(item, 'Json', 'exit_status') ?? at(item, 'data', 'exit_status'))
		.find(value => value !== undefined);
	const code = Number(stringOf(stated) ?? numberOf(stated) ?? '-1');
	return Number.isSafeInteger(code) && code >= 0 ? code : undefined;
};

export interface StoredResult {
	readonly callId: string | undefined;
	readonly name: string | undefined;
	readonly content: unknown;
	readonly status: unknown;
}

export const resultOf = ({callId, name, content, status}: StoredResult): ToolText => {
	const items = typeof content === 'string' ? [{kind: 'text', data: content}] : listOf(content);
	const isError = /^(?:error|cancelled)$/i.test(stringOf(status) ?? '') ? true : undefined;
	return {
		text: items.map(itemText).join('\n'),
		tool: compact({name, callId, isError, exitCode: exitCodeOf(items)}),
	};
};

/** Bytes stand as base64 or as a list of numbers. */
export const imageText = (image: unknown): string => {
	const bytes = at(image, 'source', 'bytes');
	const sizeBytes = Array.isArray(bytes)
		? bytes.length
		: typeof bytes === 'string'
			? base64Bytes(bytes)
			: undefined;
	return placeholder('image', {mediaType: textOf(at(image, 'format')), sizeBytes});
};
