import {paletteEntries} from '../app/dialog-items.js';
import type {AppState, Dialog} from '../app/state.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {ChoiceList} from './choice-list.js';

interface PaletteProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'palette'}>;
}

/** Every action that does something now, by name. */
export const Palette = ({state, dialog}: PaletteProps) => {
	const theme = useTheme();
	const choices = paletteEntries(state, dialog.field.text).map(({help, keys}) => ({
		left: [{text: help}],
		right: [{text: `${keys} `, style: 'dim'} as const],
	}));
	return (
		<ChoiceList
			state={state}
			title="All actions"
			choices={choices}
			selected={dialog.selected}
			empty="no such action"
			hints={[
				{chord: 'enter', label: 'do it'},
				{chord: 'escape', label: 'back'},
			]}
			field={
				<TextField
					label={[{text: ` ${theme.symbol('query')} `, style: 'accent'}]}
					field={dialog.field}
					columns={state.size.columns}
				/>
			}
		/>
	);
};
