import {Box} from 'ink';
import {memo} from 'react';
import {useTheme} from '../hooks/use-theme.js';
import {Spans} from './spans.js';

interface PositionBarProps {
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

/** A column that shows how far one is, where the prompts are, and where the matches. */
export const PositionBar = memo(({rows, from, to, prompts, matches}: PositionBarProps) => {
	const theme = useTheme();
	const first = Math.min(rows - 1, Math.floor(from * rows));
	const last = Math.max(first, Math.ceil(to * rows) - 1);
	const isWhole = from === 0 && to === 1;
	const promptRows = rowsOf(prompts, rows);
	const matchRows = rowsOf(matches, rows);
	const spanAt = (row: number) => {
		if (matchRows.has(row)) return {text: theme.symbol('minus'), style: 'match'} as const;
		if (!isWhole && row >= first && row <= last)
			return {text: theme.symbol('gutter'), style: 'accent'} as const;
		if (promptRows.has(row)) return {text: theme.symbol('separator'), style: 'dim'} as const;
		return {text: ' '};
	};
	return (
		<Box flexDirection="column" width={1} height={rows}>
			{Array.from({length: rows}, (_, row) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
				<Spans key={row} line={[spanAt(row)]} />
			))}
		</Box>
	);
});
