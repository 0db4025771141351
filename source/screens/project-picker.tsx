import {projectEntries} from '../app/dialog-items.js';
import {counted, shortPath} from '../app/format.js';
import type {AppState, Dialog} from '../app/state.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {type Choice, ChoiceList} from './choice-list.js';

interface ProjectPickerProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'projects'}>;
}

/** Projects that have sessions under the query, the fullest first. */
export const ProjectPicker = ({state, dialog}: ProjectPickerProps) => {
	const theme = useTheme();
	const {home} = state.settings;
	const choices = projectEntries(dialog).map(
		(project): Choice =>
			project === null
				? {left: [{text: 'every project'}], right: []}
				: {
						left: [
							{text: sanitizeLine(project.label)},
							...(project.value === project.label
								? []
								: [
										{
											text: `  ${sanitizeLine(shortPath(project.value, home))}`,
											style: 'dim',
										} as const,
									]),
						],
						right: [{text: `${counted(project.count, 'session')} `, style: 'dim'}],
					},
	);
	return (
		<ChoiceList
			state={state}
			title="Project"
			choices={choices}
			selected={dialog.selected}
			empty={dialog.values === null ? '' : 'no such project'}
			hints={[
				{chord: 'enter', label: 'only this project'},
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
