/** Content blocks as readable text. */

import {base64Bytes, placeholder} from '../shared/content.js';
import {at, entryOf, isRecord, stringOf, textOf} from '../shared/narrow.js';
import type {Block} from './row.js';

const binary = (kind: 'image' | 'document', block: Record<string, unknown>): string => {
	const data = stringOf(at(block, 'source', 'data'));
	return placeholder(kind, {
		mediaType: textOf(at(block, 'source', 'media_type')),
		sizeBytes: data === undefined ? undefined : base64Bytes(data),
		name: textOf(block['title']),
	});
};

type Reader = (block: Record<string, unknown>) => string | undefined;

const READERS: Readonly<Record<string, Reader>> = {
	text: block => stringOf(block['text']),
	image: block => binary('image', block),
	document: block => binary('document', block),
	tool_reference: block => stringOf(block['tool_name']),
	web_search_result: block =>
		`${stringOf(block['title']) ?? ''} ${stringOf(block['url']) ?? ''}`.trim(),
	resource_link: block => stringOf(block['uri']),
};

/** Text of a block, or undefined for a kind that holds none. */
export const partText = ({type, block}: Block): string | undefined =>
	entryOf(READERS, type)?.(block);

export const isPart = ({type}: Block): boolean => Object.hasOwn(READERS, type);

const DEPTH = 8;

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

const listItem = (text: string): string => `- ${text.replaceAll('\n', '\n  ')}`;

const fieldText = (name: string, value: unknown, depth: number): string => {
	const text = readable(value, depth + 1);
	if (isRecord(value) || Array.isArray(value)) return `${name}:\n${indented(text)}`;
	return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
};

/** Any JSON value as lines of `key: value`; strings stay as they are. */
export const readable = (value: unknown, depth = 0): string => {
	if (typeof value === 'string') return value;
	if (depth > DEPTH) return '…';
	if (Array.isArray(value)) {
		return value.map((item: unknown) => listItem(readable(item, depth + 1))).join('\n');
	}
	if (!isRecord(value)) return String(value);
	return Object.entries(value)
		.map(([name, field]) => fieldText(name, field, depth))
		.join('\n');
};
