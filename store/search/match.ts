/** From the words of a query to FTS5 MATCH expressions. Every word goes in as a quoted string, so none can be a syntax error. */
import {isCjk} from './normalise.js';
import type {Query, QueryPart, QueryTerm} from './query.js';
import {fold, type Word, wordsOf} from './words.js';

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

/** Words that are looked for, those of phrases and of `-word` included. */
export const MAX_WORDS = 20;
// A longer run of words is as good as unique, and dear to look up.
const MAX_PHRASE_WORDS = 12;
// Shorter beginnings match so much that they are words of their own unless they are still being typed.
const PREFIX_CHARS = 3;

export const searchWords = (query: Query): SearchWords => {
	const parts = query.parts.filter(part => part.kind === 'words');
	const last = parts.at(-1);
	const read: {readonly isNegated: boolean; readonly terms: SearchGroup}[] = [];
	const seen = new Set<string>();
	const budget = createBudget();
	for (const part of parts) {
		if (budget.isSpent()) break;
		const terms = termsOf(part, {isOpenPart: part === last && query.isOpen, budget});
		// A pasted text says the same words again and again.
		const key = `${part.isNegated} ${terms.map(termKey).join(' OR ')}`;
		if (seen.has(key)) budget.giveBack(terms);
		else read.push({isNegated: part.isNegated, terms});
		seen.add(key);
	}
	const groups = read.filter(part => !part.isNegated).map(part => part.terms);
	const searched = groups.filter(group => group.length > 0);
	const lastTerm = groups.at(-1)?.at(-1);
	return {
		groups: searched,
		excluded: read.filter(part => part.isNegated).flatMap(part => part.terms),
		isLastShort: query.isOpen && !last?.isNegated && lastTerm !== undefined && isShort(lastTerm),
		isVoid: groups.length > 0 && searched.length === 0,
		isCut: budget.isCut(),
	};
};

interface Budget {
	/** Words that the next term may have. */
	left(): number;
	take(term: SearchTerm, hasMore: boolean): void;
	giveBack(terms: SearchGroup): void;
	/** Asked for more than there is. */
	isSpent(): boolean;
	isCut(): boolean;
}

const createBudget = (): Budget => {
	let left = MAX_WORDS;
	let isCut = false;
	return {
		left: () => Math.min(left, MAX_PHRASE_WORDS),
		take(term, hasMore) {
			left -= term.words.length;
			isCut ||= hasMore;
		},
		giveBack(terms) {
			for (const term of terms) left += term.words.length;
		},
		isSpent() {
			isCut ||= left === 0;
			return left === 0;
		},
		isCut: () => isCut,
	};
};

const termKey = ({words, isPrefix, isExact}: SearchTerm): string =>
	`${isExact} ${isPrefix} ${words.map(({folded}) => folded).join(' ')}`;

const termsOf = (
	part: QueryPart & {kind: 'words'},
	{isOpenPart, budget}: {readonly isOpenPart: boolean; readonly budget: Budget},
): SearchGroup => {
	const terms = new Map<string, SearchTerm>();
	for (const [index, typed] of part.terms.entries()) {
		if (budget.isSpent()) break;
		const isOpen = isOpenPart && index === part.terms.length - 1;
		const maxWords = budget.left();
		const term = searchTerm(typed, isOpen, maxWords);
		if (term.words.length === 0 || terms.has(termKey(term))) continue;
		terms.set(termKey(term), term);
		budget.take(term, hasMoreWords(typed.text, maxWords));
	}
	return [...terms.values()];
};

const firstWords = (text: string, count: number): readonly Word[] => {
	const first: Word[] = [];
	if (count > 0) for (const word of wordsOf(text)) if (first.push(word) === count) break;
	return first;
};

const hasMoreWords = (text: string, count: number): boolean =>
	firstWords(text, count + 1).length > count;

/** `isOpen`: more letters may follow. */
export const searchTerm = (
	{kind, text, isClosed}: QueryTerm,
	isOpen: boolean,
	maxWords = MAX_PHRASE_WORDS,
): SearchTerm => {
	const places = firstWords(text, maxWords);
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

/** The groups with a last word of one or two characters taken as it stands. */
export const withWholeEnd = (groups: readonly SearchGroup[]): readonly SearchGroup[] => {
	const last = (groups.at(-1) ?? []).map(term =>
		isShort(term) ? {...term, isPrefix: false} : term,
	);
	return [...groups.slice(0, -1), last];
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
const FEW_WORDS = 8;

/** So many words come together by their number alone: only the very phrase says more, and each look at them is dear. */
export const hasManyWords = (groups: readonly SearchGroup[]): boolean =>
	groups.flat().reduce((sum, {words}) => sum + words.length, 0) > FEW_WORDS;

export const closerForms = (groups: readonly SearchGroup[]): CloserForms => {
	const terms = groups.flatMap(group => (group.length === 1 ? group : []));
	const isPlain = terms.length === groups.length && terms.length > 1;
	const words = terms.flatMap(term => term.words);
	const isFew = !hasManyWords(groups);
	const isOpen = terms.at(-1)?.isPrefix === true;
	const whole = groups.map(group => group.map(term => ({...term, isPrefix: false})));
	// Of words before the last nobody means the beginning only, and beginnings are dear to look up.
	const near = terms.map((term, index) => ({
		...term,
		isPrefix: isOpen && index === terms.length - 1,
	}));
	return {
		...(isPlain && isFew ? {near: `NEAR(${near.map(phrase).join(' ')}, ${NEAR_WORDS})`} : {}),
		...(isPlain ? {phrase: phrase({words, isPrefix: isOpen})} : {}),
		...(isFew && groups.flat().some(isBeginning) ? {exact: whole.map(anyOf).join(' AND ')} : {}),
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
