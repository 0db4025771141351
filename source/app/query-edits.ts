/** Another question to the list. */
import type {AppState} from './state.js';
import type {Field} from './text-edit.js';

const withQuery = (state: AppState, query: Field): AppState => ({...state, query});

/** Another question: what was chosen by hand stays selected if it is in the answer, else the best row is. */
export const askAnew = (state: AppState): AppState => ({
	...state,
	list: {
		...state.list,
		top: state.list.isPinned ? state.list.top : 0,
		selected: state.list.isPinned ? state.list.selected : null,
	},
});

export const setQuery = (state: AppState, query: Field): AppState => {
	const next = withQuery(state, query);
	return query.text === state.query.text ? next : askAnew(next);
};
