/** Images and documents that a record holds, as files that other programs can open. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {sizeLabel} from '../adapters/shared/content.js';
import {isRecord, listOf, stringOf} from '../adapters/shared/narrow.js';
import {placeholdersIn} from './transcript/placeholders.js';

export interface Attachment {
	readonly mediaType: string;
	readonly bytes: Buffer;
}

/**
 * What may be handed to the system's opener. A record is hostile: a type that runs code where it is opened (HTML, SVG, scripts)
 * is written under a harmless name, and opened by nobody.
 */
const extensions: Readonly<Record<string, string>> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'image/gif': 'gif',
	'image/webp': 'webp',
	'image/bmp': 'bmp',
	'image/tiff': 'tiff',
	'application/pdf': 'pdf',
	'audio/mpeg': 'mp3',
	'audio/wav': 'wav',
	'audio/ogg': 'ogg',
};

const isOpenable = (mediaType: string): boolean => Object.hasOwn(extensions, mediaType);

const maxDepth = 20;
const maxAttachments = 50;
const mediaTypeKeys = ['media_type', 'mediaType', 'mimeType', 'mime_type', 'mime'] as const;
const dataKeys = ['data', 'base64', 'bytes'] as const;
const base64 = /^[\w+/-]{16,}={0,2}$/;
const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/;

const attachment = (mediaType: string, data: string): Attachment => ({
	mediaType: mediaType.toLowerCase(),
	bytes: Buffer.from(data, 'base64'),
});

const fromText = (text: string): readonly Attachment[] => {
	const url = dataUrl.exec(text.slice(0, 200));
	return url ? [attachment(url[1] ?? '', text.slice(url[0].length))] : [];
};

const firstText = (record: Record<string, unknown>, keys: readonly string[]): string | undefined =>
	keys.map(key => stringOf(record[key])).find(text => text !== undefined && text !== '');

/** An object with a media type and base64 beside it, as most agents write it. */
const fromRecord = (record: Record<string, unknown>): Attachment | undefined => {
	const mediaType = firstText(record, mediaTypeKeys);
	const data = firstText(record, dataKeys);
	if (mediaType === undefined || data === undefined || !mediaType.includes('/')) return undefined;
	// Only the beginning is looked at: the data may be megabytes.
	return base64.test(data.slice(0, 64)) || base64.test(data)
		? attachment(mediaType, data)
		: undefined;
};

const collect = (value: unknown, depth: number, found: Attachment[]): void => {
	if (depth > maxDepth || found.length >= maxAttachments) return;
	if (typeof value === 'string') {
		found.push(...fromText(value));
		return;
	}
	const own = isRecord(value) ? fromRecord(value) : undefined;
	if (own) {
		found.push(own);
		return;
	}
	const parts = isRecord(value) ? Object.values(value) : listOf(value);
	for (const part of parts) collect(part, depth + 1, found);
};

/** The attachments of a raw record, each once: some agents write an image twice into the same one. */
const attachmentsIn = (raw: string): readonly Attachment[] => {
	const found: Attachment[] = [];
	try {
		collect(JSON.parse(raw), 0, found);
	} catch {
		return []; // no JSON: no attachment that anybody could find
	}
	return found.filter(
		({bytes}, index) => found.findIndex(other => other.bytes.equals(bytes)) === index,
	);
};

/** Those that the placeholders of an event mean: a record may hold several events, each with images of its own. */
export const attachmentsFor = (raw: string, text: string): readonly Attachment[] => {
	const all = attachmentsIn(raw);
	const wanted = placeholdersIn(text);
	if (wanted.length === 0 || wanted.length >= all.length) return all;
	const meant = all.filter(({bytes}) =>
		wanted.some(label => label.endsWith(`, ${sizeLabel(bytes.length)}]`)),
	);
	return meant.length === 0 ? all : meant;
};

/** Writes them into the folder, for the person alone; gives the paths. */
export const writeAttachments = (
	attachments: readonly Attachment[],
	{folder, name}: {readonly folder: string; readonly name: string},
): readonly {readonly path: string; readonly isOpenable: boolean}[] => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	return attachments.map(({mediaType, bytes}, index) => {
		const extension = extensions[mediaType] ?? 'bin';
		const path = join(folder, `${name}-${index + 1}.${extension}`);
		writeFileSync(path, bytes, {mode: 0o600});
		return {path, isOpenable: isOpenable(mediaType)};
	});
};
