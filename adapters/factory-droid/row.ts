/** One record of a transcript on its way to events. */

import type {BatchBuilder} from '../shared/batch.js';
import {base64Bytes, placeholder} from '../shared/content.js';
import type {JsonRecord} from '../shared/jsonl.js';
import {listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import type {RecordPlace} from '../shared/record-events.js';
import {timeMs} from '../shared/time.js';
import type {Progress} from './progress.js';

/** What stays the same for all records of one read. */
export interface Context {
	readonly progress: Progress;
	readonly batch: BatchBuilder;
}

export interface Block {
	readonly type: string;
	/** Place in the record's content, shown or not. */
	readonly place: number;
	readonly block: Record<string, unknown>;
}

export interface Row extends RecordPlace {
	readonly record: Record<string, unknown>;
	/** `message`, or the record itself where its fields stand on the top. */
	readonly message: Record<string, unknown>;
	readonly blocks: readonly Block[];
	readonly context: Context;
}

/** A string counts as one text block. */
const blocksOf = (content: unknown): readonly Block[] => {
	const items: readonly unknown[] = typeof content === 'string' ? [content] : listOf(content);
	return items.map((item, place) => {
		const block = typeof item === 'string' ? {type: 'text', text: item} : recordOf(item);
		return {type: textOf(block['type']) ?? 'none', place, block};
	});
};

export const rowOf = ({record, number, offset, length}: JsonRecord, context: Context): Row => {
	const message = record['message'] === undefined ? record : recordOf(record['message']);
	return {
		record,
		message,
		blocks: blocksOf(message['content'] ?? message['text']),
		id: textOf(record['id']) ?? `L${number}`,
		atMs: timeMs(record['timestamp']),
		locator: {offset, length},
		context,
	};
};

const binaryText = (type: 'image' | 'document', block: Record<string, unknown>): string => {
	const source = recordOf(block['source']);
	const data = stringOf(source['data']);
	const isBase64 = source['type'] === 'base64' && data !== undefined;
	const parsed = textOf(source['parsed_data']) ?? textOf(source['parsedData']);
	const label = placeholder(type, {
		mediaType: textOf(source['media_type']) ?? textOf(source['mediaType']),
		sizeBytes: isBase64 ? base64Bytes(data) : undefined,
		name: textOf(source['name']) ?? textOf(source['path']) ?? textOf(source['url']),
	});
	return parsed === undefined ? label : `${label}\n${parsed}`;
};

/** What can be read of a block that is no call, result or reasoning. */
export const blockText = ({type, block}: Block): string | undefined => {
	if (type === 'text') return stringOf(block['text']);
	return type === 'image' || type === 'document' ? binaryText(type, block) : undefined;
};

/** Texts of a tool result: a string, or blocks. */
export const contentText = (content: unknown): string =>
	blocksOf(content)
		.flatMap(block => blockText(block) ?? [])
		.join('\n');
