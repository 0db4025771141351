import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import {findMatches} from '../../../store/search/highlight.js';
import {searchWords} from '../../../store/search/match.js';
import {parseQuery} from '../../../store/search/query.js';
import {makeSnippet} from '../../../store/search/snippet.js';

const terms = (query: string) => searchWords(parseQuery(query, 0)).groups.flat();
const marked = (text: string, query: string) =>
	findMatches(text, terms(query)).map(([start, end]) => text.slice(start, end));

describe('findMatches', () => {
	it.each([
		['the Middleware of middle', 'middlew', ['Middlew']],
		['CAFÉ and cafe\u0301', 'cafe', ['CAFÉ', 'cafe\u0301']],
		['call getUserById now', 'userby', ['UserBy']],
		['call getUserById now', 'getuser', ['getUser']],
		['see src/app/a.ts:12 there', 'src/app/a.ts:12', ['src/app/a.ts:12']],
		['see src/app/a.tsx', 'src/app/a.ts', ['src/app/a.ts']],
		['東京タワーの設定', 'タワー', ['タワー']],
		['東京タワー', '京', ['京']],
		['use C++ or C', 'C++', ['C', 'C']],
		['a cat and a catalog', '"cat"', ['cat']],
		['get_user and getUserById', '"get_user"', ['get_user']],
		["it's broken", "it's broken", ["it's", 'broken']],
		['nothing here', 'missing', []],
		['', 'x', []],
	])('in %j of %j', (text, query, expected) => {
		expect(marked(text, query)).toEqual(expected);
	});

	it('gives places in order that do not overlap', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('a', 'ab', 'abC', 'É', '東', ' ', '-', '\ud83d\ude00')),
				fc.array(fc.constantFrom('a', 'ab', 'c', 'e', '東', '"a b"', 'a-b'), {minLength: 1}),
				(pieces, query) => {
					const text = pieces.join('');
					let at = 0;
					for (const [start, end] of findMatches(text, terms(query.join(' ')))) {
						expect(start).toBeGreaterThanOrEqual(at);
						expect(end).toBeGreaterThan(start);
						at = end;
					}
					expect(at).toBeLessThanOrEqual(text.length);
				},
			),
		);
	});
});

describe('makeSnippet', () => {
	const shown = (text: string, query: string, columns?: number) => {
		const {snippet, matches} = makeSnippet(text, terms(query), columns);
		return {snippet, marked: matches.map(([start, end]) => snippet.slice(start, end))};
	};

	it('shows a short text whole, on one line', () => {
		expect(shown('  Fix the\n\n\tmiddleware  \n', 'middle')).toEqual({
			snippet: 'Fix the middleware',
			marked: ['middle'],
		});
	});

	it('cuts around the match and says so', () => {
		const text = `${'before '.repeat(100)}the needle is here ${'after '.repeat(100)}`;
		const {snippet, marked: words} = shown(text, 'needle', 60);
		expect(words).toEqual(['needle']);
		expect(snippet).toMatch(/^….*the needle is here.*…$/);
		expect(snippet.indexOf('needle')).toBeLessThan(30);
	});

	it('prefers the place where the words stand together', () => {
		const text = `token ${'filler '.repeat(60)}the refresh token is lost`;
		expect(shown(text, 'refresh token', 60).marked).toEqual(['refresh', 'token']);
	});

	it('without a match shows the beginning', () => {
		expect(shown('first line\nsecond line', 'absent')).toEqual({
			snippet: 'first line second line',
			marked: [],
		});
	});

	it('never splits a character and never exceeds the columns', () => {
		const family = '👨‍👩‍👧‍👦';
		const text = fc
			.array(fc.constantFrom('word ', '東京', family, 'e\u0301', '\n', '🇩🇪', 'x', '  '), {
				maxLength: 60,
			})
			.map(pieces => pieces.join(''));
		fc.assert(
			fc.property(text, fc.integer({min: 30, max: 80}), (source, columns) => {
				const {snippet, matches} = makeSnippet(source, terms('京 word e'), columns);
				expect(stringWidth(snippet)).toBeLessThanOrEqual(columns);
				expect(snippet).not.toMatch(/[\n\t]/);
				expect(snippet.replaceAll(family, '')).not.toContain('\u200d');
				for (const [start, end] of matches)
					expect(snippet.slice(start, end)).toMatch(/^(?:京|word|e\u0301)$/);
			}),
		);
	});

	it('is fast enough for a long text', () => {
		const text = `${'filler words without end '.repeat(10_000)}needle`;
		expect(makeSnippet(text, terms('needle')).matches).toHaveLength(1);
	});
});
