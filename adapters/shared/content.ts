/** Text for content that is no text, and cuts that never halve a character. */

import {isDeeper, JSON_DEPTH_LIMIT} from './narrow.js';

export type PlaceholderKind = 'image' | 'document' | 'audio' | 'file';

export interface PlaceholderFacts {
	readonly mediaType?: string | undefined;
	readonly sizeBytes?: number | undefined;
	readonly name?: string | undefined;
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** `812 B`, `150 KB`, `1.4 MB`; a KB is 1,000 bytes. */
export const sizeLabel = (bytes: number): string => {
	let value = Math.max(0, bytes);
	let unit = 0;
	while (value >= 1000 && unit < UNITS.length - 1) {
		value /= 1000;
		unit += 1;
	}
	const isShort = unit > 1 && value < 10;
	return `${isShort ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[unit]}`;
};

/** Decoded size of base64 text, with or without a `data:…;base64,` head. Looks at the ends only. */
export const base64Bytes = (text: string): number => {
	const head = text.startsWith('data:') ? text.indexOf(',') + 1 : 0;
	const tail = text.slice(Math.max(head, text.length - 4));
	const padding = /=*\s*$/.exec(tail)?.[0].length ?? 0;
	return Math.floor(((text.length - head - padding) * 3) / 4);
};

/** A cut before `max` that leaves no lone surrogate behind. */
const cutAt = (text: string, max: number): number => {
	const last = text.charCodeAt(max - 1);
	return last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
};

/** One line: runs of white space become one blank, and what is beyond `max` UTF-16 units is cut with `…`. */
export const oneLine = (text: string, max = 400): string => {
	const trimmed = text.trim();
	// Only so much is looked at: a field can hold megabytes.
	const window = trimmed.slice(0, max * 4);
	const line = window.replaceAll(/\s+/g, ' ').trimEnd();
	if (line.length <= max && window.length === trimmed.length) return line;
	const end = Math.min(line.length, max - 1);
	return `${line.slice(0, cutAt(line, end)).trimEnd()}…`;
};

/** At most `max` UTF-16 units, and the whole length if that cut something. */
export const capText = (
	text: string,
	max = 262_144,
): {readonly text: string; readonly fullLength?: number} =>
	text.length <= max ? {text} : {text: text.slice(0, cutAt(text, max)), fullLength: text.length};

/** `image/svg+xml` → `svg`; a type without a subtype as it is. */
const subtypeOf = (mediaType: string): string =>
	(mediaType.split('/').at(1) ?? mediaType).replace(/[+;].*$/, '').replace(/^x-/, '');

/** What stands for an image or another binary: `[image png, 150 KB]`, `[file report.pdf]`. */
export const placeholder = (kind: PlaceholderKind, facts: PlaceholderFacts = {}): string => {
	const {mediaType, sizeBytes, name} = facts;
	const what = name ?? (mediaType === undefined ? '' : subtypeOf(mediaType));
	const label = what.trim() === '' ? kind : `${kind} ${oneLine(what, 80)}`;
	return sizeBytes === undefined ? `[${label}]` : `[${label}, ${sizeLabel(sizeBytes)}]`;
};

/** JSON of a value from a store, on one line. `JSON.stringify` overflows the stack on what `JSON.parse` has taken. */
export const jsonText = (value: unknown): string =>
	isDeeper(value, JSON_DEPTH_LIMIT) ? '[nested too deeply]' : (JSON.stringify(value) ?? '');
