import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {editField, type Field, insertText} from '../../../source/app/text-edit.js';

const at = (marked: string): Field => {
	const cursor = marked.indexOf('|');
	return {text: marked.replace('|', ''), cursor};
};
const shown = ({text, cursor}: Field): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('editing keys', () => {
	test.each([
		['left', 'ab|c', 'a|bc'],
		['left', '|ab', '|ab'],
		['right', 'a|bc', 'ab|c'],
		['right', 'ab|', 'ab|'],
		['ctrl+a', 'one two|', '|one two'],
		['ctrl+e', '|one', 'one|'],
		['alt+b', 'one two|', 'one |two'],
		['alt+f', '|one two', 'one| two'],
		['backspace', 'ab|c', 'a|c'],
		['delete', 'a|bc', 'a|c'],
		['ctrl+w', 'one two |x', 'one |x'],
		['ctrl+u', 'one two|x', '|x'],
		['backspace', 'a👨‍👩‍👧|', 'a|'],
		['left', 'é|', '|é'],
	])('%s in %s', (chord, before, after) => {
		expect(shown(editField(at(before), chord) as Field)).toBe(after);
	});

	test('leaves other keys to the app', () => {
		for (const chord of ['ctrl+f', 'ctrl+k', 'enter', 'up', 'f1'])
			expect(editField(at('a|b'), chord)).toBeUndefined();
	});

	test('a paste becomes one line', () => {
		expect(shown(insertText(at('a|b'), 'x\n\ty\u001b[2J'))).toBe('ax y [2J|b');
	});

	test('the cursor stays inside of the text and between graphemes', () => {
		const chords = ['left', 'right', 'backspace', 'delete', 'ctrl+w', 'alt+b', 'alt+f', 'ctrl+u'];
		fc.assert(
			fc.property(
				fc.string({unit: 'grapheme', maxLength: 12}),
				fc.array(fc.constantFrom(...chords)),
				(text, keys) => {
					const end = keys.reduce<Field>((field, key) => editField(field, key) ?? field, {
						text,
						cursor: text.length,
					});
					expect(end.cursor).toBeGreaterThanOrEqual(0);
					expect(end.cursor).toBeLessThanOrEqual(end.text.length);
				},
			),
		);
	});
});
