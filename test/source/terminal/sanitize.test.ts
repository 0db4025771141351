import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {sanitize, sanitizeForFile, sanitizeLine} from '../../../source/terminal/sanitize.js';
import {anyText} from '../../helpers/texts.js';

/** Written apart from the filter: control characters but newline and tab, direction controls, separators, lone surrogates. */
const isForbidden = (character: string) => {
	const code = character.codePointAt(0) ?? 0;
	if (code === 9 || code === 10) return false;
	return (
		code < 32 ||
		(code >= 0x7f && code <= 0x9f) ||
		(code >= 0x202a && code <= 0x202e) ||
		(code >= 0x2066 && code <= 0x2069) ||
		(code >= 0xd800 && code <= 0xdfff) ||
		[0x61c, 0x200e, 0x200f, 0x2028, 0x2029].includes(code)
	);
};
const forbiddenIn = (text: string) => [...text].filter(isForbidden);

describe('sanitize', () => {
	it.each([
		['colour', '\x1b[31mred\x1b[0m', 'red'],
		['clear screen', 'a\x1b[2Jb', 'ab'],
		['hyperlink', '\x1b]8;;http://x\x07text\x1b]8;;\x07', 'text'],
		['clipboard write', 'a\x1b]52;c;aGk=\x07b', 'ab'],
		['8-bit sequences', 'a\x9b2Jb\x9d0;t\x9cc', 'abc'],
		['a sequence that is born by stripping', '\x1b\x1b[31m[2J', '[2J'],
		['another one', '\x1b[\x1b[2J2J', '[2J'],
		['an unterminated title', 'a\x1b]0;title', 'a]0;title'],
		['line ends', 'a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
		['overwriting', 'safe\b\b\b\bevil\x7f', 'safeevil'],
		['turned text', 'user\u202egnp.exe\u202c \u2066x\u2069\u200e\u200f\u061c', 'usergnp.exe x'],
		['half characters', 'a\ud83db\ude00c', 'a\ufffdb\ufffdc'],
		['a half character joined by dropping', '\ud83d\0\ude00', '😀'],
		['emoji and marks stay', '👨‍👩‍👧 e\u0301 שלום', '👨‍👩‍👧 e\u0301 שלום'],
	])('%s', (_, hostile, clean) => {
		expect(sanitize(hostile)).toBe(clean);
	});

	it('expands tabs to stops of four, counted in columns of the screen', () => {
		expect(sanitize('\ta\n日\tb\nabcd\te')).toBe('    a\n日  b\nabcd    e');
		expect(sanitizeForFile('\ta')).toBe('\ta');
	});

	it('gives one line for labels', () => {
		expect(sanitizeLine('  a\r\n\t b \x1b[1m\u2028c\u00a0 ')).toBe('a b c');
	});

	it('lets nothing through that a terminal obeys, and changes nothing twice', () => {
		fc.assert(
			fc.property(anyText, text => {
				for (const clean of [sanitize, sanitizeForFile, sanitizeLine]) {
					const once = clean(text);
					expect(forbiddenIn(once)).toEqual([]);
					expect(clean(once)).toBe(once);
				}
				expect(sanitize(text)).not.toContain('\t');
				expect(sanitizeLine(text)).not.toMatch(/[\n\t]|\s\s|^\s|\s$/);
			}),
			{numRuns: 1000},
		);
	});
});
