/**
 * Words as the full-text index sees them (unicode61: letters, digits and private characters, case and accents folded; a CJK
 * character is a word of its own), with their places in the original text.
 */
import {isCjk} from './normalise.js';

/** A run of UTF-16 positions, the end exclusive. */
export interface Word {
	readonly start: number;
	readonly end: number;
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{Co}]/u;
const IS_ASCII_WORD = Uint8Array.from({length: 128}, (_, code) =>
	Number(/[A-Za-z0-9]/.test(String.fromCharCode(code))),
);

const isAccent = (codePoint: number): boolean => codePoint >= 0x300 && codePoint <= 0x36f;

const isWordCharacter = (codePoint: number): boolean =>
	codePoint < 128
		? IS_ASCII_WORD[codePoint] === 1
		: WORD_CHARACTER.test(String.fromCodePoint(codePoint));

/** True if there is anything in a text that the index could hold. */
export const hasWords = (text: string): boolean => WORD_CHARACTER.test(text);

/** The words of a text in order. */
export function* wordsOf(text: string): Generator<Word> {
	let start = -1;
	for (let index = 0; index < text.length; ) {
		const codePoint = text.codePointAt(index) as number;
		const end = index + (codePoint > 0xffff ? 2 : 1);
		const isInside = start >= 0;
		if (isCjk(codePoint)) {
			if (isInside) yield {start, end: index};
			start = -1;
			yield {start: index, end};
		} else if (isWordCharacter(codePoint) || (isInside && isAccent(codePoint))) {
			if (!isInside) start = index;
		} else if (isInside) {
			yield {start, end: index};
			start = -1;
		}
		index = end;
	}
	if (start >= 0) yield {start, end: text.length};
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Case and accents taken away, so that equal words compare equal. */
export const fold = (word: string): string =>
	NOT_ASCII.test(word)
		? word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC')
		: word.toLowerCase();

/** UTF-16 length of the shortest beginning of `word` whose folded form is at least `foldedLength` long. */
export const unfoldedLength = (word: string, foldedLength: number): number => {
	if (!NOT_ASCII.test(word)) return Math.min(foldedLength, word.length);
	let folded = 0;
	let length = 0;
	for (const character of word) {
		const added = fold(character).length;
		// An accent belongs to the letter before it.
		if (folded >= foldedLength && added > 0) break;
		folded += added;
		length += character.length;
	}
	return length;
};
