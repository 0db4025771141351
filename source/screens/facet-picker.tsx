import {facetEntries} from '../app/dialog-items.js';
import {facetNames, facetToken} from '../app/facet-query.js';
import {counted, shortPath} from '../app/format.js';
import {agentLabel} from '../app/selectors.js';
import type {AppState, Dialog} from '../app/state.js';
import {TextField} from '../components/text-field.js';
import {useTheme} from '../hooks/use-theme.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {Line} from '../terminal/spans.js';
import {type Choice, ChoiceList} from './choice-list.js';

interface FacetPickerProps {
	readonly state: AppState;
	readonly dialog: Extract<Dialog, {kind: 'facet'}>;
}

const anyWords = {
	project: 'every project',
	agent: 'every agent',
	branch: 'every branch',
	model: 'every model',
	tool: 'any tool',
	date: 'any time',
} as const;

/** The facets by name, the open one in brackets, so that one sees where the key leads. */
const titleOf = (name: string): string =>
	facetNames.map(facet => (facet === name ? `[${facet}]` : ` ${facet} `)).join('');

const enterLabel = (dialog: FacetPickerProps['dialog']): string => {
	if (dialog.isSeveral) return dialog.chosen.length === 0 ? 'all' : `these ${dialog.chosen.length}`;
	return facetEntries(dialog)[dialog.selected] === null ? 'all' : 'only this';
};

/** Values that sessions under the query have, with their counts; several may be chosen. */
export const FacetPicker = ({state, dialog}: FacetPickerProps) => {
	const theme = useTheme();
	const {home} = state.settings;
	const {name, values, chosen, field, selected} = dialog;
	const choices = facetEntries(dialog).map((value): Choice => {
		if (value === null) return {left: [{text: `  ${anyWords[name]}`}], right: []};
		const isChosen = chosen.includes(facetToken(value, values ?? []));
		const label = name === 'agent' ? agentLabel(state, value.value) : value.label;
		const path: Line =
			name === 'project' && value.value !== value.label
				? [{text: `  ${sanitizeLine(shortPath(value.value, home))}`, style: 'dim'}]
				: [];
		return {
			left: [
				{text: isChosen ? `${theme.symbol('ok')} ` : '  ', style: 'accent'},
				{text: sanitizeLine(label)},
				...path,
			],
			right: value.count === 0 ? [] : [{text: `${counted(value.count, 'session')} `, style: 'dim'}],
		};
	});
	return (
		<ChoiceList
			state={state}
			title={titleOf(name)}
			choices={choices}
			selected={selected}
			empty={values === null ? '' : `no such ${name}`}
			hints={[
				{chord: 'enter', label: enterLabel(dialog)},
				{chord: 'tab', label: dialog.isSeveral ? 'choose more' : 'choose several'},
				{chord: 'ctrl+f', label: 'next filter'},
				{chord: 'escape', label: 'back'},
			]}
			field={
				<TextField
					label={[{text: ` ${theme.symbol('query')} `, style: 'accent'}]}
					field={field}
					columns={state.size.columns}
				/>
			}
		/>
	);
};
