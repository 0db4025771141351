/** From the words of a query to FTS5 MATCH expressions. Every word goes in as a quoted string, so none can be a syntax error. */
import {isCjk} from './normalise.js';
import type {Query, QueryPart, QueryTerm} from './query.js';
import {fold, wordsOf} from './words.js';

/** What one word or phrase of a query looks for: a run of words of the index. */
export interface SearchTerm {
	/** As typed, for notes: `midleware`, `"exact phrase"`. */
	readonly label: string;
	/** The words as typed and folded; the last may be a beginning only. */
	readonly words: readonly {readonly text: string; readonly folded: string}[];
	readonly isPrefix: boolean;
	/** A quoted phrase: taken at its word, never replaced by something similar. */
	readonly isExact: boolean;
}

/** Terms of which one has to be there. */
export type SearchGroup = readonly SearchTerm[];

export interface SearchWords {
	/** All of them have to be there. */
	readonly groups: readonly SearchGroup[];
	readonly excluded: readonly SearchTerm[];
	/** The last group ends in a beginning of one or two characters that may still be going on: dear to look up. */
	readonly isLastShort: boolean;
	/** Something was typed, but nothing that the index could hold. */
	readonly isVoid: boolean;
	/** There was more than is looked for. */
	readonly isCut: boolean;
}

const MAX_TERMS = 32;
const MAX_WORDS = 32;
// Shorter beginnings match so much that they are words of their own unless they are still being typed.
const PREFIX_CHARS = 3;

export const searchWords = (query: Query): SearchWords => {
	const parts = withoutRepeats(query.parts.filter(part => part.kind === 'words'));
	const last = parts.at(-1);
	const read = parts.slice(0, MAX_TERMS).map(part => ({
		isNegated: part.isNegated,
		terms: termsOf(part, part === last && query.isOpen),
	}));
	const groups = read.filter(part => !part.isNegated).map(part => part.terms);
	const searched = groups.filter(group => group.length > 0);
	const lastTerm = groups.at(-1)?.at(-1);
	return {
		groups: searched,
		excluded: read.filter(part => part.isNegated).flatMap(part => part.terms),
		isLastShort:
			query.isOpen && last?.isNegated === false && lastTerm !== undefined && isShort(lastTerm),
		isVoid: groups.length > 0 && searched.length === 0,
		isCut: parts.length > MAX_TERMS,
	};
};

/** A pasted text says the same word again and again: the last time counts, which may still be going on. */
const withoutRepeats = <T extends QueryPart>(parts: readonly T[]): readonly T[] => {
	if (parts.length <= MAX_TERMS) return parts;
	const last = new Map<string, T>();
	for (const part of parts) {
		const key = JSON.stringify(part);
		last.delete(key);
		last.set(key, part);
	}
	return [...last.values()];
};

const termsOf = (part: QueryPart & {kind: 'words'}, isOpenPart: boolean): SearchGroup =>
	part.terms
		.slice(0, MAX_TERMS)
		.map((term, index) => searchTerm(term, isOpenPart && index === part.terms.length - 1))
		.filter(term => term.words.length > 0);

/** `isOpen`: more letters may follow. */
export const searchTerm = ({kind, text, isClosed}: QueryTerm, isOpen: boolean): SearchTerm => {
	const places = [...wordsOf(text)].slice(0, MAX_WORDS);
	const words = places.map(({start, end}) => {
		const word = text.slice(start, end);
		return {text: word, folded: fold(word)};
	});
	const last = words.at(-1)?.text ?? '';
	// `C++` and `foo(bar)` end in punctuation: their last word is complete.
	const endsInWord = places.at(-1)?.end === text.length;
	const canGoOn = isOpen || [...last].length >= PREFIX_CHARS;
	const isCharacter = last !== '' && isCjk(last.codePointAt(0) as number);
	return {
		label: kind === 'phrase' ? `"${text}"` : text,
		words,
		isPrefix: endsInWord && canGoOn && !isCharacter && (kind === 'word' || !isClosed),
		isExact: kind === 'phrase',
	};
};

const isShort = ({words, isPrefix}: SearchTerm): boolean =>
	isPrefix && [...(words.at(-1)?.text ?? '')].length < PREFIX_CHARS;

/**
 * The groups without what is dear to look up while it is typed: a beginning of one or two characters goes, what stands before
 * it in the same word (`src/a`) stays.
 */
export const withoutShortEnd = (groups: readonly SearchGroup[]): readonly SearchGroup[] => {
	const last = (groups.at(-1) ?? []).flatMap(term => {
		if (!isShort(term)) return [term];
		const words = term.words.slice(0, -1);
		return words.length > 0 ? [{...term, words, isPrefix: false}] : [];
	});
	return last.length > 0 ? [...groups.slice(0, -1), last] : groups.slice(0, -1);
};

/** A MATCH expression; `columns` limits where the words have to stand. */
export const matchExpression = (
	groups: readonly SearchGroup[],
	excluded: readonly SearchTerm[] = [],
	columns: readonly string[] = [],
): string => {
	const wanted = groups.map(anyOf).join(' AND ');
	const expression = excluded.length > 0 ? `(${wanted}) NOT ${anyOf(excluded)}` : wanted;
	return inColumns(expression, columns);
};

/** Stricter forms of a query, from loose to strict; those that say nothing new are left out. */
export interface CloserForms {
	/** The words within a few words of each other, in any order. */
	readonly near?: string;
	/** The words as they were typed, one after the other. */
	readonly phrase?: string;
	/** Whole words instead of beginnings. */
	readonly exact?: string;
}

const NEAR_WORDS = 8;

export const closerForms = (groups: readonly SearchGroup[]): CloserForms => {
	const terms = groups.flatMap(group => (group.length === 1 ? group : []));
	const isPlain = terms.length === groups.length && terms.length > 1;
	const words = terms.flatMap(term => term.words);
	const isOpen = terms.at(-1)?.isPrefix === true;
	const whole = groups.map(group => group.map(term => ({...term, isPrefix: false})));
	// Of words before the last nobody means the beginning only, and beginnings are dear to look up.
	const near = terms.map((term, index) => ({
		...term,
		isPrefix: isOpen && index === terms.length - 1,
	}));
	return {
		...(isPlain && words.length <= MAX_WORDS
			? {
					near: `NEAR(${near.map(phrase).join(' ')}, ${NEAR_WORDS})`,
					phrase: phrase({words, isPrefix: isOpen}),
				}
			: {}),
		...(groups.flat().some(isBeginning) ? {exact: whole.map(anyOf).join(' AND ')} : {}),
	};
};

/** A path or the like that ends in a beginning is close enough, and dear to look up twice. */
const isBeginning = ({words, isPrefix}: SearchTerm): boolean => isPrefix && words.length === 1;

/** Limits where the words of an expression have to stand. */
export const inColumns = (expression: string, columns: readonly string[]): string =>
	columns.length > 0 ? `{${columns.join(' ')}} : (${expression})` : expression;

const anyOf = (terms: SearchGroup): string => `(${terms.map(phrase).join(' OR ')})`;

const phrase = ({words, isPrefix}: Pick<SearchTerm, 'words' | 'isPrefix'>): string =>
	`"${words.map(({text}) => text).join(' ')}"${isPrefix ? ' *' : ''}`;
