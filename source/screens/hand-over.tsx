import type {AppState, Dialog} from '../app/state.js';
import {Spans} from '../components/spans.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {cutLine} from '../terminal/width.js';
import {ChoiceList} from './choice-list.js';

interface HandOverProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'hand-over'}>;
}

/** Another agent for the same work: it begins with what was said so far. */
export const HandOver = ({state, dialog}: HandOverProps) => {
	const {columns} = state.size;
	const {takers, record, session, selected} = dialog;
	const about = record === null ? session.title : record.about;
	return (
		<ChoiceList
			state={state}
			title="Hand over to"
			choices={(takers ?? []).map(({label}) => ({left: [{text: label}], right: []}))}
			selected={selected}
			empty={takers === null ? '' : 'no other agent on this machine takes a first prompt'}
			hints={[
				{chord: 'enter', label: 'start it'},
				{chord: 'escape', label: 'back'},
			]}
			field={
				<Spans line={cutLine([{text: '  '}, {text: sanitizeLine(about), style: 'dim'}], columns)} />
			}
		/>
	);
};
