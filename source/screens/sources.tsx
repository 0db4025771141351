import {dialogRows} from '../app/selectors.js';
import {sourceLines} from '../app/source-lines.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';

interface SourcesProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'sources'}>;
}

/** Where sessions were looked for: the answer to "why is it not in the list?". */
export const Sources = ({state, dialog}: SourcesProps) => {
	const lines = sourceLines(state, dialog);
	const rows = dialogRows(state.size, false);
	const first = Math.min(dialog.top, Math.max(0, lines.length - rows));
	return (
		<Dialog
			title="Sources"
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
