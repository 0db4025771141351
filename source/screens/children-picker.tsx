import {age, counted} from '../app/format.js';
import type {AppState, Dialog} from '../app/state.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {pad} from '../terminal/width.js';
import {ChoiceList} from './choice-list.js';

interface ChildrenPickerProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'children'}>;
}

const relationWords = {subagent: 'sub-agent', fork: 'fork', continuation: 'continuation'} as const;

/** The sub-agents, forks and continuations of a session. */
export const ChildrenPicker = ({state, dialog}: ChildrenPickerProps) => (
	<ChoiceList
		state={state}
		title="Sub-agents, forks, continuations"
		choices={dialog.sessions.map(({title, messages, updatedAtMs, parent}) => ({
			left: [
				{text: pad(relationWords[parent?.relation ?? 'subagent'], 14), style: 'dim'},
				{text: sanitizeLine(title)},
			],
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
