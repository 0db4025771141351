import type {Line, Span, StyleName} from '../terminal/spans.js';
import {cutLine, lineWidth, widthOf, wrap, wrapLine} from '../terminal/width.js';
import type {Symbols} from './options.js';

/** A column for the mark and one for the blank after it. */
export const MARGIN = 2;

/** The left side of a row keeps so much before its facts begin to go. */
const LEFT_MINIMUM = 10;

/** Plain text, one style, wrapped. Each newline begins a row. */
export const textRows = (text: string, columns: number, style?: StyleName): readonly Line[] =>
	wrap(text, columns).map(row =>
		row === '' ? [] : [style === undefined ? {text: row} : {text: row, style}],
	);

/** Styled rows of unknown width, wrapped one by one. */
export const wrapRows = (lines: readonly Line[], columns: number, indent?: Line): readonly Line[] =>
	lines.flatMap(line => wrapLine(line, columns, indent));

export const indentRows = (
	lines: readonly Line[],
	first: Span,
	later: Span = {text: ' '.repeat(widthOf(first.text))},
): readonly Line[] => lines.map((line, index) => [index === 0 ? first : later, ...line]);

/** A thin line at the left of each row: what a model says. */
export const gutterRows = (lines: readonly Line[], symbols: Symbols): readonly Line[] =>
	lines.map(line =>
		line.length === 0
			? [{text: symbols.gutter, style: 'gutter'}]
			: [{text: `${symbols.gutter} `, style: 'gutter'}, ...line],
	);

/** `── 38 min later ──────` */
export const ruleRow = (label: string, columns: number, symbols: Symbols): Line => {
	const start = `${symbols.rule.repeat(2)} ${label} `;
	const rest = symbols.rule.repeat(Math.max(0, columns - widthOf(start)));
	return cutLine([{text: start + rest, style: 'rule'}], columns, symbols.ellipsis);
};

/** Without colours: what was undone steps back as a whole. */
export const dimRows = (lines: readonly Line[]): readonly Line[] =>
	lines.map(line => line.map(span => ({text: span.text, style: 'dim'})));

const joined = (facts: readonly Line[], separator: string): Line =>
	facts.flatMap(
		(fact, index): Line => (index === 0 ? fact : [{text: ` ${separator} `, style: 'dim'}, ...fact]),
	);

export interface HeadRow {
	readonly left: Line;
	/** At the right end. When there is no room the first go first, so the one that matters most stands last. */
	readonly facts: readonly Line[];
}

export const headRow = ({left, facts}: HeadRow, columns: number, symbols: Symbols): Line => {
	const leftColumns = Math.min(lineWidth(left), LEFT_MINIMUM);
	let kept = facts;
	let right = joined(kept, symbols.separator);
	while (kept.length > 0 && leftColumns + 2 + lineWidth(right) > columns) {
		kept = kept.slice(1);
		right = joined(kept, symbols.separator);
	}
	if (kept.length === 0) return cutLine(left, columns, symbols.ellipsis);
	const shown = cutLine(left, columns - lineWidth(right) - 2, symbols.ellipsis);
	const gap = columns - lineWidth(shown) - lineWidth(right);
	return [...shown, {text: ' '.repeat(gap)}, ...right];
};
