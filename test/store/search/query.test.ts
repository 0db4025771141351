import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	FILTER_NAMES,
	parseQuery,
	printQuery,
	type QueryPart,
	queryTokens,
} from '../../../store/search/query.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const parts = (text: string) => parseQuery(text, NOW).parts;
const word = (text: string) => ({kind: 'word', text, isClosed: true});
const words = (...texts: string[]): unknown => ({
	kind: 'words',
	terms: texts.map(word),
	isNegated: false,
});

describe('parseQuery', () => {
	it('splits words at white space and keeps punctuation inside of them', () => {
		expect(parts(' src/a.ts:12  v1.2.3\t@scope/pkg C++ it\'s foo(bar) TODO: foo"bar ')).toEqual(
			['src/a.ts:12', 'v1.2.3', '@scope/pkg', 'C++', "it's", 'foo(bar)', 'TODO:', 'foo"bar'].map(
				text => words(text),
			),
		);
	});

	it('reads phrases, closed or not', () => {
		expect(parts('"exact phrase" "still typ')).toEqual([
			{
				kind: 'words',
				isNegated: false,
				terms: [{kind: 'phrase', text: 'exact phrase', isClosed: true}],
			},
			{
				kind: 'words',
				isNegated: false,
				terms: [{kind: 'phrase', text: 'still typ', isClosed: false}],
			},
		]);
	});

	it('excludes words, phrases and filters by a minus', () => {
		expect(parts('-word -"a b" -agent:pi').map(part => part.isNegated)).toEqual([true, true, true]);
	});

	it.each(['--no-sync', '-', '->', '--'])('takes %j as it stands', text => {
		expect(parts(text)).toEqual([words(text)]);
	});

	it('joins words and equal filters by OR', () => {
		expect(parts('a b OR c d')).toEqual([words('a'), words('b', 'c'), words('d')]);
		expect(parts('agent:pi OR agent:amp')).toEqual([
			{kind: 'filter', name: 'agent', values: ['pi', 'amp'], isNegated: false},
		]);
	});

	it.each([
		['a OR', [words('a')]],
		['OR', [words('OR')]],
		['a OR is:starred', 2],
		['a OR -b', 2],
	])('lets an OR that joins nothing go: %s', (text, expected) => {
		if (typeof expected === 'number') expect(parts(text)).toHaveLength(expected);
		else expect(parts(text)).toEqual(expected);
	});

	it.each(['AND', 'NOT', 'NEAR(', 'or', 'foo:bar', 'http://x', ':'])('%s is a plain word', text => {
		expect(parts(text)).toEqual([words(text)]);
	});

	it('knows every filter, in any case, with lists and quoted values', () => {
		for (const name of FILTER_NAMES)
			expect(parts(`${name.toUpperCase()}:x`)).toEqual([
				{kind: 'filter', name, values: ['x'], isNegated: false},
			]);
		expect(parts('project:"my app",web -agent:claude,codex')).toEqual([
			{kind: 'filter', name: 'project', values: ['my app', 'web'], isNegated: false},
			{kind: 'filter', name: 'agent', values: ['claude', 'codex'], isNegated: true},
		]);
	});

	it('a filter without a value yet filters nothing', () => {
		expect(parts('agent: project:"" in:,')).toEqual([]);
	});

	it.each([
		['mid', true],
		['mid ', false],
		['"mid', true],
		['"mid"', false],
		['mid is:starred', false],
		['mid OR', false],
		['', false],
	])('whether the last word of %j may still go on', (text, expected) => {
		expect(parseQuery(text, NOW).isOpen).toBe(expected);
	});
});

describe('queryTokens', () => {
	it('says what is what, for colouring', () => {
		const text = 'a OR b -c "d e" agent:pi,amp -"f';
		expect(queryTokens(text).map(({start, end, kind}) => [text.slice(start, end), kind])).toEqual([
			['a', 'word'],
			['OR', 'operator'],
			['b', 'word'],
			['-c', 'negated'],
			['"d e"', 'phrase'],
			['agent:pi,amp', 'filter'],
			['-"f', 'negated'],
		]);
	});
});

const anyText = fc.oneof(
	fc.string({unit: 'binary', maxLength: 60}),
	fc
		.array(
			fc.constantFrom(
				...['"', '-', ' ', ':', ',', 'OR', 'a', 'b9', 'agent:', 'in:', '\t', '東', '\ud800', 'é'],
			),
			{maxLength: 20},
		)
		.map(pieces => pieces.join('')),
);

describe('every text', () => {
	it('is a query that prints as the same query', () => {
		fc.assert(
			fc.property(anyText, text => {
				const query = parseQuery(text, NOW);
				expect(parseQuery(printQuery(query), NOW)).toEqual(query);
			}),
			{numRuns: 2000},
		);
	});

	it('is covered by its tokens but for white space', () => {
		fc.assert(
			fc.property(anyText, text => {
				let rest = '';
				let at = 0;
				for (const {start, end} of queryTokens(text)) {
					expect(start).toBeGreaterThanOrEqual(at);
					expect(end).toBeGreaterThan(start);
					rest += text.slice(at, start);
					at = end;
				}
				expect((rest + text.slice(at)).trim()).toBe('');
			}),
		);
	});

	it('even a very long one', () => {
		for (const piece of ['x', 'x ', '-', '- ', '"', '" ', 'agent:', 'a,', '-"', 'OR '])
			expect(parseQuery(piece.repeat(100_000 / piece.length), NOW).parts).toBeInstanceOf(Array);
	});
});

const someWord = fc.stringMatching(/^[a-z0-9/._]{1,8}$/);
const somePart: fc.Arbitrary<QueryPart> = fc.oneof(
	fc.record({
		kind: fc.constant('words' as const),
		terms: fc.array(
			fc.oneof(
				someWord.map(text => ({kind: 'word' as const, text, isClosed: true})),
				fc
					.array(someWord, {minLength: 1, maxLength: 3})
					.map(list => ({kind: 'phrase' as const, text: list.join(' '), isClosed: true})),
			),
			{minLength: 1, maxLength: 1},
		),
		isNegated: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('filter' as const),
		name: fc.constantFrom(...FILTER_NAMES),
		values: fc.array(fc.oneof(someWord, fc.constantFrom('my app', 'a,b')), {
			minLength: 1,
			maxLength: 3,
		}),
		isNegated: fc.boolean(),
	}),
);

it('a query made by hand survives being printed', () => {
	fc.assert(
		fc.property(fc.array(somePart, {maxLength: 6}), list => {
			const query = {parts: list, isOpen: false, nowMs: NOW};
			expect(parseQuery(printQuery(query), NOW)).toEqual(query);
		}),
	);
});
