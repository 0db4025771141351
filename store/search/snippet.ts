/** One line of a text around the best place of a query's words. */
import stringWidth from 'string-width';
import type {Match} from '../types.js';
import {findPlaces} from './highlight.js';
import type {SearchTerm} from './match.js';

export interface Snippet {
	/** White space folded, `…` where it was cut. */
	readonly snippet: string;
	readonly matches: readonly Match[];
}

const SNIPPET_COLUMNS = 160;
// Little enough that the first match stays in view when a narrow list cuts the line once more.
const LEAD_CHARS = 24;
// Past the first place, further words are looked for only this far: a text may have 256 KiB.
const LOOK_AHEAD_CHARS = 16_384;

export const makeSnippet = (
	text: string,
	terms: readonly SearchTerm[],
	columns = SNIPPET_COLUMNS,
): Snippet => {
	const places = findPlaces(text, terms, LOOK_AHEAD_CHARS);
	return snippetAt(text, bestAnchor(places, columns - LEAD_CHARS), {columns, places});
};

/** One line from a little before the anchor on, with all places in it marked. */
export const snippetAt = (
	text: string,
	anchor: number | undefined,
	{
		columns = SNIPPET_COLUMNS,
		places,
	}: {
		readonly columns?: number;
		readonly places: readonly {readonly start: number; readonly end: number}[];
	},
): Snippet => oneLine(text, anchor === undefined ? 0 : leadIn(text, anchor), {columns, places});

/** True if a snippet of this text would show any of the words. */
export const showsWords = ({matches}: Snippet): boolean => matches.length > 0;

/** The place with the most different words close behind it; the first of these. */
const bestAnchor = (
	places: readonly {readonly start: number; readonly end: number; readonly term: number}[],
	reach: number,
): number | undefined => {
	let best: number | undefined;
	let most = 0;
	for (const [index, {start}] of places.entries()) {
		const near = new Set<number>();
		for (let next = index; next < places.length; next++) {
			const place = places[next];
			if (place === undefined || place.end > start + reach) break;
			near.add(place.term);
		}
		if (near.size > most) {
			most = near.size;
			best = start;
		}
	}
	return best ?? places[0]?.start;
};

/** A little of what stands before, from the beginning of a word if there is one. */
const leadIn = (text: string, anchor: number): number => {
	const earliest = Math.max(0, anchor - LEAD_CHARS);
	if (earliest === 0) return 0;
	const border = text.slice(earliest, anchor).search(/\s\S/);
	if (border >= 0) return earliest + border + 1;
	// A word longer than the lead: from the anchor, which is a border of characters in any script.
	return anchor;
};

const NOT_ASCII = /[^\0-\x7f]/;
const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

function* graphemes(text: string): Generator<string> {
	if (!NOT_ASCII.test(text)) yield* text;
	else for (const {segment} of segmenter.segment(text)) yield segment;
}

const widthOf = (grapheme: string): number =>
	NOT_ASCII.test(grapheme) ? stringWidth(grapheme) : 1;

const oneLine = (
	text: string,
	from: number,
	{
		columns,
		places,
	}: {columns: number; places: readonly {readonly start: number; readonly end: number}[]},
): Snippet => {
	let snippet = from > 0 ? '…' : '';
	let width = from > 0 ? 1 : 0;
	let at = from;
	// Where each position of the text went; runs of white space share a place.
	const placeOf = new Map<number, number>();
	const beginning = snippet.length;
	// Enough for the line in any script; white space that folds away may shorten it.
	for (const grapheme of graphemes(text.slice(from, from + columns * 8))) {
		const isSpace = /^\s+$/.test(grapheme);
		const isFolded = isSpace && (snippet.length === beginning || snippet.endsWith(' '));
		const shown = isSpace ? ' ' : grapheme;
		const added = isFolded ? 0 : widthOf(shown);
		if (width + added > columns - 1) break;
		placeOf.set(at, snippet.length);
		if (!isFolded) snippet += shown;
		width += added;
		at += grapheme.length;
	}
	const line = snippet.trimEnd();
	// A place inside of a grapheme counts up to the grapheme's end.
	const placeFrom = (position: number): number => {
		for (let next = position; next < at; next++) {
			const place = placeOf.get(next);
			if (place !== undefined) return Math.min(place, line.length);
		}
		return line.length;
	};
	const matches = places.flatMap(({start, end}): Match[] => {
		if (end <= from || start >= at) return [];
		const [first, last] = [placeFrom(Math.max(start, from)), placeFrom(end)];
		return first < last ? [[first, last]] : [];
	});
	return {snippet: text.slice(at).trim() === '' ? line : `${line}…`, matches};
};
