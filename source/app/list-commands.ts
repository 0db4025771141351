/** What keys do on the sessions screen. */
import type {SessionView, SortOrder} from '../../store/types.js';
import {endOfWindow, type ListView, scrollTo, topFor} from './list-window.js';
import {openReader} from './reader-commands.js';
import {notice, openExport, openResume, request, toggleStar} from './requests.js';
import {
	hasQuery,
	listItems,
	listLayout,
	pageRows,
	previewFromColumns,
	selectedIndex,
	selectedItem,
	sortOf,
} from './selectors.js';
import type {AppState} from './state.js';
import {type Field, fieldOf} from './text-edit.js';

type Command = (state: AppState) => AppState;

const listViewOf = (state: AppState): ListView => ({
	items: listItems(state.list),
	layout: listLayout(state),
});

/** Selects an item by index and brings it into sight. */
const select = (state: AppState, index: number): AppState => {
	const view = listViewOf(state);
	const selected = Math.max(0, Math.min(index, view.items.length - 1));
	const list = {
		...state.list,
		selected: view.items[selected]?.session.ref ?? null,
		isPinned: selected > 0,
		top: scrollTo(view, selected, state.list.top),
	};
	return wantMore({...state, list}, selected, view.items.length);
};

/** Asks for the next rows before the end of those that are there comes into sight. */
const wantMore = (state: AppState, selected: number, length: number): AppState => {
	const {nextCursor, loadingMore} = state.list;
	if (nextCursor === null || loadingMore !== null || selected < length - pageRows / 2) return state;
	return request(
		{...state, list: {...state.list, loadingMore: 'page'}},
		{type: 'more-rows', cursor: nextCursor, limit: pageRows},
	);
};

const moveBy =
	(step: number): Command =>
	state =>
		select(state, selectedIndex(state.list) + step);

const pageDown: Command = state => {
	const view = listViewOf(state);
	const end = endOfWindow(view, state.list.top);
	const selected = selectedIndex(state.list);
	return select(state, selected < end - 1 ? end - 1 : endOfWindow(view, selected) - 1 || 1);
};

const pageUp: Command = state => {
	const selected = selectedIndex(state.list);
	const {top} = state.list;
	return select(state, selected > top ? top : topFor(listViewOf(state), selected));
};

/** The last row may be far beyond those that are loaded. */
const toLast: Command = state => {
	const {nextCursor, rows, total} = state.list;
	if (nextCursor === null) return select(state, listItems(state.list).length - 1);
	return request(
		{...state, list: {...state.list, loadingMore: 'end'}},
		{type: 'more-rows', cursor: nextCursor, limit: Math.max(pageRows, total - rows.length)},
	);
};

export const selectLast: Command = state => select(state, listItems(state.list).length - 1);

/** After an answer or a resize: the selected row stays where it is on the screen, as far as that is possible. */
export const keepSelected = (state: AppState, previous: AppState): AppState => {
	if (state.list.isFilling) return {...state, list: {...state.list, selected: null, top: 0}};
	const view = listViewOf(state);
	const before = selectedIndex(previous.list);
	const isThere = view.items.some(({session}) => session.ref === state.list.selected);
	const index = isThere
		? selectedIndex(state.list)
		: Math.min(before, Math.max(0, view.items.length - 1));
	const {top} = previous.list;
	const list = {
		...state.list,
		selected: view.items[index]?.session.ref ?? state.list.selected,
		// At the beginning of the list new rows come into sight; further down the rows keep their places.
		top: scrollTo(view, index, top === 0 ? 0 : Math.max(0, top + index - before)),
	};
	return {...state, list};
};

const withQuery = (state: AppState, query: Field): AppState => ({...state, query});

/** Another question: what was chosen by hand stays selected if it is in the answer, else the best row is. */
const askAnew = (state: AppState): AppState => ({
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

/** Values that a filter word can take, for completing it. */
const filterValues = (state: AppState, name: string): readonly string[] => {
	const fixed: Readonly<Record<string, readonly string[]>> = {
		agent: state.agentCounts.map(({value}) => value),
		in: ['prompts', 'replies', 'tools', 'outputs', 'reasoning', 'title'],
		is: 'starred deleted archived subagent automated imported live missing-dir'.split(' '),
		has: ['error', 'image', 'code'],
		after: ['today', 'yesterday', '2d', '1w'],
		before: ['today', 'yesterday', '2d', '1w'],
		date: ['today', 'yesterday'],
	};
	return fixed[name] ?? [];
};

/** The half-typed filter word before the cursor, completed; undefined when there is none. */
const completed = (state: AppState): Field | undefined => {
	const {text, cursor} = state.query;
	const word = /(?:^|[\s,:-])((?:[a-z]+:)?)([^\s,:]*)$/i.exec(text.slice(0, cursor));
	const filter = /(?:^|[\s-])([a-z]+):[^\s]*$/i.exec(text.slice(0, cursor));
	const begun = word?.[2] ?? '';
	const name = filter?.[1]?.toLowerCase();
	if (name === undefined || begun === '') return undefined;
	const value = filterValues(state, name).find(
		candidate => candidate.startsWith(begun.toLowerCase()) && candidate !== begun,
	);
	if (value === undefined) return undefined;
	const before = `${text.slice(0, cursor - begun.length)}${value} `;
	return {text: before + text.slice(cursor).trimStart(), cursor: before.length};
};

const cycleAgent = (state: AppState, step: 1 | -1): AppState => {
	const ids = [null, ...state.agentCounts.map(({value}) => value)];
	const at = Math.max(0, ids.indexOf(state.agent));
	return askAnew({...state, agent: ids[(at + step + ids.length) % ids.length] ?? null});
};

const nextAgent: Command = state => {
	const query = completed(state);
	return query ? setQuery(state, query) : cycleAgent(state, 1);
};

const sorts: readonly SortOrder[] = ['recent', 'relevance', 'messages'];

const cycleSort: Command = state => {
	const usable = hasQuery(state) ? sorts : sorts.filter(sort => sort !== 'relevance');
	const at = usable.indexOf(sortOf(state));
	const sort = usable[(at + 1) % usable.length] ?? 'recent';
	return askAnew({...state, sort});
};

const togglePreview: Command = state => {
	const next = {...state, hasPreview: !state.hasPreview};
	return state.size.columns < previewFromColumns
		? notice(state, `the preview needs ${previewFromColumns} columns`)
		: next;
};

const unfold: Command = state => {
	const item = selectedItem(state);
	if (item?.kind !== 'session') return state;
	return request(state, {type: 'children', session: item.session.ref});
};

const fold: Command = state => {
	const item = selectedItem(state);
	if (!item) return state;
	const family = item.kind === 'child' ? item.parent : item.session.ref;
	const {[family]: _, ...unfolded} = state.list.unfolded;
	const list = {...state.list, unfolded, selected: family};
	return keepSelected({...state, list}, {...state, list: {...state.list, selected: family}});
};

/** Undoes one thing: the query, then the filters, then the app itself. */
const back: Command = state => {
	if (state.query.text !== '') return setQuery(state, fieldOf(''));
	if (state.agent !== null || state.project !== null || state.isHere || state.sort !== null)
		return askAnew({...state, agent: null, project: null, isHere: false, sort: null});
	return request(state, {type: 'quit'});
};

const onSession =
	(then: (state: AppState, session: SessionView) => AppState): Command =>
	state => {
		const item = selectedItem(state);
		return item ? then(state, item.session) : state;
	};

const open: Command = state => {
	const item = selectedItem(state);
	if (!item) return state.counts?.sessions === 0 ? startDemo(state) : state;
	if (state.settings.isPrint || state.settings.enter === 'resume')
		return openResume(state, item.session);
	const match = item.kind === 'session' ? item.row.match : null;
	return openReader(state, {
		ref: match?.child ?? item.session.ref,
		at: match?.eventIndex ?? null,
		query: state.query.text,
	});
};

const startDemo: Command = state =>
	state.sync.kind === 'running' ? state : request(state, {type: 'quit', isDemo: true});

const openHelp: Command = state => ({...state, dialog: {kind: 'help', top: 0}});

export const listCommands = {
	'list.open': open,
	'list.resume': onSession((state, session) => openResume(state, session)),
	'list.export': onSession(openExport),
	'list.copy-command': onSession((state, session) =>
		request(state, {type: 'copy-command', session}),
	),
	'list.star': onSession(toggleStar),
	'list.next-agent': nextAgent,
	'list.previous-agent': state => cycleAgent(state, -1),
	'list.projects': state =>
		request(
			{
				...state,
				dialog: {kind: 'projects', field: fieldOf(''), selected: 0, values: null},
			},
			{type: 'projects'},
		),
	'list.here': state => askAnew({...state, isHere: true}),
	'list.everywhere': state => askAnew({...state, isHere: false}),
	'list.sort': cycleSort,
	'list.preview': togglePreview,
	'list.unfold': unfold,
	'list.fold': fold,
	'list.up': moveBy(-1),
	'list.down': moveBy(1),
	'list.page-up': pageUp,
	'list.page-down': pageDown,
	'list.first': state => select(state, 0),
	'list.last': toLast,
	'list.back': back,
	'list.help': openHelp,
	'list.keys': openHelp,
} satisfies Record<string, Command>;
