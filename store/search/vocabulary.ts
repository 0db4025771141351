/**
 * Words that the index knows, for near misses. Reading its whole vocabulary takes seconds in a large history (it counts every
 * posting: 2.4 s for 256,000 words), so it is asked only for words that begin alike, and recent texts for what words contain.
 */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {fold, wordsOf} from './words.js';

const SUGGESTIONS = 12;
const MIN_PART_CHARS = 3;
const SAMPLE_ROWS = 30_000;
const SAMPLE_HITS = 200;

/** Words of recent messages with the text inside of them, the most frequent first. */
export const wordsContaining = (database: Database, text: string): readonly string[] => {
	if (text.length < MIN_PART_CHARS) return [];
	const texts = prepared(database)(
		`SELECT text FROM event WHERE id < coalesce((SELECT id FROM event ORDER BY id LIMIT 1 OFFSET ?), 0)
		AND is_indexed = 1 AND text LIKE ? ESCAPE '\\' ORDER BY id LIMIT ?`,
	)
		.pluck()
		.all(SAMPLE_ROWS, `%${text}%`, SAMPLE_HITS) as string[];
	const counts = new Map<string, number>();
	for (const source of [...texts, ...titlesWith(database, text)])
		for (const {start, end} of wordsOf(source)) {
			if (end - start <= text.length) continue;
			const word = fold(source.slice(start, end));
			if (word.includes(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
		}
	return mostFrequent(counts);
};

const titlesWith = (database: Database, text: string): readonly string[] =>
	prepared(database)(
		"SELECT title FROM session WHERE hidden_by IS NULL AND title LIKE ? ESCAPE '\\' LIMIT ?",
	)
		.pluck()
		.all(`%${text}%`, SAMPLE_HITS) as string[];

const mostFrequent = (counts: ReadonlyMap<string, number>): readonly string[] =>
	[...counts]
		.toSorted(([, a], [, b]) => b - a)
		.slice(0, SUGGESTIONS)
		.map(([word]) => word);

/** Slips that a word of this length may hold. */
const allowedSlips = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** Words that the text is most likely a slip of, or a slip of their beginning; the nearest only, the most frequent first. */
export const similarWords = (database: Database, text: string): readonly string[] => {
	const limit = allowedSlips(text.length);
	if (limit === 0) return [];
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
	let counts = new Map<string, number>();
	for (const [word, rows] of beginnings.flatMap(start => [...wordsFrom(database, start)])) {
		if (word.length < text.length - slips) continue;
		const distance = slipsBetween(text, word, slips);
		if (distance > slips) continue;
		if (distance < slips) counts = new Map();
		slips = distance;
		counts.set(word, rows);
	}
	// A whole word is a better guess than the beginning of a longer one.
	const whole = [...counts].filter(([word]) => word.length <= text.length + slips);
	return mostFrequent(whole.length > 0 ? new Map(whole) : counts);
};

const wordsFrom = (
	database: Database,
	beginning: string,
): IterableIterator<readonly [string, number]> => {
	for (const table of ['event_fts', 'head_fts'])
		database.exec(
			`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_words USING fts5vocab('main', '${table}', 'row')`,
		);
	const range = 'WHERE term >= ? AND term < ?';
	const end = `${beginning}\u{10ffff}`;
	return database
		.prepare(
			`SELECT term, doc FROM temp.event_fts_words ${range} UNION ALL SELECT term, doc FROM temp.head_fts_words ${range}`,
		)
		.raw()
		.all(beginning, end, beginning, end)
		.values() as IterableIterator<[string, number]>;
};

/**
 * Insertions, omissions, replacements and swaps of neighbours between a text and the nearest beginning of a word; more than
 * `limit` is only known to be more.
 */
export const slipsBetween = (text: string, word: string, limit: number): number => {
	let before: number[] = [];
	let previous = Array.from({length: text.length + 1}, (_, at) => at);
	let best = text.length;
	const end = Math.min(word.length, text.length + limit);
	for (let row = 1; row <= end; row++) {
		const current = [row];
		let least = row;
		for (let at = 1; at <= text.length; at++) {
			const isSame = text[at - 1] === word[row - 1];
			const isSwapped =
				row > 1 && at > 1 && text[at - 2] === word[row - 1] && text[at - 1] === word[row - 2];
			const slips = Math.min(
				(previous[at] as number) + 1,
				(current[at - 1] as number) + 1,
				(previous[at - 1] as number) + (isSame ? 0 : 1),
				isSwapped ? (before[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
			);
			current.push(slips);
			least = Math.min(least, slips);
		}
		best = Math.min(best, current[text.length] as number);
		if (least > limit) break;
		[before, previous] = [previous, current];
	}
	return best;
};
