import {expect, test} from 'vitest';
import {wholeTextOf} from '../../source/whole-text.js';

test('the whole text is the string of the raw record that the stored text was cut from', () => {
	const output = 'line\n'.repeat(3_000);
	const raw = JSON.stringify({
		type: 'user',
		message: {content: [{type: 'tool_result', content: output}]},
		other: 'line',
	});
	expect(wholeTextOf(raw, {text: output.slice(0, 2_600)})).toBe(output);
});

test('a record that holds no such string, or is no JSON, is shown as it is', () => {
	expect(wholeTextOf('{"a":1}', {text: 'x'})).toBe('{"a":1}');
	expect(wholeTextOf('not json', {text: 'x'})).toBe('not json');
});
