import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cleanSnippet} from '../../../source/commands/session-json.js';
import type {Match} from '../../../store/types.js';

describe('a snippet for scripts', () => {
	it('moves the matches when something before them is dropped', () => {
		const text = 'red \u001b[31malert\u0007 about  gannets';
		const at = text.indexOf('gannets');
		const {snippet, matches} = cleanSnippet(text, [[at, at + 7]]);
		expect(snippet).toBe('red alert about gannets');
		expect(matches).toEqual([[16, 23]]);
	});

	it('drops a match of which nothing is left', () => {
		expect(cleanSnippet('a\u0007b', [[1, 2]])).toEqual({snippet: 'ab', matches: []});
	});

	it('holds no control byte, and every match lies inside', () => {
		const character = fc.constantFrom(
			'a',
			'é',
			'日',
			' ',
			'\n',
			'\u001b',
			'[',
			'2',
			'J',
			'\u0007',
			'\u202e',
		);
		const text = fc.string({unit: character, maxLength: 40});
		const cuts = fc.uniqueArray(fc.nat(40), {maxLength: 6});
		fc.assert(
			fc.property(text, cuts, (value, positions) => {
				const sorted = positions.filter(at => at <= value.length).sort((a, b) => a - b);
				const ranges: Match[] = [];
				for (let index = 0; index + 1 < sorted.length; index += 2)
					ranges.push([sorted[index] ?? 0, sorted[index + 1] ?? 0]);
				const {snippet, matches} = cleanSnippet(value, ranges);
				expect(snippet).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
				for (const [start, end] of matches) {
					expect(start).toBeLessThan(end);
					expect(end).toBeLessThanOrEqual(snippet.length);
				}
			}),
		);
	});
});
