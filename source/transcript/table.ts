import type {Tokens} from 'marked';
import type {Line} from '../terminal/spans.js';
import {cutLine, lineWidth, wrapLine} from '../terminal/width.js';
import {inlineLine} from './inline.js';
import type {Symbols} from './options.js';

/** A column is not made narrower than this; what then is still too wide is cut at the right. */
const MIN_COLUMN = 4;
/** A cell of more rows is cut: one long cell would push the rest of the table out of sight. */
const MAX_CELL_ROWS = 12;

const width = (line: Line): number =>
	wrapLine(line, Number.MAX_SAFE_INTEGER).reduce((most, row) => Math.max(most, lineWidth(row)), 0);

/** Takes columns from the widest ones until all fit. */
export const fitColumns = (wanted: readonly number[], room: number): readonly number[] => {
	const widths = wanted.map(columns => Math.max(1, columns));
	let excess = widths.reduce((sum, columns) => sum + columns, 0) - room;
	while (excess > 0) {
		const widest = Math.max(...widths);
		if (widest <= MIN_COLUMN) break;
		const next = Math.max(MIN_COLUMN, ...widths.filter(columns => columns < widest));
		const atWidest = widths.filter(columns => columns === widest).length;
		const down = Math.max(1, Math.min(widest - next, Math.ceil(excess / atWidest)));
		for (const [index, columns] of widths.entries())
			if (columns === widest) widths[index] = columns - down;
		excess -= down * atWidest;
	}
	return widths;
};

const aligned = (line: Line, columns: number, align: string | null | undefined): Line => {
	const free = Math.max(0, columns - lineWidth(line));
	const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
	return [{text: ' '.repeat(before)}, ...line, {text: ' '.repeat(free - before)}];
};

const tableRow = (
	cells: readonly Line[],
	widths: readonly number[],
	align: readonly (string | null)[],
): readonly Line[] => {
	const columns = cells.map((cell, index) => wrapLine(cell, widths[index] ?? 1));
	const height = Math.min(MAX_CELL_ROWS, Math.max(...columns.map(rows => rows.length)));
	return Array.from({length: height}, (_, row) =>
		columns.flatMap((rows, index): Line => {
			const isCut = row === MAX_CELL_ROWS - 1 && rows.length > MAX_CELL_ROWS;
			const line: Line = isCut ? [{text: '…', style: 'dim'}] : (rows[row] ?? []);
			const cell = aligned(line, widths[index] ?? 1, align[index]);
			return index === 0 ? cell : [{text: '  '}, ...cell];
		}),
	);
};

export const tableRows = (
	table: Tokens.Table,
	columns: number,
	symbols: Symbols,
): readonly Line[] => {
	const head = table.header.map(cell => inlineLine(cell.tokens, 'strong'));
	const body = table.rows.map(row => row.map(cell => inlineLine(cell.tokens)));
	const wanted = head.map((cell, index) =>
		Math.max(width(cell), ...body.map(row => width(row[index] ?? []))),
	);
	const widths = fitColumns(wanted, columns - 2 * (head.length - 1));
	const rule: Line = [
		{text: widths.map(cell => symbols.rule.repeat(cell)).join('  '), style: 'rule'},
	];
	return [
		...tableRow(head, widths, table.align),
		rule,
		...body.flatMap(row => tableRow(row, widths, table.align)),
	].map(line => cutLine(line, columns, symbols.ellipsis));
};
