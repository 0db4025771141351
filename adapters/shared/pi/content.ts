/** Content of messages: a text, or blocks. */

import {base64Bytes, jsonText, placeholder} from '../content.js';
import {listOf, recordOf, stringOf} from '../narrow.js';
import type {Json} from './entry.js';

export interface Block {
	readonly block: Json;
	readonly type: string;
	/** In the record, shown or not. */
	readonly place: number;
}

export const blocksOf = (content: unknown): readonly Block[] => {
	const blocks = typeof content === 'string' ? [{type: 'text', text: content}] : listOf(content);
	return blocks.map((value, place) => {
		const block = typeof value === 'string' ? {type: 'text', text: value} : recordOf(value);
		return {block, type: stringOf(block['type']) ?? 'none', place};
	});
};

/** oh-my-pi moves pictures out of the log and leaves their hash: `blob:sha256:…`. */
const imageText = (block: Json): string => {
	const data = stringOf(block['data']);
	const isHere = data !== undefined && !data.startsWith('blob:');
	return placeholder('image', {
		mediaType: stringOf(block['mimeType']),
		sizeBytes: isHere ? base64Bytes(data) : undefined,
	});
};

/** Readable form of a block that is text or stands for something in a text; undefined for all others. */
export const blockText = ({block, type}: Block): string | undefined => {
	if (type === 'text') return stringOf(block['text']) ?? '';
	return type === 'image' ? imageText(block) : undefined;
};

/** All of a content as one text; blocks of an unknown kind as they are. */
export const contentText = (content: unknown): string =>
	blocksOf(content)
		.map(block => blockText(block) ?? jsonText(block.block))
		.filter(text => text.trim() !== '')
		.join('\n');
