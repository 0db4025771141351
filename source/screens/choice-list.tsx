import type {ReactNode} from 'react';
import {dialogRows} from '../app/selectors.js';
import type {AppState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import type {Hint} from '../components/hint-line.js';
import {useTheme} from '../hooks/use-theme.js';
import type {Line} from '../terminal/spans.js';
import {cutLine, lineWidth} from '../terminal/width.js';

export interface Choice {
	readonly left: Line;
	readonly right: Line;
}

interface ChoiceListProps {
	readonly state: AppState;
	readonly title: string;
	readonly choices: readonly Choice[];
	readonly selected: number;
	readonly hints: readonly Hint[];
	readonly field?: ReactNode;
	/** Said while there is nothing to choose. */
	readonly empty: string;
}

/** A list to choose one line from, mostly with a field that narrows it. */
export const ChoiceList = ({
	state,
	title,
	choices,
	selected,
	hints,
	field,
	empty,
}: ChoiceListProps) => {
	const theme = useTheme();
	const {size} = state;
	const rows = dialogRows(size, field !== undefined);
	const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), choices.length - rows));
	const lines = choices.slice(first, first + rows).map(({left, right}, offset): Line => {
		const isSelected = first + offset === selected;
		const bar: Line = [
			{text: ' '},
			{text: isSelected ? theme.symbol('selection') : ' ', style: 'accent'},
		];
		const room = Math.max(0, size.columns - lineWidth(bar) - lineWidth(right) - 2);
		const text = cutLine(
			isSelected ? left.map(span => ({...span, style: 'selected' as const})) : left,
			room,
		);
		return [...bar, ...text, {text: ' '.repeat(Math.max(0, room - lineWidth(text)) + 1)}, ...right];
	});
	const shown: readonly Line[] =
		lines.length > 0 ? lines : [[{text: '  '}, {text: empty, style: 'dim'}]];
	return (
		<Dialog title={title} size={size} hints={hints} top={field}>
			<DialogLines lines={shown} size={size} taken={field === undefined ? 0 : 1} />
		</Dialog>
	);
};
