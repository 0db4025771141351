import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type LiteralPattern, literalOf, literalPattern} from '../../../source/deep-scan/literal.js';

const isInText = ({inText}: LiteralPattern, text: string): boolean => {
	inText.lastIndex = 0;
	return inText.test(text);
};
const isInBytes = ({inBytes}: LiteralPattern, text: string): boolean => {
	inBytes.lastIndex = 0;
	return inBytes.test(Buffer.from(text).toString('latin1'));
};

describe('literalOf', () => {
	it.each([
		['fix the  "Retry budget" agent:codex', 'fix the Retry budget'],
		['-word C++ after:2d', 'C++'],
		['"a  b', 'a b'],
		['"type":"x" agent:codex', '"type":"x"'],
		['say "it" now', 'say it now'],
		['agent:codex is:starred', ''],
		['   ', ''],
	])('%j', (query, text) => {
		expect(literalOf(query).text).toBe(text);
	});

	it('says what it does not do', () => {
		expect(literalOf('agent:codex').notes).toEqual(['Nothing to look for.']);
		expect(literalOf('a OR b').notes).toEqual([
			'A scan looks for one text: OR means nothing to it.',
		]);
		const long = literalOf('x'.repeat(100_000));
		expect(long.text).toHaveLength(1000);
		expect(long.notes).toEqual(['Only the first 1,000 characters are looked for.']);
	});
});

describe('literalPattern', () => {
	it.each([
		['deadlock', 'A DeadLock!', true],
		['deadlock', 'dead lock', false],
		['zürich', 'ZÜRICH', true],
		['zürich', 'z\\u00FCrich', true],
		['zürich', 'zurich', false],
		['say "hi"', '{"text":"say \\"hi\\""}', true],
		['say "hi"', '"{\\"text\\":\\"say \\\\\\"hi\\\\\\"\\"}"', true],
		['one two', '"one\\ntwo"', true],
		['one two', 'one\ntwo', false],
		['one two', 'one\t  two', true],
		['c:\\temp', '"C:\\\\temp"', true],
		['a<b', '"a\\u003cb"', true],
		['src/a.ts', '"src\\/a.ts"', true],
		['src/a.ts', 'src/axts', false],
		['東京', '"\\u6771\\u4eac"', true],
		['😀', '"\\ud83d\\ude00"', true],
		['(a|b)*', 'x (a|b)* y', true],
		['(a|b)*', 'aaa', false],
	])('%s in %s: %s', (text, stored, isFound) => {
		const pattern = literalPattern(text);
		expect(isInText(pattern, stored)).toBe(isFound);
		expect(isInBytes(pattern, stored)).toBe(isFound);
	});

	it('any text is found in the JSON that holds it, also in JSON inside of JSON, in any case', () => {
		const text = fc
			.string({unit: 'grapheme', minLength: 1, maxLength: 12})
			.map(value => value.replace(/\s+/g, ' ').trim())
			.filter(value => value !== '');
		fc.assert(
			fc.property(text, fc.nat(2), (value, depth) => {
				let stored = `before ${value} after`;
				for (let level = 0; level < depth; level++) stored = JSON.stringify({stored});
				const pattern = literalPattern(value);
				for (const written of [
					stored,
					value.toUpperCase() === value ? stored : stored.toLowerCase(),
				]) {
					const isSame =
						written === stored || stored.toLowerCase().toUpperCase() === stored.toUpperCase();
					if (isSame) expect(isInText(pattern, written)).toBe(true);
				}
				expect(isInBytes(pattern, stored)).toBe(true);
				const match = pattern.inBytes.exec('') ?? undefined;
				expect(match).toBeUndefined();
			}),
		);
	});
});
