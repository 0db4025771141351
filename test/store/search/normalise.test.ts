import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {humpsOf, indexText} from '../../../store/search/normalise.js';

describe('indexText', () => {
	it('leaves text without CJK and camelCase as it is', () => {
		const text = 'Plain text, with_parts and kebab-names in src/app/a.ts. HTTP v1.2.3\n';
		expect(indexText(text)).toBe(text);
	});

	it('appends the tails of each camelCase name once, on a line of its own', () => {
		expect(indexText('call getUserById, not getUserById or HTTPServer')).toBe(
			'call getUserById, not getUserById or HTTPServer\nuserbyid byid id\nserver',
		);
	});

	it('puts a space round every CJK character', () => {
		const words = indexText('設定ファイルを読む API세션').trim().split(/\s+/);
		expect(words).toEqual([...'設定ファイルを読む', 'API', '세', '션']);
	});

	it('finds CJK beyond the basic plane', () => {
		expect(indexText('a𠮷b').split(/\s+/)).toEqual(['a', '𠮷', 'b']);
	});

	it('composes what a file system took apart', () => {
		expect(indexText('ガラス'.normalize('NFD')).split(/\s+/).join('')).toBe('ガラス');
		expect(indexText('세션'.normalize('NFD')).split(/\s+/).join('')).toBe('세션');
	});

	it('makes no tails of base64', () => {
		const blob = 'aB3dEfG7hIjKlMnOpQ9rStUvWxYz'.repeat(200);
		expect(indexText(blob)).toBe(blob);
		const line = 'aB3dEfG7hIjKlMnOpQ9rStUvWxYz';
		expect(indexText(line)).toBe(line);
	});

	it('keeps every word of the text', () => {
		fc.assert(
			fc.property(fc.string({unit: 'binary', maxLength: 80}), text => {
				const squeezed = (value: string) => value.normalize('NFC').replace(/\s+/g, '');
				expect(squeezed(indexText(text)).startsWith(squeezed(text))).toBe(true);
			}),
		);
	});
});

describe('humpsOf', () => {
	it.each([
		['getUserById', [3, 7, 9]],
		['HTTPServer', [4]],
		['v2Beta', [2]],
		['innerHTML', [5]],
		['größeWert', [5]],
		['plain', []],
		['ALLCAPS', []],
	])('%s', (name, expected) => {
		expect(humpsOf(name)).toEqual(expected);
	});
});
