import {dialogRows, statsLook} from '../app/selectors.js';
import {type AppState, type Dialog as DialogState, statsRanges} from '../app/state.js';
import {statsLines} from '../app/stats-lines.js';
import {Dialog, DialogLines} from '../components/dialog.js';

interface StatisticsProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'stats'}>;
}

const rangeWords = {all: 'all', '90d': '90 days', '30d': '30 days', '7d': '7 days'} as const;

/** What the history adds up to. */
export const Statistics = ({state, dialog}: StatisticsProps) => {
	const lines = dialog.stats === null ? [] : statsLines(dialog.stats, statsLook(state));
	const rows = dialogRows(state.size, false);
	const first = Math.min(dialog.top, Math.max(0, lines.length - rows));
	const ranges = statsRanges
		.map(range => (range === dialog.range ? `[${rangeWords[range]}]` : ` ${rangeWords[range]} `))
		.join('');
	return (
		<Dialog
			title={`Statistics  ${ranges}`}
			size={state.size}
			hints={[
				{chord: 'tab', label: 'other span'},
				{chord: 'j', label: 'down'},
				{chord: 'k', label: 'up'},
				{chord: 'escape', label: 'back'},
			]}
		>
			<DialogLines lines={lines.slice(first, first + rows)} size={state.size} />
		</Dialog>
	);
};
