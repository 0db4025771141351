import {describe, expect, it} from 'vitest';
import {type FirstText, titleOf} from '../../../store/sync/title.js';

const NAMELESS = {own: null, custom: null, generated: null, description: null};
const said = (...texts: readonly string[]): readonly FirstText[] =>
	texts.map(text => ({text, input: null}));

describe('a title out of what was said', () => {
	it.each([
		['Look at this\n[image png, 150 KB]', 'Look at this'],
		['[file report.pdf] [document]\nWhat does it say?', 'What does it say?'],
		['Why is [image] in my text?', 'Why is [image] in my text?'],
		['[file it] under bugs', '[file it] under bugs'],
		['[images] are broken', '[images] are broken'],
	])('leaves out lines that only stand for attachments: %j', (prompt, text) => {
		expect(titleOf(NAMELESS, said(prompt), [])).toEqual({text, from: 'prompt'});
	});

	it('passes over a prompt that was nothing but attachments', () => {
		const picture = '[image png, 150 KB]';
		expect(titleOf(NAMELESS, said(picture, 'And now?'), [])).toEqual({
			text: 'And now?',
			from: 'prompt',
		});
		expect(titleOf(NAMELESS, said(picture), said('A red barn. It stands alone.'))).toEqual({
			text: 'A red barn.',
			from: 'reply',
		});
		expect(titleOf(NAMELESS, said(picture), [])).toEqual({text: '(no prompt)', from: 'none'});
	});

	it('keeps a name as it was given, whatever it looks like', () => {
		expect(titleOf({...NAMELESS, custom: '[image]'}, said('Hello'), [])).toEqual({
			text: '[image]',
			from: 'custom',
		});
	});
});
