import fc from 'fast-check';
import {expect, test} from 'vitest';
import {joinWords, splitWords} from '../../../source/resume/words.js';

test.each([
	['', []],
	['  ', []],
	['--model opus', ['--model', 'opus']],
	[`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
	[`--x='a'"b"c`, ['--x=abc']],
	[`''`, ['']],
	[`"a \\"b\\" \\n"`, ['a "b" \\n']],
	['$HOME; `x` *', ['$HOME;', '`x`', '*']],
])('%j', (text, words) => {
	expect(splitWords(text)).toEqual(words);
});

test.each([`it's`, '"open', `a 'b`, 'end\\'])('%j is not complete', text => {
	expect(splitWords(text)).toBeNull();
});

test('what is joined is taken apart again', () => {
	fc.assert(
		fc.property(fc.array(fc.string({unit: 'binary'})), words => {
			expect(splitWords(joinWords(words))).toEqual(words);
		}),
	);
});
