import type {Line, StyleName} from '../../source/terminal/spans.js';

export const rowText = (line: Line): string => line.map(span => span.text).join('');

export const screenText = (lines: readonly Line[]): string => lines.map(rowText).join('\n');

/** Everything that is shown in one style, row after row. */
export const textIn = (lines: readonly Line[], style: StyleName): string =>
	lines
		.flat()
		.filter(span => span.style === style)
		.map(span => span.text)
		.join('\n');
