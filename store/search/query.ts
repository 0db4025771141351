/**
 * The query language of DESIGN section 5. Total: every text is a query. `parseQuery` gives what is searched for,
 * `queryTokens` the same scan with positions, for colouring.
 */
import {hasWords} from './words.js';

export const FILTER_NAMES = [
	'agent',
	'project',
	'branch',
	'model',
	'tool',
	'file',
	'in',
	'after',
	'before',
	'date',
	'is',
	'has',
	'id',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** Something to be found in a text. */
export interface QueryTerm {
	readonly kind: 'word' | 'phrase';
	readonly text: string;
	/** False: a phrase that still lacks its closing quote. */
	readonly isClosed: boolean;
}

export type QueryPart =
	/** One of the terms has to be there (`a OR b`); most often there is only one. */
	| {readonly kind: 'words'; readonly terms: readonly QueryTerm[]; readonly isNegated: boolean}
	/** One of the values has to fit. */
	| {
			readonly kind: 'filter';
			readonly name: FilterName;
			readonly values: readonly string[];
			readonly isNegated: boolean;
	  };

export interface Query {
	/** All of them have to hold. */
	readonly parts: readonly QueryPart[];
	/** The last word may still be going on: no white space, closing quote or filter stands behind it. */
	readonly isOpen: boolean;
	/** The clock that relative dates count from. */
	readonly nowMs: number;
}

export interface QueryToken {
	readonly start: number;
	readonly end: number;
	readonly kind: 'word' | 'filter' | 'phrase' | 'operator' | 'negated';
}

interface Token {
	readonly start: number;
	readonly end: number;
	readonly kind: 'word' | 'filter' | 'phrase' | 'operator';
	readonly isNegated: boolean;
	/** Word or inside of the phrase. */
	readonly text: string;
	readonly isClosed: boolean;
	readonly name?: FilterName;
	readonly values?: readonly string[];
}

/** A part that more may be joined to. */
type OpenPart =
	| {kind: 'words'; terms: QueryTerm[]; isNegated: boolean}
	| {kind: 'filter'; name: FilterName; values: string[]; isNegated: boolean};

export const parseQuery = (text: string, nowMs: number): Query => {
	const parts: OpenPart[] = [];
	const tokens = scan(text);
	let isEither = false;
	for (const token of tokens) {
		if (token.kind === 'operator') {
			isEither = true;
			continue;
		}
		const part = partOf(token);
		if (part === undefined) continue;
		if (!(isEither && join(parts.at(-1), part))) parts.push(part);
		isEither = false;
	}
	return {parts, isOpen: isOpen(tokens.at(-1), text), nowMs};
};

/** Where the tokens of a query stand. What lies between them is white space. */
export const queryTokens = (text: string): readonly QueryToken[] =>
	scan(text).map(({start, end, kind, isNegated}) => ({
		start,
		end,
		kind: isNegated ? 'negated' : kind,
	}));

/** The text of a query; reads as the same query again. */
export const printQuery = ({parts, isOpen}: Query): string => {
	const text = parts.map(printPart).join(' ');
	const last = parts.at(-1);
	const endsInWord = last?.kind === 'words' && last.terms.at(-1)?.kind === 'word';
	return endsInWord && !isOpen ? `${text} ` : text;
};

const partOf = (token: Token): OpenPart | undefined => {
	const {isNegated, name, values, text, isClosed} = token;
	if (name !== undefined && values !== undefined)
		return values.length > 0 ? {kind: 'filter', name, values: [...values], isNegated} : undefined;
	const term = {kind: token.kind === 'phrase' ? 'phrase' : 'word', text, isClosed} as const;
	return {kind: 'words', terms: [term], isNegated};
};

/** `a OR b` becomes one part, where that means anything: words with words, a filter with the same filter. True if it does. */
const join = (left: OpenPart | undefined, right: OpenPart): boolean => {
	if (left === undefined || left.isNegated || right.isNegated) return false;
	if (left.kind === 'words' && right.kind === 'words') {
		left.terms.push(...right.terms);
		return true;
	}
	if (left.kind === 'filter' && right.kind === 'filter' && left.name === right.name) {
		left.values.push(...right.values);
		return true;
	}
	return false;
};

const isOpen = (last: Token | undefined, text: string): boolean => {
	if (last === undefined || last.text === '' || /\s$/.test(text)) return false;
	return last.kind === 'word' || (last.kind === 'phrase' && !last.isClosed);
};

const SPACE = /\s/;
const FILTER = /([a-z]+):/iy;

/** Splits at white space; a quote at the beginning of a token or of a filter's value lasts to the next quote. */
const scan = (text: string): readonly Token[] => {
	const tokens: Token[] = [];
	let at = 0;
	while (at < text.length) {
		if (SPACE.test(text[at] as string)) {
			at++;
			continue;
		}
		const token = scanToken(text, at);
		const isOperator = tokens.length > 0 && token.kind === 'word' && token.text === 'OR';
		tokens.push(isOperator && !token.isNegated ? {...token, kind: 'operator'} : token);
		at = token.end;
	}
	return tokens;
};

const scanToken = (text: string, start: number): Token => {
	const isNegated = text[start] === '-' && canNegate(text, start + 1);
	const at = isNegated ? start + 1 : start;
	if (text[at] === '"') {
		const {value, end, isClosed} = quoted(text, at);
		return {start, end, kind: 'phrase', isNegated, text: value, isClosed};
	}
	FILTER.lastIndex = at;
	const word = FILTER.exec(text)?.[1]?.toLowerCase();
	const name = FILTER_NAMES.find(known => known === word);
	if (name !== undefined) {
		const {values, end} = filterValues(text, at + name.length + 1);
		return {start, end, kind: 'filter', isNegated, text: '', isClosed: true, name, values};
	}
	const end = endOfRun(text, at, SPACE);
	return {start, end, kind: 'word', isNegated, text: text.slice(at, end), isClosed: true};
};

/** `-x` and `-"x"` exclude; `--flag`, `->` and a lone `-` are meant as they stand. */
const canNegate = (text: string, at: number): boolean =>
	text[at] === '"' || (text[at] !== '-' && hasWords(text.slice(at, endOfRun(text, at, SPACE))));

const endOfRun = (text: string, from: number, stop: RegExp): number => {
	let end = from;
	while (end < text.length && !stop.test(text[end] as string)) end++;
	return end;
};

const quoted = (text: string, at: number) => {
	const close = text.indexOf('"', at + 1);
	return close < 0
		? {value: text.slice(at + 1), end: text.length, isClosed: false}
		: {value: text.slice(at + 1, close), end: close + 1, isClosed: true};
};

const filterValues = (text: string, from: number) => {
	const values: string[] = [];
	let at = from;
	for (;;) {
		if (text[at] === '"') {
			const {value, end} = quoted(text, at);
			values.push(value);
			at = end;
		} else {
			const end = endOfRun(text, at, /[\s,]/);
			values.push(text.slice(at, end));
			at = end;
		}
		if (text[at] !== ',') return {values: values.filter(value => value !== ''), end: at};
		at++;
	}
};

const printPart = (part: QueryPart): string => {
	const sign = part.isNegated ? '-' : '';
	return part.kind === 'filter'
		? `${sign}${part.name}:${part.values.map(printValue).join(',')}`
		: `${sign}${part.terms.map(printTerm).join(' OR ')}`;
};

const printTerm = ({kind, text, isClosed}: QueryTerm): string =>
	kind === 'word' ? text : `"${text}${isClosed ? '"' : ''}`;

const printValue = (value: string): string => (/[\s,]/.test(value) ? `"${value}"` : value);
