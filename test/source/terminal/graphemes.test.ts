import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, it} from 'vitest';
import {graphemesOf} from '../../../source/terminal/graphemes.js';
import {cleanText} from '../../helpers/texts.js';

const segmenter = new Intl.Segmenter();

const byIntl = (text: string) =>
	Array.from(segmenter.segment(text), ({segment, index}) => ({
		text: segment,
		index,
		columns: stringWidth(segment),
	}));

describe('graphemesOf', () => {
	it('cuts as Intl.Segmenter does', () => {
		fc.assert(
			fc.property(fc.oneof(cleanText, fc.string({unit: 'binary', maxLength: 200})), text => {
				expect([...graphemesOf(text)]).toEqual(byIntl(text));
			}),
			{numRuns: 1000},
		);
	});

	it('knows each character of the basic plane', () => {
		const wrong: string[] = [];
		for (let code = 0; code < 0x1_00_00; code++) {
			const text = `a${String.fromCharCode(code).repeat(2)}日`;
			const cuts = [...graphemesOf(text)].map(({index}) => index).join();
			const expected = Array.from(segmenter.segment(text), ({index}) => index).join();
			if (cuts !== expected) wrong.push(code.toString(16));
		}
		expect(wrong).toEqual([]);
	});

	it.each([
		['flags', '🇩🇪'.repeat(100)],
		['an odd number of flag letters', `a${'🇩'.repeat(99)}`],
		['one character of many marks', `e${'\u0301'.repeat(300)}x`],
		['families', '👨‍👩‍👧‍👦'.repeat(30)],
		['conjuncts', 'क्षत्रिय'.repeat(40)],
		['hearts inside of couples', '👩‍❤️‍👨x❤️❤'.repeat(20)],
		['syllables and their parts', '가\u11a8각\u1161나'.repeat(40)],
	])('also across the windows: %s', (_, text) => {
		for (let shift = 0; shift < 8; shift++) {
			const shifted = '\u0301'.repeat(shift) + text;
			expect([...graphemesOf(shifted)]).toEqual(byIntl(shifted));
		}
	});
});
