import {helpLines} from '../app/help-lines.js';
import {dialogRows} from '../app/selectors.js';
import type {AppState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';

/** Every key, printed from the table. */
export const HelpScreen = ({state, top}: {readonly state: AppState; readonly top: number}) => {
	const lines = helpLines(state);
	const rows = dialogRows(state.size, false);
	const first = Math.min(top, Math.max(0, lines.length - rows));
	return (
		<Dialog
			title="Keys"
			size={state.size}
			hints={[
				{chord: 'j', label: 'down'},
				{chord: 'k', label: 'up'},
				{chord: 'escape', label: 'back'},
			]}
		>
			<DialogLines lines={lines.slice(first, first + rows)} size={state.size} />
		</Dialog>
	);
};
