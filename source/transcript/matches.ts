import type {Match} from '../../store/types.js';
import type {Line, Span, StyleName} from '../terminal/spans.js';

const ascii = /^[\0-\x7f]*$/;
const letterOrDigit = /[\p{L}\p{N}]/u;
const digit = /\p{N}/u;
const upper = /\p{Lu}/u;
const lower = /\p{Ll}/u;
/** Scripts without blanks between words: any place begins one. */
const unspaced =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Text without case and accents, and for each of its units where it began in the original. */
interface Folded {
	readonly text: string;
	readonly starts: readonly number[] | undefined;
}

const foldCharacter = (character: string): string =>
	character.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

const fold = (text: string): Folded => {
	if (ascii.test(text)) return {text: text.toLowerCase(), starts: undefined};
	let folded = '';
	const starts: number[] = [];
	let position = 0;
	for (const character of text) {
		const plain = foldCharacter(character);
		for (let unit = 0; unit < plain.length; unit++) starts.push(position);
		folded += plain;
		position += character.length;
	}
	starts.push(text.length);
	return {text: folded, starts};
};

const characterBefore = (text: string, at: number): string =>
	/[\s\S]$/u.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';

const characterAt = (text: string, at: number): string =>
	at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '';

/** Words also begin inside of names: `getUserById`, `v2`, `parse_http`. */
const isWordStart = (text: string, at: number): boolean => {
	const previous = characterBefore(text, at);
	const current = characterAt(text, at);
	if (!letterOrDigit.test(previous) || !letterOrDigit.test(current)) return true;
	if (unspaced.test(current) || unspaced.test(previous)) return true;
	if (digit.test(previous) !== digit.test(current)) return true;
	if (!upper.test(current)) return false;
	// `userId` begins a word at `I`, `HTTPServer` at `S`.
	return !upper.test(previous) || lower.test(characterAt(text, at + current.length));
};

const matchesOf = (text: string, folded: Folded, word: string): readonly Match[] => {
	const found: Match[] = [];
	const original = (position: number) => folded.starts?.[position] ?? position;
	for (
		let position = folded.text.indexOf(word);
		position !== -1;
		position = folded.text.indexOf(word, position + 1)
	) {
		const start = original(position);
		if (isWordStart(text, start)) found.push([start, original(position + word.length)]);
	}
	return found;
};

/** Where words begin with one of `words` in a text: case and accents ignored, ascending, without overlaps. */
export const findWords = (text: string, words: readonly string[]): readonly Match[] => {
	const folded = fold(text);
	const all = words
		.map(word => fold(word.trim()).text)
		.filter(word => word !== '')
		.flatMap(word => matchesOf(text, folded, word))
		.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
	const merged: Match[] = [];
	for (const match of all) {
		const last = merged.at(-1);
		if (last && match[0] < last[1])
			merged[merged.length - 1] = [last[0], Math.max(last[1], match[1])];
		else if (match[1] > match[0]) merged.push(match);
	}
	return merged;
};

/** The same line with the ranges in another style. Ranges count UTF-16 units over all spans, ascending. */
export const markRanges = (
	line: Line,
	ranges: readonly Match[],
	style: StyleName = 'match',
): Line => {
	if (ranges.length === 0) return line;
	const marked: Span[] = [];
	let position = 0;
	for (const span of line) {
		const end = position + span.text.length;
		let at = position;
		const add = (until: number, piece: Omit<Span, 'text'>) => {
			if (until > at)
				marked.push({...piece, text: span.text.slice(at - position, until - position)});
			at = Math.max(at, until);
		};
		const {text: _, ...plain} = span;
		for (const [start, stop] of ranges) {
			if (stop <= at || start >= end) continue;
			add(Math.max(at, start), plain);
			add(Math.min(end, stop), {style});
		}
		add(end, plain);
		position = end;
	}
	return marked;
};

/** Marks the words of a query in a line. */
export const markWords = (line: Line, words: readonly string[], style: StyleName = 'match'): Line =>
	markRanges(line, findWords(line.map(span => span.text).join(''), words), style);

/** Marks the words in rows that are laid out already; a row with a match has a span of the style `match`. */
export const findMatches = (lines: readonly Line[], words: readonly string[]): readonly Line[] =>
	lines.map(line => markWords(line, words));
