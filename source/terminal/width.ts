import {graphemesOf} from './graphemes.js';
import type {Line, Span} from './spans.js';

/** UTF-16 positions in a text; they never lie inside of a grapheme. */
type Range = readonly [start: number, end: number];

const printableAscii = /^[ -~]*$/;
/** Columns that the text takes on the screen, as Ink counts them; most text is ASCII and needs no segmenter. */
export function widthOf(text: string): number {
	if (printableAscii.test(text)) return text.length;
	let columns = 0;
	for (const grapheme of graphemesOf(text)) columns += grapheme.columns;
	return columns;
}

/** At most `columns` wide; what is cut off becomes an ellipsis. */
export function cut(text: string, columns: number, ellipsis = '…'): string {
	if (prefixEnd(text, columns) === text.length) return text;
	const room = columns - widthOf(ellipsis);
	return room < 0
		? text.slice(0, prefixEnd(text, columns))
		: text.slice(0, prefixEnd(text, room)) + ellipsis;
}

/** As `cut`, but keeps the end: for paths. */
export function cutStart(text: string, columns: number, ellipsis = '…'): string {
	if (prefixEnd(text, columns) === text.length) return text;
	const room = columns - widthOf(ellipsis);
	return room < 0
		? text.slice(suffixStart(text, columns))
		: ellipsis + text.slice(suffixStart(text, room));
}

/** Cut or filled with blanks to exactly `columns`. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
	let padded = cut(text, columns);
	// Twice at most: a blank can melt into a neighbouring mark (`ൎ` or a lone skin tone) and then adds no column of its own.
	for (let missing = columns - widthOf(padded); missing > 0; missing = columns - widthOf(padded))
		padded = align === 'left' ? padded + ' '.repeat(missing) : ' '.repeat(missing) + padded;
	return padded;
}

/**
 * Broken at blanks, else between graphemes; each newline begins a row. Indentation stays, blanks at a break go. A character that
 * is wider than the whole row has no place and is left out.
 */
export function wrap(text: string, columns: number): readonly string[] {
	return rowsOf(text, columns, columns).map(([start, end]) => text.slice(start, end));
}

export function lineWidth(line: Line): number {
	return widthOf(textOf(line));
}

export function cutLine(line: Line, columns: number, ellipsis = '…'): Line {
	const text = textOf(line);
	if (prefixEnd(text, columns) === text.length) return line;
	const room = columns - widthOf(ellipsis);
	if (room < 0) return sliceLine(line, [0, prefixEnd(text, columns)]);
	const kept = sliceLine(line, [0, prefixEnd(text, room)]);
	const last = kept.at(-1);
	return last
		? [...kept.slice(0, -1), {...last, text: last.text + ellipsis}]
		: [{...line[0], text: ellipsis}];
}

/** As `wrap`, for styled text; `indent` stands before every row but the first, if it leaves room. */
export function wrapLine(line: Line, columns: number, indent: Line = []): readonly Line[] {
	const indentColumns = lineWidth(indent);
	const hasIndent = indentColumns > 0 && indentColumns < columns;
	const laterColumns = hasIndent ? columns - indentColumns : columns;
	return rowsOf(textOf(line), columns, laterColumns).map((range, index) => {
		const row = sliceLine(line, range);
		return hasIndent && index > 0 ? [...indent, ...row] : row;
	});
}

function textOf(line: Line): string {
	return line.length === 1 && line[0] ? line[0].text : line.map(span => span.text).join('');
}

function sliceLine(line: Line, [start, end]: Range): Line {
	const spans: Span[] = [];
	let position = 0;
	for (const span of line) {
		const text = span.text.slice(Math.max(0, start - position), Math.max(0, end - position));
		if (text !== '') spans.push(text === span.text ? span : {...span, text});
		position += span.text.length;
	}
	return spans;
}

/** End of the longest beginning that fits. */
function prefixEnd(text: string, columns: number): number {
	if (printableAscii.test(text)) return Math.max(0, Math.min(text.length, columns));
	let used = 0;
	for (const grapheme of graphemesOf(text)) {
		used += grapheme.columns;
		if (used > columns) return grapheme.index;
	}
	return text.length;
}

/** Start of the longest end that fits. */
function suffixStart(text: string, columns: number): number {
	let start = text.length;
	let used = 0;
	for (const grapheme of [...graphemesOf(text)].reverse()) {
		used += grapheme.columns;
		if (used > columns) break;
		start = grapheme.index;
	}
	return start;
}

/** Finished rows, and the one that is being filled: from `start` to `end`, `used` columns of it taken. */
interface Rows {
	readonly ranges: Range[];
	readonly firstColumns: number;
	readonly laterColumns: number;
	start: number;
	end: number;
	used: number;
}

function rowsOf(text: string, firstColumns: number, laterColumns: number): readonly Range[] {
	const rows: Rows = {ranges: [], firstColumns, laterColumns, start: 0, end: 0, used: 0};
	let rowsBefore = 0;
	const endParagraph = (nextStart: number) => {
		if (rows.end > rows.start || rows.ranges.length === rowsBefore)
			rows.ranges.push([rows.start, rows.end]);
		rowsBefore = rows.ranges.length;
		beginRow(rows, nextStart);
	};
	for (const {0: token, index} of text.matchAll(/\n|[^ \n]+/g)) {
		if (token === '\n') endParagraph(index + 1);
		else addWord(rows, token, index);
	}
	endParagraph(text.length);
	return rows.ranges;
}

function addWord(rows: Rows, word: string, at: number): void {
	const blanks = at - rows.end;
	const width = widthOf(word);
	if (rows.used + blanks + width <= roomOf(rows)) {
		extendRow(rows, at + word.length, blanks + width);
	} else if (width <= rows.laterColumns) {
		breakRow(rows, at);
		extendRow(rows, at + word.length, width);
	} else {
		// A word that fits no row is broken from where it stands, so that a long path does not leave a hole before it.
		if (rows.used + blanks < roomOf(rows)) rows.used += blanks;
		else breakRow(rows, at);
		addGraphemes(rows, word, at);
	}
}

function addGraphemes(rows: Rows, word: string, wordStart: number): void {
	for (const {text, index, columns} of graphemesOf(word)) {
		const at = wordStart + index;
		if (rows.used + columns > roomOf(rows)) breakRow(rows, at);
		if (columns > roomOf(rows)) breakRow(rows, at + text.length);
		else extendRow(rows, at + text.length, columns);
	}
}

function roomOf(rows: Rows): number {
	return rows.ranges.length === 0 ? rows.firstColumns : rows.laterColumns;
}

function beginRow(rows: Rows, at: number): void {
	rows.start = at;
	rows.end = at;
	rows.used = 0;
}

/** Indentation that found no word beside it is no row of its own. */
function breakRow(rows: Rows, at: number): void {
	if (rows.end > rows.start) rows.ranges.push([rows.start, rows.end]);
	beginRow(rows, at);
}

function extendRow(rows: Rows, end: number, width: number): void {
	rows.end = end;
	rows.used += width;
}
