/** What keys do on the sessions screen. */
import type {FacetName} from '../../store/library.js';
import type {SessionView, SortOrder} from '../../store/types.js';
import {completed} from './completion.js';
import {chosenIn} from './facet-query.js';
import {openImport, restoreSession} from './keep-commands.js';
import {endOfWindow, type ListView, scrollTo, topFor} from './list-window.js';
import {
	clearMarked,
	markAll,
	openMark,
	targetsOf,
	toggleMarked,
	toggleStar,
} from './mark-commands.js';
import {askAnew, setQuery} from './query-edits.js';
import {queryTerms} from './query-marks.js';
import {openReader} from './reader-commands.js';
import {notice, openExport, openHandOver, openResume, request} from './requests.js';
import {
	hasWords,
	listItems,
	listLayout,
	markedQuery,
	pageRows,
	previewFromColumns,
	selectedIndex,
	selectedItem,
	sortOf,
} from './selectors.js';
import {type AppState, groupings} from './state.js';
import {fieldOf} from './text-edit.js';

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

const cycleAgent = (state: AppState, step: 1 | -1): AppState => {
	const ids = [null, ...state.agentCounts.map(({value}) => value)];
	const at = Math.max(0, ids.indexOf(state.agent));
	return askAnew({...state, agent: ids[(at + step + ids.length) % ids.length] ?? null});
};

const nextAgent: Command = state => completed(state) ?? cycleAgent(state, 1);

/** Looks for the words in the raw transcripts, also in what the index does not keep. */
const startDeep: Command = state => {
	if (queryTerms(state.query.text).length === 0)
		return notice(state, 'type what to look for in the raw transcripts');
	const id = state.list.revision + 1;
	const list = {
		...state.list,
		revision: id,
		deep: {id, isDone: false},
		rows: [],
		total: 0,
		nextCursor: null,
		instead: null,
		note: 'scanning the raw transcripts',
		selected: null,
		isPinned: false,
		top: 0,
	};
	return request({...state, list}, {type: 'deep-scan', id});
};

/** Back to what the index finds. */
const endDeep: Command = state => ({
	...state,
	list: {...state.list, deep: null, question: null, revision: state.list.revision + 1},
});

const openForget: Command = state => {
	const sessions = targetsOf(state);
	return sessions.length === 0 ? state : {...state, dialog: {kind: 'forget', sessions}};
};

const sorts: readonly SortOrder[] = ['recent', 'relevance', 'messages'];

const cycleSort: Command = state => {
	const usable = hasWords(state) ? sorts : sorts.filter(sort => sort !== 'relevance');
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
	if (state.list.deep !== null) return endDeep(state);
	if (state.list.marked.size > 0) return clearMarked(state);
	if (state.query.text !== '') return setQuery(state, fieldOf(''));
	if (state.agent !== null || state.isHere || state.sort !== null || state.list.group !== 'none')
		return askAnew({
			...state,
			agent: null,
			isHere: false,
			sort: null,
			list: {...state.list, group: 'none'},
		});
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
	if (state.settings.isPrint) return request(state, {type: 'print-command', session: item.session});
	if (state.settings.enter === 'resume') return openResume(state, item.session);
	const match = item.kind === 'session' ? item.row.match : null;
	return openReader(state, {
		ref: match?.child ?? item.session.ref,
		at: match?.eventIndex ?? null,
		query: markedQuery(state),
	});
};

/** A list of values to filter by, the fullest first. */
export const openFacet = (state: AppState, name: FacetName): AppState =>
	request(
		{
			...state,
			dialog: {
				kind: 'facet',
				name,
				field: fieldOf(''),
				selected: 0,
				values: null,
				chosen: chosenIn(state.query.text, name),
				isSeveral: false,
			},
		},
		{type: 'facet', name},
	);

const exportTargets: Command = state => {
	const [first, ...others] = targetsOf(state);
	return first ? openExport(state, first, others) : state;
};

const groupWords = {
	none: 'no groups',
	day: 'grouped by day',
	project: 'grouped by project',
} as const;

const cycleGroup: Command = state => {
	const group = groupings[(groupings.indexOf(state.list.group) + 1) % groupings.length] ?? 'none';
	const next = {...state, list: {...state.list, group}};
	return notice(askAnew(keepSelected(next, state)), groupWords[group]);
};

const startDemo: Command = state =>
	state.sync.kind === 'running' ? state : request(state, {type: 'quit', isDemo: true});

const openHelp: Command = state => ({...state, dialog: {kind: 'help', top: 0}});

export const listCommands = {
	'list.open': open,
	'list.resume': onSession((state, session) => openResume(state, session)),
	'list.hand-over': onSession((state, session) => openHandOver(state, session)),
	'list.export': exportTargets,
	'list.copy-command': onSession((state, session) =>
		request(state, {type: 'copy-command', session}),
	),
	'list.star': toggleStar,
	'list.rename': openMark('title'),
	'list.tag': openMark('tags'),
	'list.note': openMark('note'),
	'list.choose': state => moveBy(1)(toggleMarked(state)),
	'list.choose-all': markAll,
	'list.group': cycleGroup,
	'list.deep-scan': startDeep,
	'list.forget': openForget,
	'list.restore': restoreSession,
	'list.import': openImport,
	'list.next-agent': nextAgent,
	'list.previous-agent': state => cycleAgent(state, -1),
	'list.filters': state => openFacet(state, 'project'),
	'list.agents': state => openFacet(state, 'agent'),
	'list.branches': state => openFacet(state, 'branch'),
	'list.models': state => openFacet(state, 'model'),
	'list.dates': state => openFacet(state, 'date'),
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
