import type {Span} from '../terminal/spans.js';
import type {Theme} from '../terminal/theme.js';

interface Position {
	readonly rows: number;
	/** What is in sight, as shares of the whole from 0 to 1. */
	readonly from: number;
	readonly to: number;
	/** Shares at which prompts and matches lie. */
	readonly prompts: readonly number[];
	readonly matches: readonly number[];
}

const rowsOf = (shares: readonly number[], rows: number): ReadonlySet<number> =>
	new Set(shares.map(share => Math.min(rows - 1, Math.floor(share * rows))));

/**
 * A column that shows how far one is, where the prompts are, and where the matches: a character for each row, null for a blank. It
 * is drawn as the end of each row: as a column of its own it doubled the texts that a frame is made of.
 */
export const positionBar = (
	{rows, from, to, prompts, matches}: Position,
	theme: Theme,
): readonly (Span | null)[] => {
	const first = Math.min(rows - 1, Math.floor(from * rows));
	const last = Math.max(first, Math.ceil(to * rows) - 1);
	const isWhole = from === 0 && to === 1;
	const promptRows = rowsOf(prompts, rows);
	const matchRows = rowsOf(matches, rows);
	return Array.from({length: rows}, (_, row): Span | null => {
		if (matchRows.has(row)) return {text: theme.symbol('minus'), style: 'match'};
		if (!isWhole && row >= first && row <= last)
			return {text: theme.symbol('gutter'), style: 'accent'};
		return promptRows.has(row) ? {text: theme.symbol('separator'), style: 'dim'} : null;
	});
};
