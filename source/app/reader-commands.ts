/** What keys do in the reader. */
import type {EventView, SessionRef} from '../../store/types.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {forkHere, restoreSession} from './keep-commands.js';
import {openMark, toggleStar} from './mark-commands.js';
import {queryTerms} from './query-marks.js';
import {copyBlock, copyCode, hasAttachments, openAttachments} from './reader-copy.js';
import {findStep, goTo, withBlockInSight} from './reader-goals.js';
import {inReader, scroll, toBlock, toLandmark, toPrompt, toTop} from './reader-jumps.js';
import {notice, openExport, openHandOver, openResume, request} from './requests.js';
import {
	currentPrompt,
	type ListItem,
	listItems,
	markedQuery,
	offspringOf,
	readerView,
	selectedIndex,
} from './selectors.js';
import type {AppState, Fold, ReaderState} from './state.js';
import {fieldOf} from './text-edit.js';
import {childOf, eventAt, HEAD, isCut, isOpen, nearestShown} from './transcript-events.js';
import {settlePlace} from './transcript-window.js';

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
	isOpening: true,
	outline: [],
	landmarks: {errors: [], code: []},
	owedRows: 0,
	pages: {},
	position: {index: 0, line: 0},
	block: 0,
	goal: at === null ? null : {kind: 'event', index: at, isMatch: true},
	tools: 'short',
	hasReasoning: false,
	hasMeta: false,
	hasUndone: false,
	folds: {},
	fullTexts: {},
	find:
		queryTerms(query).length === 0
			? null
			: {query, matches: null, current: null, owedSteps: 0, isTyped: false, start: null},
	findField: null,
	back,
	unread: 0,
	copiedCode: null,
	revision: 0,
});

/** Choices of how to read go along from session to session. */
export const openReader = (state: AppState, opening: Opening): AppState => {
	const {tools, hasReasoning, hasMeta, hasUndone} = state.reader ?? emptyReader(opening);
	return {
		...state,
		screen: 'reader',
		reader: {...emptyReader(opening), tools, hasReasoning, hasMeta, hasUndone},
		dialog: null,
	};
};

const nextFold: Readonly<Record<Fold, Fold>> = {folded: 'open', open: 'whole', whole: 'folded'};

const unfoldable = (event: EventView): boolean => event.kind !== 'message' || event.truncated;

/** Opens what the marked block stands for, or unfolds it: folded, open, whole, folded again. */
const unfold: Command = state => {
	const {reader} = state;
	if (!reader) return state;
	if (reader.block === HEAD) return openRelative(state);
	const event = eventAt(reader, reader.block);
	if (!event) return state;
	if (event.state === 'undone' && !reader.hasUndone) return toggleRewound(state);
	const child = childOf(reader, event);
	if (child !== null && isOpen(reader, event)) return openSession(state, child);
	if (!unfoldable(event)) return hasAttachments(reader) ? openAttachments(state) : state;
	const shown = reader.folds[event.index] ?? (reader.tools === 'full' ? 'open' : 'folded');
	const next = nextFold[shown];
	const fold = next === 'whole' && !isCut(reader, event.index) ? 'folded' : next;
	const folded = {...reader, folds: {...reader.folds, [event.index]: fold}};
	const position = settlePlace(folded, folded.position, readerView(state));
	return {...state, reader: {...folded, position}};
};

const backEntry = ({ref, position, block, back}: ReaderState): ReaderState['back'] => [
	{ref, position, block},
	...back,
];

export const openSession = (
	state: AppState,
	ref: SessionRef,
	at: number | null = null,
): AppState =>
	state.reader
		? openReader(state, {
				ref,
				at,
				query: state.reader.find?.query ?? '',
				back: backEntry(state.reader),
			})
		: state;

const openParent: Command = state => {
	const parent = state.reader?.transcript?.session.parent;
	if (!parent) return state;
	if (!parent.isKnown)
		return notice(state, 'backscroll has never seen the session that this one hangs on');
	// Where this session began: the call of a sub-agent, the last event that a fork shares.
	return openSession(state, parent.ref, state.reader?.transcript?.parentIndex ?? null);
};

/** What the line above the first event leads to. */
const openRelative: Command = state =>
	state.reader?.transcript?.session.parent ? openParent(state) : openChildren(state);

/** The sub-agent of the marked call; else the only one, or a choice of all. */
const openChildren: Command = state => {
	const {reader} = state;
	const children = reader ? offspringOf(reader) : [];
	const event = reader && eventAt(reader, reader.block);
	const own = event ? childOf(reader, event) : null;
	if (own !== null) return openSession(state, own);
	const [only] = children;
	if (!only) return notice(state, 'no sub-agents, forks or continuations of this session');
	return children.length === 1
		? openSession(state, only.ref)
		: {...state, dialog: {kind: 'children', sessions: children, selected: 0}};
};

const neighbourOf = ({list}: AppState, step: 1 | -1): ListItem | undefined => {
	const items = listItems(list);
	const at = items.findIndex(({session}) => session.ref === list.selected);
	return items[(at === -1 ? selectedIndex(list) : at) + step];
};

const openItem = (state: AppState, item: ListItem, at: number | null): AppState => {
	const match = item.kind === 'session' ? item.row.match : null;
	const list = {...state.list, selected: item.session.ref, isPinned: true};
	return openReader(
		{...state, list},
		{ref: match?.child ?? item.session.ref, at, query: markedQuery(state)},
	);
};

const beside =
	(step: 1 | -1): Command =>
	state => {
		const item = neighbourOf(state, step);
		if (!item)
			return notice(
				state,
				step > 0 ? 'the last session of the list' : 'the first session of the list',
			);
		const match = item.kind === 'session' ? item.row.match : null;
		return openItem(state, item, match?.eventIndex ?? null);
	};

/** Behind the last match of a search over all sessions the next session of the list follows; `/` goes round in its own. */
const toMatch =
	(step: 1 | -1): Command =>
	state => {
		const {reader} = state;
		if (!reader) return state;
		const view = readerView(state);
		const isOwn = (reader.find?.isTyped ?? true) || reader.back.length > 0;
		const item = isOwn ? undefined : neighbourOf(state, step);
		const next = findStep(reader, {step, isRound: item === undefined}, view);
		if (next !== 'end') return {...state, reader: next};
		if (item === undefined) return state;
		const opened = openItem(state, item, null);
		const find = opened.reader?.find;
		if (!opened.reader || !find) return opened;
		const start = step > 0 ? ('first' as const) : ('last' as const);
		const said = `${step > 0 ? 'next' : 'previous'} session: ${sanitizeLine(item.session.title)}`;
		return notice({...opened, reader: {...opened.reader, find: {...find, start}}}, said);
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

const toggleRewound: Command = reshow(({hasUndone}) => ({hasUndone: !hasUndone}));

const openOutline: Command = state => {
	const {reader} = state;
	if (!reader || reader.outline.length === 0) return notice(state, 'no prompts in this session');
	const prompt = currentPrompt(reader);
	const selected = prompt ? prompt.number - 1 : 0;
	return {...state, dialog: {kind: 'outline', field: fieldOf(''), selected}};
};

const openFiles: Command = state =>
	state.reader
		? request(
				{
					...state,
					dialog: {
						kind: 'files',
						session: state.reader.ref,
						field: fieldOf(''),
						selected: 0,
						files: null,
					},
				},
				{type: 'files', session: state.reader.ref},
			)
		: state;

/** To an event that a list named; a call stands unfolded there. */
export const jumpTo = (state: AppState, index: number, fold?: Fold): AppState => {
	const {reader} = state;
	if (!reader) return state;
	const folds = fold === undefined ? reader.folds : {...reader.folds, [index]: fold};
	const tools = fold !== undefined && reader.tools === 'none' ? 'short' : reader.tools;
	const goal = {kind: 'event', index, isMatch: false} as const;
	return {...state, reader: goTo({...reader, folds, tools}, goal, readerView(state))};
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
	'reader.next-code': toLandmark('code', 1),
	'reader.previous-code': toLandmark('code', -1),
	'reader.next-error': toLandmark('errors', 1),
	'reader.previous-error': toLandmark('errors', -1),
	'reader.outline': openOutline,
	'reader.files': openFiles,
	'reader.rewound': toggleRewound,
	'reader.attachments': openAttachments,
	'reader.copy-code': copyCode,
	'reader.find': inReader(reader => ({...reader, findField: fieldOf('')})),
	'reader.next-match': toMatch(1),
	'reader.previous-match': toMatch(-1),
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
	'reader.star': toggleStar,
	'reader.rename': openMark('title'),
	'reader.tag': openMark('tags'),
	'reader.note': openMark('note'),
	'reader.previous-session': beside(-1),
	'reader.next-session': beside(1),
	'reader.copy': copyBlock,
	'reader.copy-command': onSession((state, session) =>
		request(state, {type: 'copy-command', session}),
	),
	'reader.export': onSession((state, session) => openExport(state, session)),
	'reader.editor': onSession((state, session) =>
		request(state, {type: 'open', program: 'editor', session}),
	),
	'reader.pager': onSession((state, session) =>
		request(state, {type: 'open', program: 'pager', session}),
	),
	'reader.resume': onSession((state, session) => openResume(state, session)),
	'reader.hand-over': onSession((state, session) => openHandOver(state, session)),
	'reader.fork': onSession((state, session) => openResume(state, session, true)),
	'reader.restore': restoreSession,
	'reader.keep-fork': forkHere,
	'reader.back': back,
	'reader.escape': backOrClear,
	'reader.help': state => ({...state, dialog: {kind: 'help', top: 0}}),
} satisfies Record<string, Command>;
