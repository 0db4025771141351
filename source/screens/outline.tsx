import type {OutlineEntry} from '../../store/library.js';
import {outlineEntries} from '../app/dialog-items.js';
import {clockOf, counted, duration, isSameDay, shortDay} from '../app/format.js';
import type {AppState, Dialog} from '../app/state.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line, Span} from '../terminal/spans.js';
import {pad} from '../terminal/width.js';
import {ChoiceList} from './choice-list.js';

interface OutlineProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'outline'}>;
}

const timeOf = ({atMs}: OutlineEntry, hasDays: boolean): string => {
	if (atMs === null) return '';
	return hasDays ? `${shortDay(atMs)} ${clockOf(atMs)}` : clockOf(atMs);
};

/** What came of a prompt; on a narrow screen only how long it took. */
const factsOf = (entry: OutlineEntry, columns: number): Line => {
	const {toolCalls, errors, files, durationMs} = entry;
	const wide: readonly (Span | null)[] =
		columns < 70
			? []
			: [
					errors > 0 ? {text: counted(errors, 'error'), style: 'warning'} : null,
					toolCalls > 0 ? {text: counted(toolCalls, 'tool'), style: 'dim'} : null,
					files > 0 ? {text: counted(files, 'file'), style: 'dim'} : null,
				];
	const took: Span = {
		text: pad(durationMs === null ? '' : duration(durationMs), 9, 'right'),
		style: 'dim',
	};
	return [
		...wide.filter(fact => fact !== null).flatMap(fact => [fact, {text: '  '}]),
		took,
		{text: ' '},
	];
};

/** Every prompt of the session: a way to see what happened, and to get there. */
export const Outline = ({state, dialog}: OutlineProps) => {
	const theme = useTheme();
	const {columns} = state.size;
	const all = state.reader?.outline ?? [];
	const [first, last] = [all[0]?.atMs ?? null, all.at(-1)?.atMs ?? null];
	const hasDays = first !== null && last !== null && !isSameDay(first, last);
	const timeColumns = hasDays ? 13 : 6;
	const entries = outlineEntries(state, dialog);
	return (
		<ChoiceList
			state={state}
			title={`Outline ${theme.symbol('separator')} ${counted(all.length, 'prompt')}`}
			choices={entries.map(entry => ({
				left: [
					{text: pad(timeOf(entry, hasDays), timeColumns), style: 'dim'},
					{text: ` ${sanitizeLine(entry.text)}`},
				],
				right: factsOf(entry, columns),
			}))}
			selected={dialog.selected}
			empty="no such prompt"
			hints={[
				{chord: 'enter', label: 'go there'},
				{chord: 'escape', label: 'back'},
			]}
			field={
				<TextField
					label={[{text: ` ${theme.symbol('query')} `, style: 'accent'}]}
					field={dialog.field}
					columns={columns}
				/>
			}
		/>
	);
};
