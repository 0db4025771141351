/** What keys do in the reader. */
import type {EventRef, EventView, SessionRef} from '../../store/types.js';
import {sanitize} from '../terminal/sanitize.js';
import {findStep, goTo, scrolled, standAt, withBlockInSight} from './reader-goals.js';
import {notice, openExport, openResume, request, toggleStar} from './requests.js';
import {listItems, readerView, selectedIndex} from './selectors.js';
import type {AppState, Fold, ReaderState} from './state.js';
import {fieldOf} from './text-edit.js';
import {
	blockBeside,
	childOf,
	eventAt,
	HEAD,
	hasRows,
	leadOf,
	linesOf,
	nearestShown,
	resultOf,
	settlePlace,
	type View,
	windowRows,
} from './transcript-window.js';

type Command = (state: AppState) => AppState;

interface Opening {
	readonly ref: SessionRef;
	/** Event to stand at; null: the beginning. */
	readonly at: number | null;
	/** Its words are marked. */
	readonly query: string;
	readonly back?: ReaderState['back'];
}

const emptyReader = ({ref, at, query, back = []}: Opening): ReaderState => ({
	ref,
	transcript: null,
	isMissing: false,
	outline: [],
	owedRows: 0,
	pages: {},
	position: {index: 0, line: 0},
	block: 0,
	goal: at === null ? null : {kind: 'event', index: at, isMatch: true},
	tools: 'short',
	hasReasoning: false,
	hasMeta: false,
	folds: {},
	fullTexts: {},
	find:
		query.trim() === ''
			? null
			: {query, matches: null, current: null, owedSteps: 0, isTyped: false},
	findField: null,
	back,
	revision: 0,
});

/** Choices of how to read go along from session to session. */
export const openReader = (state: AppState, opening: Opening): AppState => {
	const {tools, hasReasoning, hasMeta} = state.reader ?? emptyReader(opening);
	return {
		...state,
		screen: 'reader',
		reader: {...emptyReader(opening), tools, hasReasoning, hasMeta},
		dialog: null,
	};
};

const inReader =
	(then: (reader: ReaderState, view: View, state: AppState) => ReaderState): Command =>
	state =>
		state.reader ? {...state, reader: then(state.reader, readerView(state), state)} : state;

const scroll = (by: (view: View) => number): Command =>
	inReader((reader, view) => {
		const moved = scrolled(reader, reader.owedRows + by(view), view);
		const {position} = moved;
		const isStuck =
			position.index === reader.position.index && position.line === reader.position.line;
		if (!isStuck || moved.owedRows !== 0) return withBlockInSight(moved, view);
		// Nothing left to scroll: the mark goes on, so that every block can be reached.
		return {...moved, block: blockBeside(moved, reader.block, by(view) > 0 ? 1 : -1)};
	});

const toPrompt = (step: 1 | -1): Command =>
	inReader((reader, view) => {
		const {outline} = reader;
		const here = reader.goal?.kind === 'event' ? reader.goal.index : reader.position.index;
		const block = reader.goal?.kind === 'event' ? here : reader.block;
		const lead = leadOf(linesOf(reader, here, view) ?? []);
		const isInside = reader.position.line > lead;
		const entry =
			step > 0
				? outline.find(({index}) => index > Math.max(here, block))
				: outline.findLast(({index}) => index < block || (isInside && index === here));
		if (entry) return goTo(reader, {kind: 'event', index: entry.index, isMatch: false}, view);
		return step > 0 ? goTo(reader, {kind: 'bottom'}, view) : toTop(reader, view);
	});

const toTop = (reader: ReaderState, view: View): ReaderState => {
	const start = {
		...reader,
		position: {index: hasRows(reader, HEAD) ? HEAD : 0, line: 0},
		goal: null,
		owedRows: 0,
	};
	const position = settlePlace(start, start.position, view);
	return {...start, position, block: position.index};
};

/** Marks the next block and brings its beginning into sight, moving the screen no more than that needs. */
const toBlock = (step: 1 | -1): Command =>
	inReader((reader, view) => {
		const block = blockBeside(reader, reader.block, step);
		const marked = {...reader, block, goal: null};
		const lead = leadOf(linesOf(reader, block, view) ?? []);
		const rows = windowRows(reader, view);
		if (rows.some(({index, line}) => index === block && line === lead)) return marked;
		return standAt(marked, block, view, step > 0 ? Math.floor(view.rows / 2) : 2);
	});

const nextFold: Readonly<Record<Fold, Fold>> = {folded: 'open', open: 'whole', whole: 'folded'};

const unfoldable = (event: EventView): boolean => event.kind !== 'message' || event.truncated;

const isOpen = ({folds, tools}: ReaderState, {index}: EventView): boolean =>
	(folds[index] ?? (tools === 'full' ? 'open' : 'folded')) !== 'folded';

const wholeIsMore = (reader: ReaderState, event: EventView): readonly EventRef[] =>
	[event, resultOf(reader, event)].flatMap(part =>
		part?.truncated && !(part.ref in reader.fullTexts) ? [part.ref] : [],
	);

const hasMore = (reader: ReaderState, event: EventView): boolean =>
	event.truncated || (resultOf(reader, event)?.truncated ?? false);

/** Opens what the marked block stands for, or unfolds it: folded, open, whole, folded again. */
const unfold: Command = state => {
	const {reader} = state;
	if (!reader) return state;
	if (reader.block === HEAD) return openParent(state);
	const event = eventAt(reader, reader.block);
	if (!event) return state;
	const child = childOf(reader, event);
	if (child !== null && isOpen(reader, event)) return openSession(state, child);
	if (!unfoldable(event)) return state;
	const shown = reader.folds[event.index] ?? (reader.tools === 'full' ? 'open' : 'folded');
	const next = nextFold[shown];
	const fold = next === 'whole' && !hasMore(reader, event) ? 'folded' : next;
	const folded = {...reader, folds: {...reader.folds, [event.index]: fold}};
	const settled = {
		...folded,
		position: settlePlace(folded, folded.position, readerView(state)),
	};
	const wanted = fold === 'whole' ? wholeIsMore(reader, event) : [];
	return request(
		{...state, reader: settled},
		...wanted.map(ref => ({type: 'full-text', event: ref}) as const),
	);
};

const backEntry = ({ref, position, block, back}: ReaderState): ReaderState['back'] => [
	{ref, position, block},
	...back,
];

export const openSession = (state: AppState, ref: SessionRef): AppState =>
	state.reader
		? openReader(state, {
				ref,
				at: null,
				query: state.reader.find?.query ?? '',
				back: backEntry(state.reader),
			})
		: state;

const openParent: Command = state => {
	const parent = state.reader?.transcript?.session.parent;
	if (!parent) return state;
	if (!parent.isKnown)
		return notice(state, 'backscroll has never seen the session that this one hangs on');
	return openSession(state, parent.ref);
};

/** The sub-agent of the marked call; else the only one, or a choice of all. */
const openChildren: Command = state => {
	const {reader} = state;
	const children = reader?.transcript?.children ?? [];
	const event = reader && eventAt(reader, reader.block);
	const own = event ? childOf(reader, event) : null;
	if (own !== null) return openSession(state, own);
	const [only] = children;
	if (!only) return notice(state, 'no sub-agents in this session');
	return children.length === 1
		? openSession(state, only.ref)
		: {...state, dialog: {kind: 'children', sessions: children, selected: 0}};
};

const beside =
	(step: 1 | -1): Command =>
	state => {
		const items = listItems(state.list);
		const at = items.findIndex(({session}) => session.ref === state.list.selected);
		const item = items[(at === -1 ? selectedIndex(state.list) : at) + step];
		if (!item)
			return notice(
				state,
				step > 0 ? 'the last session of the list' : 'the first session of the list',
			);
		const match = item.kind === 'session' ? item.row.match : null;
		const list = {...state.list, selected: item.session.ref, isPinned: true};
		return openReader(
			{...state, list},
			{
				ref: match?.child ?? item.session.ref,
				at: match?.eventIndex ?? null,
				query: state.query.text,
			},
		);
	};

const back: Command = state => {
	const {reader} = state;
	const [last, ...others] = reader?.back ?? [];
	if (!last) return {...state, screen: 'list', reader: null};
	const query = reader?.find?.query ?? '';
	const opened = openReader(state, {ref: last.ref, at: null, query, back: others});
	return opened.reader
		? {...opened, reader: {...opened.reader, position: last.position, block: last.block}}
		: opened;
};

/** Escape takes back what was looked for with `/` before it leaves. */
const backOrClear: Command = state =>
	state.reader?.find?.isTyped ? {...state, reader: {...state.reader, find: null}} : back(state);

const copyBlock: Command = state => {
	const {reader} = state;
	const event = reader && eventAt(reader, reader.block);
	if (!event) return state;
	const result = resultOf(reader, event);
	const textOf = (part: EventView) => reader.fullTexts[part.ref] ?? part.text;
	const text =
		result && isOpen(reader, event) ? `${textOf(event)}\n\n${textOf(result)}` : textOf(event);
	return request(state, {type: 'copy', text: sanitize(text), what: 'block'});
};

const toolsCycle = {short: 'full', full: 'none', none: 'short'} as const;
const toolsWords = {
	short: 'tool calls: one line each',
	full: 'tool calls: in full',
	none: 'tool calls: hidden',
};

/** Another way to show events: what was in the first row stays there, as far as it is shown. */
const reshow = (change: (reader: ReaderState) => Partial<ReaderState>): Command =>
	inReader((reader, view) => {
		const changed = {...reader, ...change(reader)};
		const shown = nearestShown(changed, reader.position.index);
		const at = {index: shown ?? reader.position.index, line: reader.position.line};
		const position = settlePlace(changed, at, view);
		return withBlockInSight({...changed, position}, view);
	});

const cycleTools: Command = state => {
	const next = reshow(({tools}) => ({tools: toolsCycle[tools], folds: {}}))(state);
	return next.reader ? notice(next, toolsWords[next.reader.tools]) : next;
};

const onSession =
	(
		then: (state: AppState, session: NonNullable<ReaderState['transcript']>['session']) => AppState,
	): Command =>
	state => {
		const session = state.reader?.transcript?.session;
		return session ? then(state, session) : state;
	};

export const readerCommands = {
	'reader.down': scroll(() => 1),
	'reader.up': scroll(() => -1),
	'reader.half-down': scroll(({rows}) => Math.ceil(rows / 2)),
	'reader.half-up': scroll(({rows}) => -Math.ceil(rows / 2)),
	'reader.page-down': scroll(({rows}) => Math.max(1, rows - 1)),
	'reader.page-up': scroll(({rows}) => -Math.max(1, rows - 1)),
	'reader.top': inReader(toTop),
	'reader.bottom': inReader((reader, view) => goTo(reader, {kind: 'bottom'}, view)),
	'reader.next-prompt': toPrompt(1),
	'reader.previous-prompt': toPrompt(-1),
	'reader.next-block': toBlock(1),
	'reader.previous-block': toBlock(-1),
	'reader.find': inReader(reader => ({...reader, findField: fieldOf('')})),
	'reader.next-match': inReader((reader, view) => findStep(reader, 1, view)),
	'reader.previous-match': inReader((reader, view) => findStep(reader, -1, view)),
	'reader.unfold': unfold,
	'reader.tools': cycleTools,
	'reader.reasoning': reshow(({hasReasoning}) => ({hasReasoning: !hasReasoning})),
	'reader.meta': reshow(({hasMeta}) => ({hasMeta: !hasMeta})),
	'reader.children': openChildren,
	'reader.parent': openParent,
	'reader.details': onSession((state, session) => ({
		...state,
		dialog: {kind: 'details', session, top: 0},
	})),
	'reader.star': onSession(toggleStar),
	'reader.previous-session': beside(-1),
	'reader.next-session': beside(1),
	'reader.copy': copyBlock,
	'reader.copy-command': onSession((state, session) =>
		request(state, {type: 'copy-command', session}),
	),
	'reader.export': onSession(openExport),
	'reader.editor': onSession((state, session) =>
		request(state, {type: 'open', program: 'editor', session}),
	),
	'reader.pager': onSession((state, session) =>
		request(state, {type: 'open', program: 'pager', session}),
	),
	'reader.resume': onSession((state, session) => openResume(state, session)),
	'reader.fork': onSession((state, session) => openResume(state, session, true)),
	'reader.back': back,
	'reader.escape': backOrClear,
	'reader.help': state => ({...state, dialog: {kind: 'help', top: 0}}),
} satisfies Record<string, Command>;
