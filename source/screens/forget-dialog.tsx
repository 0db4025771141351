import {counted} from '../app/format.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {wrap} from '../terminal/width.js';

interface ForgetDialogProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'forget'}>;
}

/** Asks before sessions go for good. */
export const ForgetDialog = ({state, dialog}: ForgetDialogProps) => {
	const {size} = state;
	const text = (words: string): readonly Line[] =>
		wrap(words, Math.max(8, size.columns - 4)).map(row => [{text: '  '}, {text: row}]);
	return (
		<Dialog
			title={`Forget ${counted(dialog.sessions.length, 'session')}?`}
			size={size}
			hints={[
				{chord: 'y', label: 'forget for good'},
				{chord: 'escape', label: 'keep'},
			]}
		>
			<DialogLines
				lines={[
					...text(
						'Text, index, the copy of the raw records and your own marks go, those of sub-agents too, and it is not read again. The files of the agent stay.',
					),
					[],
					...dialog.sessions.map(
						({title}): Line => [{text: '  '}, {text: sanitizeLine(title), style: 'strong'}],
					),
				]}
				size={size}
			/>
		</Dialog>
	);
};
