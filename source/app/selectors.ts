/** What screens and effects read from the state. Pure; what is costly is kept per input. */
import type {Filters, ListRow, PageRequest} from '../../store/library.js';
import type {SessionRef, SessionView} from '../../store/types.js';
import type {KeyContext, KnownBinding, Mode} from '../keymap/bindings.js';
import {queryTerms} from './query-marks.js';
import {hasAttachments} from './reader-copy.js';
import type {AppState, Grouping, ListState, ReaderState, Size} from './state.js';
import type {StatsLook} from './stats-lines.js';
import {childOf, eventAt} from './transcript-events.js';
import type {View} from './transcript-window.js';

/** A day is named by whoever shows it: it depends on the clock. */
export type Heading = {readonly project: string} | {readonly dayOfMs: number | null};

/** A line of the list: a session, or a sub-agent under an unfolded one. */
export type ListItem =
	| {
			readonly kind: 'session';
			readonly session: SessionView;
			readonly row: ListRow;
			/** Stands above the first row of a group: a day or a project. */
			readonly heading: Heading | null;
	  }
	| {readonly kind: 'child'; readonly session: SessionView; readonly parent: SessionRef};

/** How the sessions screen is divided at a size of the terminal. Rows of Ink: one less than the terminal has. */
export interface ListLayout {
	readonly columns: number;
	readonly rows: number;
	readonly hasHeader: boolean;
	readonly hasRules: boolean;
	readonly hasHints: boolean;
	readonly listColumns: number;
	/** 0: none. */
	readonly previewColumns: number;
	readonly listRows: number;
	/** A second line with the best match. */
	readonly hasMatchLine: boolean;
}

export const previewFromColumns = 110;

/** Never the last row of the terminal: Ink would write every frame anew (STYLE section 12). */
export const frameRows = ({rows}: Size): number => Math.max(1, rows - 1);

/** Rows of a dialog's body, below its title, and a field or note if it has one. */
export const dialogRows = (size: Size, hasTop: boolean): number => {
	const rows = frameRows(size);
	return Math.max(1, rows - 2 - Number(hasTop) - (rows >= 12 ? 2 : 0));
};

export const hasQuery = ({query}: AppState): boolean => query.text.trim() !== '';

/** Something is looked for in texts; filters alone are answered by time. */
export const hasWords = ({query}: AppState): boolean => queryTerms(query.text).length > 0;

const listLayoutOf = (
	{columns, rows: terminalRows}: Size,
	{hasPreview, isQuery, hasNote}: {hasPreview: boolean; isQuery: boolean; hasNote: boolean},
): ListLayout => {
	const rows = frameRows({columns, rows: terminalRows});
	const hasHeader = columns >= 80 && rows >= 18;
	const hasRules = rows >= 12;
	const hasHints = rows >= 7;
	const isWide = hasPreview && columns >= previewFromColumns && rows >= 12;
	const previewColumns = isWide ? Math.floor(columns * 0.42) : 0;
	const chrome = Number(hasHeader) + 1 + 2 * Number(hasRules) + Number(hasHints) + Number(hasNote);
	return {
		columns,
		rows,
		hasHeader,
		hasRules,
		hasHints,
		previewColumns,
		listColumns: columns - (previewColumns > 0 ? previewColumns + 2 : 0),
		listRows: Math.max(1, rows - chrome),
		hasMatchLine: isQuery && rows >= 12 && columns >= 50,
	};
};

const kept = <I extends object, O>(make: (input: I) => O): ((input: I) => O) => {
	const known = new WeakMap<I, O>();
	return input => {
		const old = known.get(input);
		if (old !== undefined) return old;
		const made = make(input);
		known.set(input, made);
		return made;
	};
};

export const listLayout: (state: AppState) => ListLayout = kept(state =>
	listLayoutOf(state.size, {
		hasPreview: state.hasPreview,
		isQuery: hasQuery(state),
		hasNote: state.list.note !== null && state.list.rows.length > 0,
	}),
);

const groupOf: Readonly<Record<Grouping, (row: ListRow) => string>> = {
	none: () => '',
	day: ({session: {updatedAtMs}}) =>
		updatedAtMs === null ? '' : new Date(updatedAtMs).toDateString(),
	project: ({session}) => session.project ?? '',
};

const headingOf = (group: Grouping, {session}: ListRow): Heading =>
	group === 'project' ? {project: session.project ?? ''} : {dayOfMs: session.updatedAtMs};

/** Rows of a group stand together, the groups in the order of their first rows. */
const grouped = (rows: readonly ListRow[], group: Grouping): readonly (readonly ListRow[])[] => {
	if (group === 'none') return [rows];
	const groups = new Map<string, ListRow[]>();
	for (const row of rows) {
		const key = groupOf[group](row);
		const known = groups.get(key);
		if (known) known.push(row);
		else groups.set(key, [row]);
	}
	return [...groups.values()];
};

export const listItems: (list: ListState) => readonly ListItem[] = kept(({rows, unfolded, group}) =>
	grouped(rows, group).flatMap(together =>
		together.flatMap((row, index) =>
			itemsOf(row, unfolded, group !== 'none' && index === 0 ? headingOf(group, row) : null),
		),
	),
);

const itemsOf = (
	row: ListRow,
	unfolded: ListState['unfolded'],
	heading: Heading | null,
): readonly ListItem[] => [
	{kind: 'session', session: row.session, row, heading},
	...(unfolded[row.session.ref] ?? []).map(
		(session): ListItem => ({kind: 'child', session, parent: row.session.ref}),
	),
];

export const selectedIndex: (list: ListState) => number = kept(list => {
	const index = listItems(list).findIndex(({session}) => session.ref === list.selected);
	return Math.max(0, index);
});

export const selectedItem = ({list}: AppState): ListItem | undefined =>
	listItems(list)[selectedIndex(list)];

/** Rows that an item takes: a session with a match has a second line, if the screen has lines for matches at all. */
export const heightOf = (item: ListItem, {hasMatchLine}: ListLayout): number => {
	if (item.kind === 'child') return 1;
	return 1 + Number(item.heading !== null) + Number(hasMatchLine && item.row.match !== null);
};

/** A session that was written so lately may go on any moment. */
const liveMs = 5 * 60_000;

/** Its agent is at it, or was a moment ago. */
export const isLive = ({isRunning, updatedAtMs}: SessionView, nowMs: number): boolean =>
	isRunning || nowMs - (updatedAtMs ?? Number.NEGATIVE_INFINITY) < liveMs;

/** The session that keys act upon. */
export const currentSession = (state: AppState): SessionView | undefined =>
	state.screen === 'reader' ? state.reader?.transcript?.session : selectedItem(state)?.session;

export const filtersOf = (state: AppState): Filters => {
	const {baseFilters, agent, isHere, settings} = state;
	const {here, ...base} = baseFilters;
	return {
		...base,
		...(agent === null ? {} : {agents: [agent]}),
		...(isHere ? {here: here ?? settings.cwd} : {}),
	};
};

/** Days follow each other, so that groups of them can only be by time. */
export const sortOf = (state: AppState) =>
	state.list.group === 'day'
		? ('recent' as const)
		: (state.sort ?? (hasWords(state) ? ('relevance' as const) : ('recent' as const)));

export const pageRows = 100;

/** The query whose words are marked: after a near miss they are not those that were typed. */
export const markedQuery = ({list, query}: AppState): string => list.instead ?? query.text;

/** What the list shows an answer to. The clock is left to whoever asks: a request must not change with it. */
export const listRequest: (state: AppState) => Omit<PageRequest, 'nowMs' | 'limit'> = kept(
	state => ({
		query: state.query.text,
		filters: filtersOf(state),
		sort: sortOf(state),
		isUnfinished: true,
	}),
);

/** Equal for equal questions. */
export const listQuestion = (state: AppState): string => JSON.stringify(listRequest(state));

/** The rows that the person will see for what is typed are not there yet. */
export const isListPending = (state: AppState): boolean =>
	state.list.question !== listQuestion(state);

export const agentLabel = (state: AppState, id: string): string =>
	state.settings.agents.find(agent => agent.id === id)?.label ?? id;

export const statsLook = (state: AppState): StatsLook => ({
	columns: state.size.columns,
	isUnicode: state.settings.isUnicode,
	agentLabel: id => agentLabel(state, id),
});

/** Nothing at all is stored, and it is known that there is nothing to read. */
export const isFirstRunEmpty = (state: AppState): boolean =>
	state.counts?.sessions === 0 && state.sync.kind !== 'running' && !state.list.isEmpty;

/** The transcript's part of the reader screen: below title, prompt and rule, above rule and hints; a column for the bar. */
export const readerView: (state: AppState) => View = kept(({size, settings}) => {
	const {hasRules, hasHints, hasPromptLine} = readerChrome(size);
	const chrome = 1 + Number(hasPromptLine) + 2 * Number(hasRules) + Number(hasHints);
	return {
		// The mark of the block, a blank, and the position bar.
		columns: Math.max(8, size.columns - 3),
		rows: Math.max(1, frameRows(size) - chrome),
		isUnicode: settings.isUnicode,
	};
});

export const readerChrome = (size: Size) => ({
	hasRules: frameRows(size) >= 12,
	hasHints: frameRows(size) >= 7,
	hasPromptLine: frameRows(size) >= 8,
});

/** Prompt that the marked block belongs to: its number from 1 and its place in the outline. */
export const currentPrompt = (reader: ReaderState) => {
	const {outline} = reader;
	const number = outline.filter(({index}) => index <= reader.block).length;
	const entry = outline[Math.max(0, number - 1)];
	return entry ? {number: Math.max(1, number), of: outline.length, entry} : undefined;
};

export const modesOf = ({screen}: AppState): readonly Mode[] => [screen, 'global'];

/** Sub-agents, forks and continuations. */
export const offspringOf = ({transcript}: ReaderState): readonly SessionView[] =>
	transcript === null ? [] : [...transcript.children, ...transcript.followers];

const hasMarkedChild = (reader: ReaderState | null): boolean => {
	const marked = reader && eventAt(reader, reader.block);
	return marked ? childOf(reader, marked) !== null : false;
};

export const keyContext = (state: AppState): KeyContext => {
	const item = selectedItem(state);
	const {reader, query, list} = state;
	return {
		isQueryEmpty: query.text === '',
		isCursorAtEnd: query.cursor === query.text.length,
		isHere: state.isHere,
		hasRow: item !== undefined,
		canUnfold:
			item?.kind === 'session' && item.session.children > 0 && !list.unfolded[item.session.ref],
		canFold: item?.kind === 'child' || (item !== undefined && item.session.ref in list.unfolded),
		hasParent: reader?.transcript?.session.parent?.isKnown ?? false,
		hasChildren: reader !== null && (offspringOf(reader).length > 0 || hasMarkedChild(reader)),
		hasFind: (reader?.find?.query ?? '') !== '',
		hasAttachments: hasAttachments(reader),
	};
};

/** Bindings of the screen that do something now, in the order of the hint line. */
export const activeBindings = (state: AppState): readonly KnownBinding[] => {
	const modes = modesOf(state);
	const context = keyContext(state);
	return state.settings.bindings.filter(
		binding =>
			binding.modes.some(mode => modes.includes(mode)) && (binding.when?.(context) ?? true),
	);
};
