import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {chosenIn, facetToken, withChosen} from '../../../source/app/facet-query.js';
import {parseQuery} from '../../../store/search/query.js';

describe('filters that are chosen from a list', () => {
	test.each([
		['', ['mill'], 'project:mill '],
		['token', ['mill', 'orchard'], 'token project:mill,orchard '],
		['a project:old b', ['mill'], 'a b project:mill '],
		['a project:old', [], 'a'],
		['-project:old', ['mill'], 'project:mill '],
		['a', ['two words', 'a,b'], 'a project:"two words","a,b" '],
	] as const)('%j with %j', (query, chosen, expected) => {
		const text = query.startsWith('-') ? '' : query;
		expect(withChosen(text, 'project', chosen)).toBe(expected);
	});

	test('an excluded value stays excluded', () => {
		expect(withChosen('-agent:codex', 'agent', ['gemini-cli'])).toBe(
			'-agent:codex agent:gemini-cli ',
		);
	});

	test('a date takes the place of every other date', () => {
		expect(withChosen('x after:2d before:1d', 'date', ['today'])).toBe('x date:today ');
		expect(chosenIn('x after:7d', 'date')).toEqual(['7d']);
	});

	test('what was chosen is found again, and reads as that filter', () => {
		const value = fc.string({unit: 'grapheme', minLength: 1}).filter(text => !/["]/.test(text));
		fc.assert(
			fc.property(fc.array(value, {minLength: 1, maxLength: 4}), values => {
				const text = withChosen('word', 'branch', values);
				const [, filter] = parseQuery(text, 0).parts;
				expect(filter).toMatchObject({kind: 'filter', name: 'branch'});
				expect(chosenIn(text, 'branch').length).toBe(values.length);
			}),
		);
	});

	test('a name that several values share is written as its path', () => {
		const all = [
			{value: '/a/web', label: 'web', count: 1},
			{value: '/b/web', label: 'web', count: 1},
			{value: '/b/mill', label: 'mill', count: 1},
		];
		expect(all.map(value => facetToken(value, all))).toEqual(['/a/web', '/b/web', 'mill']);
	});
});
