import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Line} from '../../../source/terminal/spans.js';
import {findMatches, findWords, markRanges, markWords} from '../../../source/transcript/matches.js';
import {rowText, textIn} from '../../helpers/rows.js';

const found = (text: string, ...words: readonly string[]) =>
	findWords(text, words).map(([start, end]) => text.slice(start, end));

describe('words of a query in a text', () => {
	test.each([
		['case and accents do not matter', 'Café CAFÉ cafe', ['cafe'], ['Café', 'CAFÉ', 'cafe']],
		['nor do they in the query', 'naïve', ['NAIVE'], ['naïve']],
		['decomposed accents belong to the match', 'cafe\u0301!', ['café'], ['cafe\u0301']],
		['a word is found at its beginning only', 'middleware ware', ['ware'], ['ware']],
		[
			'parts of names begin words',
			'getUserById parse_http HTTPServer',
			['user', 'http', 'server'],
			['User', 'http', 'HTTP', 'Server'],
		],
		['digits begin words', 'utf8 v1.2', ['8', '1'], ['8', '1']],
		[
			'paths and signs are taken literally',
			'see src/a.ts:12 and C++',
			['src/a.ts:12', 'c++'],
			['src/a.ts:12', 'C++'],
		],
		['there are no word starts in CJK', '中文搜索', ['搜'], ['搜']],
		['overlapping words are one match', 'authentic', ['auth', 'authentic'], ['authentic']],
		['empty words match nothing', 'abc', ['', '  '], []],
	] as const)('%s', (_, text, words, expected) => {
		expect(found(text, ...words)).toEqual(expected);
	});
});

describe('marking', () => {
	const line: Line = [
		{text: '│ ', style: 'gutter'},
		{text: 'the auth'},
		{text: 'Middleware', style: 'code'},
	];

	test('a match may span styles, and only its letters change', () => {
		const marked = markWords(line, ['auth', 'middle']);
		expect(rowText(marked)).toBe('│ the authMiddleware');
		expect(textIn([marked], 'match')).toBe('auth\nMiddle');
		expect(textIn([marked], 'code')).toBe('ware');
		expect(markWords(line, ['absent'])).toBe(line);
	});

	test('the current match can have a style of its own', () => {
		expect(textIn([markWords(line, ['auth'], 'matchCurrent')], 'matchCurrent')).toBe('auth');
	});

	test('every row of a block is looked at', () => {
		const rows = findMatches([line, [{text: 'no'}], [{text: 'auth'}]], ['auth']);
		expect(rows.map(row => row.some(span => span.style === 'match'))).toEqual([true, false, true]);
	});

	test('whatever is marked, the text stays', () => {
		const span = fc.record({text: fc.string({unit: 'binary'})});
		const range = fc
			.tuple(fc.nat(30), fc.nat(30))
			.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
		fc.assert(
			fc.property(
				fc.array(span),
				fc.array(fc.string({unit: 'grapheme'})),
				fc.array(range),
				(spans, words, ranges) => {
					const text = rowText(spans);
					expect(rowText(markWords(spans, words))).toBe(text);
					expect(rowText(markRanges(spans, ranges))).toBe(text);
				},
			),
		);
	});
});
