import {age, counted} from '../app/format.js';
import type {AppState, Dialog} from '../app/state.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {ChoiceList} from './choice-list.js';

interface ChildrenPickerProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'children'}>;
}

/** The sub-agents of a session, oldest first. */
export const ChildrenPicker = ({state, dialog}: ChildrenPickerProps) => (
	<ChoiceList
		state={state}
		title="Sub-agents"
		choices={dialog.sessions.map(({title, messages, updatedAtMs}) => ({
			left: [{text: sanitizeLine(title)}],
			right: [
				{text: `${counted(messages, 'message')}  ${age(updatedAtMs, state.nowMs)} `, style: 'dim'},
			],
		}))}
		selected={dialog.selected}
		empty="none"
		hints={[
			{chord: 'enter', label: 'open'},
			{chord: 'escape', label: 'back'},
		]}
	/>
);
