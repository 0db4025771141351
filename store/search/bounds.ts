/**
 * How much of a query counts: far more than anybody types, so little that a pasted text is answered as fast as a typed one. The
 * words are bounded in `match.ts`, the filters in `filters.ts`.
 */
import {parseQuery, type Query} from './query.js';

const MAX_CHARS = 2000;

export const isTooLong = (text: string): boolean => text.length > MAX_CHARS;

export const TOO_LONG_NOTE = `Only the first ${MAX_CHARS.toLocaleString('en-US')} characters of the query are read.`;

/** The query of a text, without what is beyond the bound and the word that the bound cuts through. */
export const readQuery = (text: string, nowMs: number): Query => {
	if (!isTooLong(text)) return parseQuery(text, nowMs);
	const read = text.slice(0, MAX_CHARS);
	const wholeWords = read.replace(/\S+$/, '');
	return parseQuery(wholeWords.trim() === '' ? read : wholeWords, nowMs);
};
