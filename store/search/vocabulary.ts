/**
 * Words that the index knows, for near misses. To ask the index for them takes a walk over all of its terms (1.2 s for 655,000 of
 * them), so they are loaded once per connection; whoever has time to spare does it ahead, slice by slice.
 */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {allowedSlips, slipsBetween} from './slips.js';

const SUGGESTIONS = 12;
const MIN_PART_CHARS = 3;
// Nobody mistypes a longer one.
const MAX_CHARS = 64;
/** Words that are compared by how often they occur. */
const CANDIDATES = 100;
/** The index counts a word by walking over its rows: 4,000 at a time took up to 100 ms, in which no key is answered. */
const SLICE_WORDS = 500;
/** Grown by so much since it was loaded, the index has to be looked through anew. */
const STALE_SHARE = 1.1;

const TABLES = ['event_fts', 'head_fts'] as const;

/** The words of one table in ascending order: all in one string, a line each, so that they take little more than their letters. */
interface Words {
	readonly text: string;
	/** Where each word starts; its end is a line end. */
	readonly starts: Uint32Array;
}

interface Vocabulary {
	readonly tables: readonly Words[];
	readonly segments: number;
}

interface Loading {
	vocabulary: Vocabulary | undefined;
	steps: Generator<void, Vocabulary> | undefined;
}

const loadings = new WeakMap<Database, Loading>();

const loadingOf = (database: Database): Loading => {
	const known = loadings.get(database) ?? {vocabulary: undefined, steps: undefined};
	loadings.set(database, known);
	const {vocabulary} = known;
	if (!known.steps && (!vocabulary || segmentsIn(database) > vocabulary.segments * STALE_SHARE))
		known.steps = load(database);
	return known;
};

/** Loads a slice of the words; true while there is more to be loaded. */
export const loadWords = (database: Database): boolean => {
	const loading = loadingOf(database);
	const step = loading.steps?.next();
	if (step?.done === true) {
		loading.vocabulary = step.value;
		loading.steps = undefined;
	}
	return loading.steps !== undefined;
};

/** What is loaded; at first nothing is, then all of it has to be loaded now. */
const vocabularyOf = (database: Database): Vocabulary => {
	const loading = loadingOf(database);
	while (loading.vocabulary === undefined) loadWords(database);
	return loading.vocabulary;
};

const segmentsIn = (database: Database): number => {
	const lowest = prepared(database)("SELECT -value FROM meta WHERE key = 'segments'").pluck().get();
	return Number(lowest ?? 0);
};

function* load(database: Database): Generator<void, Vocabulary> {
	const segments = segmentsIn(database);
	const tables: Words[] = [];
	for (const table of TABLES) {
		database.exec(
			`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_words USING fts5vocab('main', '${table}', 'row')`,
		);
		const slice = database
			.prepare(`SELECT term FROM temp.${table}_words WHERE term > ? LIMIT ${SLICE_WORDS}`)
			.pluck();
		const parts: string[] = [];
		for (let words = slice.all('') as string[]; words.length > 0; ) {
			parts.push(words.map(word => (isNumber(word) ? '' : `${word}\n`)).join(''));
			yield;
			words = slice.all(words.at(-1)) as string[];
		}
		tables.push(wordsOf(parts.join('')));
	}
	return {tables, segments};
}

const HASH = /^(?=.*\d)[\da-f]{8,}$/;
const DIGITS_APART = /\d[^\d]+\d+[^\d]+\d/;

/** A hash, an id, a time: three quarters of the words, which nobody mistypes and means another one. */
const isNumber = (word: string): boolean => HASH.test(word) || DIGITS_APART.test(word);

const wordsOf = (text: string): Words => {
	const starts: number[] = [];
	for (let at = 0; at < text.length; at = text.indexOf('\n', at) + 1) starts.push(at);
	return {text, starts: Uint32Array.from(starts)};
};

const wordAt = ({text}: Words, start: number): string =>
	text.slice(start, text.indexOf('\n', start));

/** Words with the text inside of them, the most frequent first. */
export const wordsContaining = (database: Database, text: string): readonly string[] => {
	if (text.length < MIN_PART_CHARS || text.length > MAX_CHARS) return [];
	const found = new Set<string>();
	for (const words of vocabularyOf(database).tables)
		for (let at = words.text.indexOf(text); at >= 0 && found.size < CANDIDATES; ) {
			const start = words.text.lastIndexOf('\n', at) + 1;
			const word = wordAt(words, start);
			if (word.length > text.length) found.add(word);
			at = words.text.indexOf(text, start + word.length);
		}
	return mostFrequent(database, [...found]);
};

const mostFrequent = (database: Database, words: readonly string[]): readonly string[] => {
	if (words.length < 2) return words;
	const counts = new Map<string, number>();
	for (const table of TABLES) {
		const rows = database.prepare(`SELECT doc FROM temp.${table}_words WHERE term = ?`).pluck();
		for (const word of words)
			counts.set(word, (counts.get(word) ?? 0) + Number(rows.get(word) ?? 0));
	}
	return words
		.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
		.slice(0, SUGGESTIONS);
};

/** Words that the text is most likely a slip of, or a slip of their beginning; the nearest only, the most frequent first. */
export const similarWords = (database: Database, text: string): readonly string[] => {
	const limit = allowedSlips(text.length);
	if (limit === 0 || text.length > MAX_CHARS) return [];
	const [a = '', b = '', c = ''] = text;
	// As typed; first two swapped; second superfluous; first superfluous. Then anything with the same first letter.
	const near = nearestOf(database, text, [a + b, b + a, a + c, b + c]);
	return near.length > 0 ? near : nearestOf(database, text, [a]);
};

const nearestOf = (
	database: Database,
	text: string,
	beginnings: readonly string[],
): readonly string[] => {
	let slips = allowedSlips(text.length);
	let nearest = new Set<string>();
	for (const words of vocabularyOf(database).tables)
		for (const beginning of beginnings)
			for (const word of wordsFrom(words, beginning)) {
				if (word.length < text.length - slips) continue;
				const distance = slipsBetween(text, word, slips);
				if (distance > slips) continue;
				if (distance < slips) nearest = new Set();
				slips = distance;
				nearest.add(word);
			}
	// A whole word is a better guess than the beginning of a longer one.
	const whole = [...nearest].filter(word => word.length <= text.length + slips);
	return mostFrequent(database, (whole.length > 0 ? whole : [...nearest]).slice(0, CANDIDATES));
};

function* wordsFrom(words: Words, beginning: string): Generator<string> {
	const {starts} = words;
	let [low, high] = [0, starts.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (wordAt(words, starts[middle] as number) < beginning) low = middle + 1;
		else high = middle;
	}
	for (let index = low; index < starts.length; index++) {
		const word = wordAt(words, starts[index] as number);
		if (!word.startsWith(beginning)) return;
		yield word;
	}
}
