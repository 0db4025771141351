/** File parts: pictures, documents and places in the project. */

import {base64Bytes, type PlaceholderKind, placeholder} from '../content.js';
import {at, stringOf, textOf} from '../narrow.js';
import type {Json} from './records.js';

const KINDS: readonly (readonly [prefix: string, kind: PlaceholderKind])[] = [
	['image/', 'image'],
	['audio/', 'audio'],
	['application/pdf', 'document'],
];

/** `{mime, filename?, url, source?}` as a placeholder. */
export const fileText = (file: Json): string => {
	const mediaType = textOf(file['mime']);
	const url = stringOf(file['url']) ?? stringOf(file['uri']) ?? '';
	return placeholder(KINDS.find(([prefix]) => mediaType?.startsWith(prefix))?.[1] ?? 'file', {
		mediaType,
		name: textOf(file['filename']) ?? textOf(file['name']),
		sizeBytes: url.startsWith('data:') ? base64Bytes(url) : undefined,
	});
};

/** `@src/a.ts` in the text of a prompt already names the file. */
export const isMentioned = (file: Json, text: string): boolean => {
	const mention = textOf(at(file, 'source', 'text', 'value'));
	return mention !== undefined && text.includes(mention);
};
