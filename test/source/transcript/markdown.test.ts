import '../../helpers/libraries.js';
import {describe, expect, test} from 'vitest';
import {lineWidth} from '../../../source/terminal/width.js';
import {codeLines} from '../../../source/transcript/code.js';
import {markdownRows} from '../../../source/transcript/markdown.js';
import {symbolsFor} from '../../../source/transcript/options.js';
import {fitColumns} from '../../../source/transcript/table.js';
import {screenText, textIn} from '../../helpers/rows.js';

const rows = (text: string, columns = 60) => markdownRows(text, columns, symbolsFor());
const shown = (text: string, columns = 60) => screenText(rows(text, columns));

describe('markdown', () => {
	test('blocks stand as far apart as they were written', () => {
		expect(shown('# Title\ntext\n- a\n- b\n\nend')).toBe('Title\ntext\n• a\n• b\n\nend');
	});

	test('inline styles lose their marks and keep their words', () => {
		const lines = rows('a **bold** _thin_ ~~gone~~ `code` x');
		expect(screenText(lines)).toBe('a bold thin gone code x');
		expect(textIn(lines, 'strong')).toBe('bold');
		expect(textIn(lines, 'code')).toBe('code');
	});

	test('lines that were broken stay broken', () => {
		expect(shown('Status: ok\nCount: 3')).toBe('Status: ok\nCount: 3');
	});

	test('a link shows where it leads, once', () => {
		expect(shown('[docs](https://example.com/a)')).toBe('docs (https://example.com/a)');
		expect(shown('<https://example.com/a>')).toBe('https://example.com/a');
		expect(shown('![logo](data:image/png;base64,AAAA)')).toBe('[image logo]');
	});

	test('lists nest, count and can be ticked', () => {
		expect(shown('9. a\n10. b\n    - c\n\n- [x] d\n- [ ] e')).toBe(
			' 9. a\n10. b\n    • c\n\n✓ d\n○ e',
		);
	});

	test('a quote keeps its mark on every row', () => {
		expect(shown('> one two three', 9)).toBe('│ one two\n│ three');
	});

	test('html is text, entities are read', () => {
		expect(shown('<details>\n<b>x</b>\n</details>')).toBe('<details>\n<b>x</b>\n</details>');
		expect(shown('a &lt;b&gt; &amp;amp; &#8217;')).toBe('a <b> &amp; ’');
	});

	test('a numeric entity cannot smuggle in a control character', () => {
		expect(shown('x &#27;[2J &#x1b;]0;y&#7; &#155;2J ![&#27;c](u)')).not.toMatch(
			/[\0-\x1f\x7f-\x9f]/,
		);
	});

	test('code keeps indentation and fences, and gets colours', () => {
		const lines = rows('```ts\nif (a) {\n  return "b"; // c\n}\n```');
		expect(screenText(lines)).toBe('  ```ts\n  if (a) {\n    return "b"; // c\n  }\n  ```');
		expect(textIn(lines, 'codeKeyword')).toBe('if\nreturn');
		expect(textIn(lines, 'codeString')).toBe('"b"');
		expect(textIn(lines, 'codeComment')).toBe('// c');
	});

	test('a table is aligned by what is seen, and long cells wrap inside of their column', () => {
		expect(shown('| a | n |\n|---|--:|\n| 日本 | 1 |\n| x | 22 |')).toBe(
			'a      n\n────  ──\n日本   1\nx     22',
		);
		const narrow = rows('| key | text |\n|---|---|\n| k | one two three four |', 16);
		expect(narrow.every(line => lineWidth(line) <= 16)).toBe(true);
		expect(screenText(narrow)).toContain('one two');
		expect(screenText(narrow)).toContain('three four');
	});

	test.each([
		['overflows the lexer', `${'> '.repeat(9000)}end`],
		['is one endless line', `**a** ${'b'.repeat(20_000)}`],
		['is too long', '**a**\n'.repeat(40_000)],
	])('what %s is shown as it is', (_, text) => {
		const shownText = screenText(rows(text, 200)).replace(/\s/g, '');
		expect(shownText === text.replace(/\s/g, '')).toBe(true);
	});
});

describe('code', () => {
	const text = 'const a = 1;\n';

	test.each([
		['no language', text, undefined],
		['an unknown language', text, 'klingon'],
		['more than 500 lines', text.repeat(501), 'js'],
		['a line of minified code', 'a=1;'.repeat(10_000), 'js'],
	])('%s: plain, but whole', (_, code, language) => {
		const lines = codeLines(code, language);
		expect(screenText(lines)).toBe(code);
		expect(new Set(lines.flat().map(span => span.style))).toEqual(new Set(['code']));
	});
});

test('columns of a table give way from the widest on', () => {
	expect(fitColumns([3, 5], 20)).toEqual([3, 5]);
	expect(fitColumns([3, 40, 20], 33)).toEqual([3, 15, 15]);
	expect(fitColumns([50, 50, 50], 5)).toEqual([4, 4, 4]);
});
