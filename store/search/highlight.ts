/** Where the words of a query stand in a text that is shown: the index knows rows, not places. */
import type {Match} from '../types.js';
import type {SearchTerm} from './match.js';
import {humpsOf} from './normalise.js';
import {fold, unfoldedLength, type Word, wordsOf} from './words.js';

interface PlacedMatch {
	readonly start: number;
	readonly end: number;
	/** Index of the term. */
	readonly term: number;
}

/**
 * All places of the terms in a text, in order, not overlapping. With `enoughChars` the search ends that far behind the first
 * place.
 */
export const findPlaces = (
	text: string,
	terms: readonly SearchTerm[],
	enoughChars = Number.POSITIVE_INFINITY,
): readonly PlacedMatch[] => {
	const found: PlacedMatch[] = [];
	const longest = Math.max(0, ...terms.map(({words}) => words.length));
	if (longest === 0) return found;
	// The last words read, as many as the longest phrase has.
	const recent: Word[] = [];
	for (const word of wordsOf(text)) {
		if (word.start > (found[0]?.start ?? Number.POSITIVE_INFINITY) + enoughChars) break;
		recent.push(word);
		if (recent.length > longest) recent.shift();
		const best = bestEndingHere(text, recent, terms);
		if (best) addPlace(found, best);
	}
	return found;
};

/** Places of a query's words, for marking them. */
export const findMatches = (text: string, terms: readonly SearchTerm[]): readonly Match[] =>
	findPlaces(text, terms).map(({start, end}) => [start, end]);

/** A longer phrase swallows what was found of it before. */
const addPlace = (found: PlacedMatch[], place: PlacedMatch): void => {
	for (let last = found.at(-1); last && last.start >= place.start; last = found.at(-1)) found.pop();
	const last = found.at(-1);
	found.push(last && last.end > place.start ? {...place, start: last.end} : place);
};

const bestEndingHere = (
	text: string,
	recent: readonly Word[],
	terms: readonly SearchTerm[],
): PlacedMatch | undefined => {
	const last = recent.at(-1) as Word;
	const original = text.slice(last.start, last.end);
	const folded = fold(original);
	let best: PlacedMatch | undefined;
	for (const [term, {words, isPrefix}] of terms.entries()) {
		const wanted = words.at(-1)?.folded;
		if (wanted === undefined || words.length > recent.length) continue;
		const first = recent.at(-words.length) as Word;
		const range = fits(folded, wanted, isPrefix)
			? [0, isPrefix ? unfoldedLength(original, wanted.length) : original.length]
			: words.length === 1
				? innerPart(original, wanted, isPrefix)
				: undefined;
		if (range === undefined || !isPhraseBefore(text, recent, words)) continue;
		const start = words.length === 1 ? last.start + (range[0] as number) : first.start;
		const end = last.start + (range[1] as number);
		if (!best || start < best.start || (start === best.start && end > best.end))
			best = {start, end, term};
	}
	return best;
};

const fits = (folded: string, wanted: string, isPrefix: boolean): boolean =>
	isPrefix ? folded.startsWith(wanted) : folded === wanted;

const isPhraseBefore = (
	text: string,
	recent: readonly Word[],
	words: SearchTerm['words'],
): boolean => {
	for (let back = 2; back <= words.length; back++) {
		const {start, end} = recent.at(-back) as Word;
		if (fold(text.slice(start, end)) !== words.at(-back)?.folded) return false;
	}
	return true;
};

/** `userby` in `getUserById`: the tail of a camelCase name, as `indexText` adds it. */
const innerPart = (
	name: string,
	wanted: string,
	isPrefix: boolean,
): readonly [number, number] | undefined => {
	const at = humpsOf(name).find(hump => fits(fold(name.slice(hump)), wanted, isPrefix));
	return at === undefined
		? undefined
		: [at, isPrefix ? at + unfoldedLength(name.slice(at), wanted.length) : name.length];
};
