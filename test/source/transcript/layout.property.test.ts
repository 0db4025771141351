import '../../helpers/libraries.js';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {EVENT_KINDS} from '../../../adapters/model.js';
import {lineWidth} from '../../../source/terminal/width.js';
import {headline, layoutEvent} from '../../../source/transcript/layout.js';
import {rowText} from '../../helpers/rows.js';
import {eventView, toolView} from '../../helpers/views.js';

const control = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

/** What breaks renderers: escape sequences, wide and joined characters, marks without a base, Markdown that never ends. */
// biome-ignore format: a table of pieces
const pieces = [
	'\x1b[2J', '\x1b]52;c;QUJD\x07', '\x1b\x1b[31m [2J', '\x9b2J', '\u202e', '\r', '\r\n', '\t', '\0', '\b', '\ud800',
	'日本語', '👩‍👩‍👧‍👦', '🇩🇪', '\u0301', '\ufe0f', '\u20e3', '\u200d', '\u200b', '한', 'e\u0301',
	'```ts\n', '```', '~~~\n', '> ', '>>>> ', '- ', '1. ', '- [x] ', '# ', '| a | b |\n|---|--:|\n', '|', '**', '_', '~~', '`',
	'[a](http://x.example/y)', '![i](data:x)', '<div>', '&amp;', '&#27;', '---\n', '\n', '\n\n', '    ', ' ',
	'word', 'a-long-word-that-does-not-fit-into-a-narrow-column', '{"command":"x\\ny"}', '{"todos":[{"content":"a","status":"done"}',
	'@@ -1,2 +1,3 @@\n', '--- a\n+++ b\n', '+', '-', '[image png, 150 KB]',
];

const hostile = fc.oneof(
	fc.array(fc.constantFrom(...pieces), {maxLength: 24}).map(parts => parts.join('')),
	fc.string({unit: 'binary', maxLength: 60}),
	fc.string({unit: 'grapheme', maxLength: 60}),
);

const events = fc
	.record({
		kind: fc.constantFrom(...EVENT_KINDS),
		role: fc.constantFrom('user' as const, 'assistant' as const),
		state: fc.constantFrom('live' as const, 'undone' as const, 'gone' as const),
		input: fc.constantFrom(null, 'typed' as const, 'local' as const, 'headless' as const),
		text: hostile,
		truncated: fc.boolean(),
		tool: fc.option(
			fc.record({
				name: fc.option(hostile),
				subject: fc.option(hostile),
				patch: fc.option(hostile),
				child: fc.option(hostile),
				exitCode: fc.option(fc.integer()),
				durationMs: fc.option(fc.integer({min: 0})),
				isError: fc.boolean(),
			}),
		),
	})
	.map(({tool, ...part}) => eventView({...part, tool: tool && toolView(tool)}));

const options = fc.record({
	columns: fc.integer({min: 8, max: 200}),
	tools: fc.constantFrom('short' as const, 'full' as const),
	hasReasoning: fc.boolean(),
	hasMeta: fc.constant(true),
	fold: fc.constantFrom('folded' as const, 'open' as const, 'whole' as const),
	fullText: fc.option(hostile, {nil: undefined}),
	result: fc.option(events, {nil: undefined}),
	fullResultText: fc.option(hostile, {nil: undefined}),
	isTask: fc.boolean(),
	previousAtMs: fc.constantFrom(null, 0, Date.UTC(2026, 10, 1)),
	isUnicode: fc.boolean(),
});

describe('any event, laid out for any width', () => {
	test('holds no control character, and no row is wider than asked', () => {
		fc.assert(
			fc.property(events, options, (event, given) => {
				for (const line of layoutEvent(event, given)) {
					expect(rowText(line)).not.toMatch(control);
					expect(lineWidth(line)).toBeLessThanOrEqual(given.columns);
				}
			}),
			{numRuns: 1000},
		);
	});

	test('has a headline of one clean line', () => {
		fc.assert(
			fc.property(events, event => {
				expect(headline(event)).not.toMatch(control);
			}),
			{numRuns: 300},
		);
	});
});
