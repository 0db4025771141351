import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {wrap} from '../terminal/width.js';

interface ImportDialogProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'import'}>;
}

const explanation =
	'A transcript of any agent here, an archive of backscroll, or a Custom History file. It is copied into the history, marked imported and unverified; the file stays as it is.';

/** Asks for the path of a file whose sessions are to be taken in. */
export const ImportDialog = ({state, dialog}: ImportDialogProps) => {
	const theme = useTheme();
	const {columns} = state.size;
	const rows = (text: string, style: 'dim' | 'error'): readonly Line[] =>
		wrap(text, Math.max(8, columns - 4)).map(row => [{text: '  '}, {text: row, style}]);
	return (
		<Dialog
			title="Import"
			size={state.size}
			hints={[
				{chord: 'enter', label: 'take in'},
				{chord: 'escape', label: 'back'},
			]}
			top={
				<TextField
					label={[{text: ` file ${theme.symbol('query')} `, style: 'accent'}]}
					field={dialog.field}
					columns={columns}
				/>
			}
		>
			<DialogLines
				lines={[
					...rows(explanation, 'dim'),
					...(dialog.problem === null ? [] : [[], ...rows(sanitizeLine(dialog.problem), 'error')]),
				]}
				size={state.size}
				taken={1}
			/>
		</Dialog>
	);
};
