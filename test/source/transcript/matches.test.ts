import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Line} from '../../../source/terminal/spans.js';
import {markRanges} from '../../../source/transcript/matches.js';
import {rowText, textIn} from '../../helpers/rows.js';

test('a range may span styles, and only its letters change', () => {
	const line: Line = [
		{text: '│ ', style: 'gutter'},
		{text: 'the auth'},
		{text: 'Middleware', style: 'code'},
	];
	const marked = markRanges(line, [[6, 16]]);
	expect(rowText(marked)).toBe('│ the authMiddleware');
	expect(textIn([marked], 'match')).toBe('auth\nMiddle');
	expect(textIn([marked], 'code')).toBe('ware');
	expect(markRanges(line, [])).toBe(line);
});

test('whatever is marked, the text stays', () => {
	const span = fc.record({text: fc.string({unit: 'binary'})});
	const range = fc
		.tuple(fc.nat(30), fc.nat(30))
		.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
	fc.assert(
		fc.property(fc.array(span), fc.array(range), (spans, ranges) => {
			expect(rowText(markRanges(spans, ranges))).toBe(rowText(spans));
		}),
	);
});
