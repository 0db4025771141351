import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import type {Line, StyleName} from '../../../source/terminal/spans.js';
import {
	cut,
	cutLine,
	cutStart,
	lineWidth,
	pad,
	widthOf,
	wrap,
	wrapLine,
} from '../../../source/terminal/width.js';
import {cleanText} from '../../helpers/texts.js';

const columnsWanted = fc.integer({min: 0, max: 40});
const paragraphs = fc.array(cleanText, {maxLength: 4}).map(lines => lines.join('\n'));
const styles: readonly (StyleName | undefined)[] = ['bold', 'match', 'dim', undefined];

/** Spans that may end anywhere, even inside of a character. */
const styledLine = (text: fc.Arbitrary<string>): fc.Arbitrary<Line> =>
	fc.tuple(text, fc.array(fc.nat(), {maxLength: 4})).map(([whole, cuts]) => {
		const ends = [
			0,
			...cuts.map(cutAt => cutAt % (whole.length + 1)).sort((a, b) => a - b),
			whole.length,
		];
		return ends.slice(1).map((end, index) => {
			const style = styles[index % styles.length];
			const piece = whole.slice(ends[index], end);
			return style === undefined ? {text: piece} : {text: piece, style};
		});
	});

const textOf = (line: Line) => line.map(span => span.text).join('');
const graphemes = (text: string) =>
	[...new Intl.Segmenter().segment(text)].map(({segment}) => segment);
/** What must survive wrapping: all but blanks and line ends, in whole characters. */
const inked = (texts: readonly string[]) =>
	texts
		.flatMap(text => text.split('\n'))
		.flatMap(graphemes)
		.map(grapheme => grapheme.replaceAll(' ', ''))
		.filter(grapheme => grapheme !== '');

const check = (property: fc.IPropertyWithHooks<unknown[]> | fc.IProperty<unknown[]>) =>
	fc.assert(property as fc.IProperty<unknown[]>, {numRuns: 600});

describe('cut', () => {
	it.each([
		['hello world', 8, 'hello w…'],
		['hello', 5, 'hello'],
		['日本語', 5, '日本…'],
		['日本語', 4, '日…'],
		['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3, '👨‍👩‍👧‍👦…'],
		['cafe\u0301s!', 5, 'cafe\u0301…'],
		['abc', 1, '…'],
		['abc', 0, ''],
	])('%s to %i columns', (text, columns, expected) => {
		expect(cut(text, columns)).toBe(expected);
	});

	it('drops an ellipsis that has no room', () => {
		expect(cut('abcdef', 2, '...')).toBe('ab');
	});

	it('keeps the end of a path', () => {
		expect(cutStart('/home/someone/code/api', 10)).toBe('…/code/api');
		expect(cutStart('日本語', 4)).toBe('…語');
	});

	it('is never wider than asked, never cuts a character, and keeps what fits', () => {
		check(
			fc.property(cleanText, columnsWanted, (text, columns) => {
				const start = cut(text, columns);
				const end = cutStart(text, columns);
				expect(stringWidth(start)).toBeLessThanOrEqual(columns);
				expect(stringWidth(end)).toBeLessThanOrEqual(columns);
				if (stringWidth(text) <= columns) expect([start, end]).toEqual([text, text]);
				else {
					const whole = graphemes(text);
					const kept = graphemes(start.replace(/…$/, ''));
					expect(kept).toEqual(whole.slice(0, kept.length));
					const tail = graphemes(end.replace(/^…/, ''));
					expect(tail).toEqual(whole.slice(whole.length - tail.length));
				}
			}),
		);
	});
});

describe('pad', () => {
	it('fills on either side', () => {
		expect(pad('日', 4)).toBe('日  ');
		expect(pad('12', 4, 'right')).toBe('  12');
		expect(pad('12345', 4)).toBe('123…');
	});

	it('gives exactly the columns asked for', () => {
		check(
			fc.property(
				cleanText,
				columnsWanted,
				fc.constantFrom('left', 'right'),
				(text, columns, align) => {
					expect(stringWidth(pad(text, columns, align as 'left' | 'right'))).toBe(columns);
				},
			),
		);
	});
});

describe('wrap', () => {
	it.each([
		['words', 'the quick brown fox', 10, ['the quick', 'brown fox']],
		['indentation and inner blanks', '  if (a)  {\n\tb', 20, ['  if (a)  {', '\tb']],
		['empty lines', 'a\n\nb\n', 10, ['a', '', 'b', '']],
		[
			'a long word from where it stands',
			'see /a/very/long/path',
			10,
			['see /a/ver', 'y/long/pat', 'h'],
		],
		[
			'a long word in an indented row',
			'    /a/very/long/path',
			10,
			['    /a/ver', 'y/long/pat', 'h'],
		],
		['CJK', '日本語のテキスト', 7, ['日本語', 'のテキ', 'スト']],
		['no room for a wide character', 'a日b', 1, ['a', 'b']],
		['nothing', '', 10, ['']],
		['only blanks', '     ', 3, ['']],
		['no columns', 'abc', 0, ['']],
	] as const)('%s', (_, text, columns, rows) => {
		expect(wrap(text, columns)).toEqual(rows);
	});

	it('is never wider than asked and loses nothing but blanks', () => {
		check(
			fc.property(paragraphs, columnsWanted, (text, columns) => {
				const rows = wrap(text, columns);
				for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
				const hasRoom = graphemes(text).every(grapheme => stringWidth(grapheme) <= columns);
				if (hasRoom) expect(inked(rows)).toEqual(inked([text]));
			}),
		);
	});
});

describe('lines of spans', () => {
	const line: Line = [
		{text: 'the quick ', style: 'bold'},
		{text: 'brown'},
		{text: ' fox', style: 'match'},
	];

	it('keep their styles when cut', () => {
		expect(cutLine(line, 12)).toEqual([{text: 'the quick ', style: 'bold'}, {text: 'b…'}]);
		expect(cutLine(line, 99)).toBe(line);
	});

	it('keep their styles when wrapped, with an indent before later rows', () => {
		expect(wrapLine(line, 11, [{text: '  '}])).toEqual([
			[{text: 'the quick', style: 'bold'}],
			[{text: '  '}, {text: 'brown'}, {text: ' fox', style: 'match'}],
		]);
	});

	it('are never wider than asked, and say the same as plain text', () => {
		check(
			fc.property(
				styledLine(paragraphs),
				columnsWanted,
				fc.nat(5),
				(spans, columns, indentColumns) => {
					const text = textOf(spans);
					const indent = [{text: ' '.repeat(indentColumns)}];
					for (const row of wrapLine(spans, columns, indent))
						expect(lineWidth(row)).toBeLessThanOrEqual(columns);
					expect(wrapLine(spans, columns).map(textOf)).toEqual(wrap(text, columns));
				},
			),
		);
		check(
			fc.property(styledLine(cleanText), columnsWanted, (spans, columns) => {
				expect(textOf(cutLine(spans, columns))).toBe(cut(textOf(spans), columns));
				expect(lineWidth(spans)).toBe(widthOf(textOf(spans)));
			}),
		);
	});
});
