/** The text that a scan of raw records looks for, as patterns over the ways in which stores write it. Pure. */
import {type QueryToken, queryTokens} from '../../store/search/query.js';

/** What a query comes down to where nothing is known of words. */
export interface Literal {
	/** Words and phrases as they stand in the query, one blank between them; empty: nothing to look for. */
	readonly text: string;
	readonly notes: readonly string[];
}

const MAX_CHARS = 1000;

const IGNORED: ReadonlySet<QueryToken['kind']> = new Set(['filter', 'negated', 'operator']);

export const literalOf = (query: string): Literal => {
	const tokens = queryTokens(query);
	const wanted = tokens.filter(({kind}) => !IGNORED.has(kind));
	let joined = '';
	for (const [index, token] of wanted.entries()) {
		const isApart = wanted[index - 1]?.end !== token.start;
		joined += (isApart ? ' ' : '') + textOf(query, token);
	}
	const characters = [...joined.trim().replace(/\s+/g, ' ')];
	const text = characters.slice(0, MAX_CHARS).join('');
	return {
		text,
		notes: [
			...(text === '' ? ['Nothing to look for.'] : []),
			...(tokens.some(({kind}) => kind === 'operator')
				? ['A scan looks for one text: OR means nothing to it.']
				: []),
			...(characters.length > MAX_CHARS ? ['Only the first 1,000 characters are looked for.'] : []),
		],
	};
};

/** A phrase without its quotes; those in the middle of something, as in `"a":"b"`, are meant. */
const textOf = (query: string, {start, end, kind}: QueryToken): string => {
	const token = query.slice(start, end);
	const isAlone = /^\s?$/.test(query.slice(start - 1, start)) && /^\s?$/.test(query[end] ?? '');
	return kind === 'phrase' && isAlone ? token.replaceAll('"', '') : token;
};

export interface LiteralPattern {
	/** Over bytes that were decoded as Latin 1. */
	readonly inBytes: RegExp;
	/** Over strings. */
	readonly inText: RegExp;
	/** The longest match in bytes. */
	readonly maxBytes: number;
}

/** Both have the flag `g`: callers set `lastIndex`. */
export const literalPattern = (text: string): LiteralPattern => {
	const characters = [...text];
	return {
		inBytes: new RegExp(characters.map(character => sourceOf(character, bytesOf)).join(''), 'g'),
		inText: new RegExp(characters.map(character => sourceOf(character, escaped)).join(''), 'g'),
		maxBytes: characters.reduce((sum, character) => sum + longest(character), 0),
	};
};

/** JSON in JSON in JSON doubles the backslashes each time. */
const MAX_SLASHES = 8;
const SLASHES = `\\\\{1,${MAX_SLASHES}}`;
const MAX_BLANKS = 32;
/** A blank that was typed stands for white space of any kind, also where JSON writes it as a letter. */
const BLANK = `(?:[ \\t]|${SLASHES}[nrt]){1,${MAX_BLANKS}}`;

type Encode = (character: string) => string;

/** A character in either case, plain or as JSON writes it. */
const sourceOf = (character: string, encode: Encode): string => {
	if (character === ' ') return BLANK;
	if (character === '\\') return SLASHES;
	if (/[A-Za-z]/.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
	if (/[0-9]/.test(character)) return character;
	const forms = new Set([character, character.toLowerCase(), character.toUpperCase()]);
	const plain = [...forms].map(encode).join('|');
	const coded = [...forms]
		.map(form => SLASHES + [...codeUnits(form)].map(code).join(SLASHES))
		.join('|');
	// Some writers put a backslash before a slash, all of them before a quote.
	return character < '\x80'
		? `(?:\\\\{0,${MAX_SLASHES}}${plain}|${coded})`
		: `(?:${plain}|${coded})`;
};

function* codeUnits(text: string): Generator<number> {
	for (let at = 0; at < text.length; at++) yield text.charCodeAt(at);
}

/** `u00e9`, with hexadecimal digits in either case. */
const code = (unit: number): string =>
	`u${unit
		.toString(16)
		.padStart(4, '0')
		.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)}`;

const escaped: Encode = character => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const bytesOf: Encode = character => escaped(Buffer.from(character).toString('latin1'));

const longest = (character: string): number => {
	if (character === ' ') return MAX_BLANKS * (MAX_SLASHES + 1);
	if (character < '\x80') return MAX_SLASHES + 6;
	// Up to three code units when a capital is written as several letters.
	return 3 * (MAX_SLASHES + 6);
};
