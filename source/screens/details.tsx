import {detailLines} from '../app/detail-lines.js';
import {dialogRows} from '../app/selectors.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';

interface DetailsProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'details'}>;
}

/** Where a session comes from, and what is known of it. */
export const Details = ({state, dialog}: DetailsProps) => {
	const lines = detailLines(state, dialog);
	const rows = dialogRows(state.size, false);
	const first = Math.min(dialog.top, Math.max(0, lines.length - rows));
	return (
		<Dialog title="Details" size={state.size} hints={[{chord: 'escape', label: 'back'}]}>
			<DialogLines lines={lines.slice(first)} size={state.size} />
		</Dialog>
	);
};
