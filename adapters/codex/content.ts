/** Content items of messages and tool outputs as text. */

import {basename} from 'node:path';
import {base64Bytes, placeholder} from '../shared/content.js';
import {at, isRecord, stringOf, textOf} from '../shared/narrow.js';

/** Around an image, Codex puts its name as two text items: `<image name=[Image #1] path="…">` and `</image>` (0.171.0). */
const IMAGE_WRAPPER = /^\s*(?:<image\b[^>]*>|<\/image>)\s*$/;

/** `data:image/png;base64,…` says type and size; of other addresses only the name of a local file is worth showing. */
const dataPlaceholder = (kind: 'image' | 'audio', url: unknown, path?: unknown): string => {
	const text = stringOf(url) ?? '';
	const mediaType = /^data:([\w.+-]+\/[\w.+-]+)/.exec(text)?.[1];
	const sizeBytes = mediaType === undefined ? 0 : base64Bytes(text);
	const name = textOf(path);
	return placeholder(kind, {
		...(mediaType === undefined ? {} : {mediaType}),
		// Nothing behind the head: the line was too long and only its beginning was loaded.
		...(sizeBytes > 0 ? {sizeBytes} : {}),
		...(name === undefined ? {} : {name: basename(name)}),
	});
};

/** Lists of what the agent could use. Codex puts them between the messages; they are no part of the talk. */
const TOOL_LIST =
	/^\s*<(?:skills_instructions|apps_instructions|plugins_instructions|recommended_plugins)>/;

export const isToolList = (text: string): boolean => TOOL_LIST.test(text.slice(0, 1000));

type ItemReader = (item: Record<string, unknown>) => string | undefined;

const plainText: ItemReader = item => stringOf(item['text']);
const image: ItemReader = item => {
	const url = item['image_url'] ?? item['url'];
	return dataPlaceholder('image', isRecord(url) ? url['url'] : url, item['path']);
};

/** `text` and `Text`, `image` and `local_image` are those of `event_msg` items. */
const ITEM_READERS: ReadonlyMap<string, ItemReader> = new Map([
	['input_text', plainText],
	['output_text', plainText],
	['text', plainText],
	['Text', plainText],
	['summary_text', plainText],
	['reasoning_text', plainText],
	['refusal', item => stringOf(item['refusal'])],
	['input_image', image],
	['image', image],
	['local_image', image],
	[
		'input_audio',
		item => dataPlaceholder('audio', item['audio_url'] ?? at(item, 'input_audio', 'data')),
	],
]);

/** The text of one item; undefined for items without any (wrappers, encrypted or unknown content). */
export const itemText = (item: unknown): string | undefined => {
	if (typeof item === 'string') return item;
	if (!isRecord(item)) return undefined;
	const text = ITEM_READERS.get(stringOf(item['type']) ?? '')?.(item);
	return text === undefined || IMAGE_WRAPPER.test(text.slice(0, 4096)) ? undefined : text;
};

export const joinItems = (items: readonly unknown[], separator = '\n'): string =>
	items
		.map(itemText)
		.filter(text => text !== undefined && text !== '')
		.join(separator);
