/** What a terminal shows as an SVG picture: each run of cells in its own colour, at its own column. */
import type {IBufferCell, Terminal} from '@xterm/headless';

const cellWidth = 8.4;
const cellHeight = 18;
const margin = 14;
const barHeight = 30;

const background = '#16181d';
const foreground = '#d5d8de';
/** The 16 colours that a terminal has, as a dark one shows them. */
const palette = [
	'#23262d',
	'#f0717a',
	'#8fc98a',
	'#e3c078',
	'#6fb3f2',
	'#d49be8',
	'#63c7cf',
	'#d5d8de',
	'#7a8190',
	'#ff8f97',
	'#a9dfa4',
	'#f2d493',
	'#93c8ff',
	'#e4b5f5',
	'#86dfe6',
	'#ffffff',
] as const;

interface Look {
	readonly fill: string;
	readonly behind: string | null;
	readonly attributes: string;
}

interface Run extends Look {
	readonly column: number;
	columns: number;
	text: string;
}

const colourOf = (isPalette: boolean, index: number, otherwise: string): string =>
	isPalette ? (palette[index] ?? otherwise) : otherwise;

const lookOf = (cell: IBufferCell): Look => {
	const front = colourOf(cell.isFgPalette(), cell.getFgColor(), foreground);
	const back = cell.isBgPalette() ? colourOf(true, cell.getBgColor(), background) : null;
	const isInverse = cell.isInverse() !== 0;
	const attributes = [
		cell.isBold() ? ' font-weight="700"' : '',
		cell.isDim() ? ' opacity="0.6"' : '',
		cell.isItalic() ? ' font-style="italic"' : '',
		cell.isUnderline() ? ' text-decoration="underline"' : '',
		cell.isStrikethrough() ? ' text-decoration="line-through"' : '',
	].join('');
	return {
		fill: isInverse ? (back ?? background) : front,
		behind: isInverse ? front : back,
		attributes,
	};
};

const isSame = (a: Look, b: Look): boolean =>
	a.fill === b.fill && a.behind === b.behind && a.attributes === b.attributes;

/** Cells that look alike, one after the other; a wide character is a run of its own, since fonts differ in how wide it is. */
const runsOf = (terminal: Terminal, row: number): readonly Run[] => {
	const {active} = terminal.buffer;
	const line = active.getLine(active.baseY + row);
	const runs: Run[] = [];
	for (let column = 0; column < terminal.cols; column++) {
		const cell = line?.getCell(column);
		if (!cell || cell.getWidth() === 0) continue;
		const look = lookOf(cell);
		const text = cell.getChars() || ' ';
		const last = runs.at(-1);
		const isWide = cell.getWidth() > 1;
		if (last && !isWide && last.columns === [...last.text].length && isSame(last, look)) {
			last.text += text;
			last.columns++;
		} else runs.push({...look, column, columns: cell.getWidth(), text});
	}
	return runs;
};

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const number = (value: number): string => String(Math.round(value * 10) / 10);

const runSvg = (run: Run, row: number): string => {
	const x = margin + run.column * cellWidth;
	const y = barHeight + row * cellHeight;
	const width = run.columns * cellWidth;
	const behind =
		run.behind === null
			? ''
			: `<rect x="${number(x)}" y="${y}" width="${number(width)}" height="${cellHeight}" fill="${run.behind}"/>`;
	if (run.text.trim() === '') return behind;
	const lead = run.text.length - run.text.trimStart().length;
	const text = run.text.trim();
	const columns = run.columns - lead - (run.text.trimStart().length - text.length);
	return `${behind}<text x="${number(x + lead * cellWidth)}" y="${y + 13}" fill="${run.fill}" textLength="${number(columns * cellWidth)}" lengthAdjust="spacingAndGlyphs"${run.attributes}>${escaped(text)}</text>`;
};

export const screenSvg = (terminal: Terminal, title: string): string => {
	const width = Math.ceil(terminal.cols * cellWidth + 2 * margin);
	// The app leaves the last row free.
	const shown = terminal.rows - 1;
	const height = shown * cellHeight + barHeight + margin;
	const rows = Array.from({length: shown}, (_, row) =>
		runsOf(terminal, row)
			.map(run => runSvg(run, row))
			.join(''),
	).filter(row => row !== '');
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
		`<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
		'<g fill="#3a3f4a"><circle cx="18" cy="15" r="5"/><circle cx="34" cy="15" r="5"/><circle cx="50" cy="15" r="5"/></g>',
		`<g xml:space="preserve" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
		...rows,
		'</g>',
		'</svg>',
		'',
	].join('\n');
};
