/** Content of messages: a text, or parts. Both generations of the agent write the same ones. */

import {base64Bytes, type PlaceholderKind, placeholder} from '../shared/content.js';
import {entryOf, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';

export type Json = Record<string, unknown>;

/** Large media lie in files of their own: `blobref:<type>;<hash>`. */
const MEDIA_TYPE = /^(?:data|blobref):([\w.+-]+\/[\w.+-]+)/;

const mediaText =
	(kind: PlaceholderKind, field: string) =>
	(part: Json): string => {
		// `image_url` in legacy stores, `imageUrl` in new ones; an object, or the URL itself.
		const camel = field.replace(/_u/, 'U');
		const value = part[camel] ?? part[field];
		const url = stringOf(value) ?? stringOf(recordOf(value)['url']) ?? '';
		const mediaType = MEDIA_TYPE.exec(url)?.[1];
		if (mediaType === undefined) return placeholder(kind, url === '' ? {} : {name: url});
		const sizeBytes = url.startsWith('data:') ? base64Bytes(url) : undefined;
		return placeholder(kind, {mediaType, sizeBytes});
	};

const TEXTS: Readonly<Record<string, (part: Json) => string>> = {
	text: part => stringOf(part['text']) ?? '',
	image_url: mediaText('image', 'image_url'),
	audio_url: mediaText('audio', 'audio_url'),
	video_url: mediaText('file', 'video_url'),
};

export interface Part {
	readonly kind: 'text' | 'thought' | 'unknown';
	readonly text: string;
	readonly type: string;
	/** In the record, shown or not. */
	readonly place: number;
}

const partOf = (value: unknown, place: number): Part => {
	const part = typeof value === 'string' ? {type: 'text', text: value} : recordOf(value);
	const type = stringOf(part['type']) ?? 'none';
	if (type === 'think') return {kind: 'thought', text: stringOf(part['think']) ?? '', type, place};
	const read = entryOf(TEXTS, type);
	return {kind: read === undefined ? 'unknown' : 'text', text: read?.(part) ?? '', type, place};
};

export const partsOf = (content: unknown): readonly Part[] =>
	(typeof content === 'string' || isRecord(content) ? [content] : listOf(content)).map(partOf);

/** The text of a content; thoughts are no part of it. */
export const contentText = (content: unknown): string =>
	partsOf(content)
		.filter(({kind, text}) => kind === 'text' && text.trim() !== '')
		.map(({text}) => text)
		.join('\n');

/** Arguments of a call: an object, or its JSON as the model wrote it (which may be cut short). */
export const argumentsOf = (value: unknown): Json => {
	const text = textOf(value);
	if (text === undefined) return recordOf(value);
	try {
		return recordOf(JSON.parse(text));
	} catch {
		return {arguments: text}; // shown as it is
	}
};
