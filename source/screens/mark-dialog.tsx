import {counted} from '../app/format.js';
import type {AppState, Dialog as DialogState} from '../app/state.js';
import {Dialog, DialogLines} from '../components/dialog.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {wrap} from '../terminal/width.js';

interface MarkDialogProps {
	readonly state: AppState;
	readonly dialog: Extract<DialogState, {kind: 'mark'}>;
}

const titles = {title: 'Rename', tags: 'Tags', note: 'Note'} as const;

const explanations = {
	title: 'The title in backscroll; the agent keeps its own. Empty: the own title goes away.',
	tags: 'Words apart by blanks. Find them with the words of the query; empty: they go away.',
	note: 'One line for yourself. Empty: the note goes away.',
} as const;

/** Something to say of one or several sessions; it stays in backscroll's own store. */
export const MarkDialog = ({state, dialog}: MarkDialogProps) => {
	const theme = useTheme();
	const {columns} = state.size;
	const [first] = dialog.sessions;
	const about =
		dialog.sessions.length === 1
			? sanitizeLine(first?.title ?? '')
			: counted(dialog.sessions.length, 'session');
	const explanation = wrap(explanations[dialog.what], Math.max(8, columns - 4));
	return (
		<Dialog
			title={titles[dialog.what]}
			size={state.size}
			hints={[
				{chord: 'enter', label: 'keep'},
				{chord: 'escape', label: 'back'},
			]}
			top={
				<TextField
					label={[{text: ` ${theme.symbol('query')} `, style: 'accent'}]}
					field={dialog.field}
					columns={columns}
				/>
			}
		>
			<DialogLines
				lines={[
					[{text: '  '}, {text: about}],
					[],
					...explanation.map((row): Line => [{text: '  '}, {text: row, style: 'dim'}]),
				]}
				size={state.size}
				taken={1}
			/>
		</Dialog>
	);
};
