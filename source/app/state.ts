import type {FacetValue, Filters, Landmarks, ListRow, OutlineEntry} from '../../store/library.js';
import type {Candidate} from '../../store/search/complete.js';
import type {SyncProgress} from '../../store/sync/protocol.js';
import type {
	EventRef,
	EventView,
	RootView,
	SessionRef,
	SessionView,
	SortOrder,
} from '../../store/types.js';
import type {KnownBinding} from '../keymap/bindings.js';
import type {KeyEvent} from '../terminal/input.js';
import type {ToolDetail, Transcript} from './backend.js';
import type {Dialog} from './dialog-state.js';
import type {Request} from './request-state.js';
import {type Field, fieldOf} from './text-edit.js';

/** What never changes while the app runs. */
export interface Settings {
	readonly bindings: readonly KnownBinding[];
	/** Names of the agents, in the order in which lists and pickers show them. */
	readonly agents: readonly {
		readonly id: string;
		readonly label: string;
		readonly shortLabel: string;
	}[];
	readonly enter: 'read' | 'resume';
	/** Enter prints the resume command and ends. */
	readonly isPrint: boolean;
	readonly isInsideTmux: boolean;
	readonly isDemo: boolean;
	readonly isUnicode: boolean;
	/** Nothing moves by itself. */
	readonly hasReducedMotion: boolean;
	readonly home: string;
	readonly cwd: string;
	readonly docsUrl: string | null;
}

export interface Size {
	readonly columns: number;
	readonly rows: number;
}

type SyncState =
	| {readonly kind: 'idle'}
	| {readonly kind: 'running'; readonly progress: SyncProgress | null; readonly sinceMs: number}
	| {readonly kind: 'locked'}
	| {readonly kind: 'failed'; readonly message: string};

export interface Counts {
	readonly sessions: number;
	readonly agents: number;
	readonly lastSyncMs: number | null;
}

export const groupings = ['none', 'day', 'project'] as const;
export type Grouping = (typeof groupings)[number];

/** Rows of the list as they came, and where in them the person is. */
export interface ListState {
	readonly rows: readonly ListRow[];
	readonly total: number;
	readonly note: string | null;
	/** The query whose words the rows hold, where that is another one than was typed. */
	readonly instead: string | null;
	readonly nextCursor: string | null;
	/** Sub-agents of unfolded rows; undefined in the map while they are fetched. */
	readonly unfolded: Readonly<Record<SessionRef, readonly SessionView[]>>;
	/** Reference of the selected row; null: the first one. */
	readonly selected: SessionRef | null;
	/** The person chose the row: it stays selected while the query changes. */
	readonly isPinned: boolean;
	/** Index of the first visible item. */
	readonly top: number;
	/** The history was empty and no key has been pressed: the first row stays the selected one while rows come in. */
	readonly isFilling: boolean;
	/** Rows that were chosen, to act upon all of them. */
	readonly marked: ReadonlySet<SessionRef>;
	readonly group: Grouping;
	/** An answer for the keystroke: unranked, and counted only as far as it looked. */
	readonly isDraft: boolean;
	readonly deep: DeepState | null;
	/** No answer has come yet. */
	readonly isEmpty: boolean;
	/** What the rows are the answer to. */
	readonly question: string | null;
	/** Keys that act on rows which are still on their way: they wait for them, so that one can type ahead. */
	readonly waiting: readonly KeyEvent[];
	/** Raised when the store has changed, so that the list is asked for again. */
	readonly revision: number;
	/** More rows are on their way; `end`: and the last one is to be selected. */
	readonly loadingMore: 'page' | 'end' | null;
}

interface PreviewState {
	readonly session: SessionRef;
	readonly events: readonly EventView[];
}

/** Place in a transcript: event index (−1: the line above the first event) and line in its layout. */
export interface Place {
	readonly index: number;
	readonly line: number;
}

/** Where the reader is to stand as soon as the events there have been loaded. */
export type Goal =
	| {readonly kind: 'event'; readonly index: number; readonly isMatch: boolean}
	| {readonly kind: 'find'; readonly at: number; readonly step: 1 | -1}
	| {readonly kind: 'bottom'};

export interface FindState {
	/** The words, as a query. */
	readonly query: string;
	/** Indices of the events that hold them; null while they are looked for. */
	readonly matches: readonly number[] | null;
	/** Steps that were asked for while the matches were still looked for. */
	readonly owedSteps: number;
	/** Typed with `/`, not the query of the list. */
	readonly isTyped: boolean;
	/** The session was opened by a step from a neighbour: to stand at its first or last match. */
	readonly start: 'first' | 'last' | null;
	/** Place of the match that was jumped to. */
	readonly current: Place | null;
}

export type Fold = 'folded' | 'open' | 'whole';

export interface ReaderState {
	readonly ref: SessionRef;
	/** Null until the first answer. */
	readonly transcript: Transcript | null;
	readonly isMissing: boolean;
	/** It has just been asked for: until the answer, or until that is late, the screen stays as it is. */
	readonly isOpening: boolean;
	/** Prompts, as far as they are known. */
	readonly outline: readonly OutlineEntry[];
	readonly landmarks: Landmarks;
	/** Rows that a scroll could not go because the events there were not loaded: made up for when they are. */
	readonly owedRows: number;
	/** Loaded events by page number. */
	readonly pages: Readonly<Record<number, readonly EventView[]>>;
	readonly position: Place;
	/** Index of the marked block. */
	readonly block: number;
	readonly goal: Goal | null;
	readonly tools: ToolDetail;
	readonly hasReasoning: boolean;
	readonly hasMeta: boolean;
	/** What was rewound is shown, not only named. */
	readonly hasUndone: boolean;
	readonly folds: Readonly<Record<number, Fold>>;
	/** Null: it is no longer there. */
	readonly fullTexts: Readonly<Record<EventRef, string | null>>;
	readonly find: FindState | null;
	/** The find line while it is typed. */
	readonly findField: Field | null;
	/** Sessions to come back to, the last one first. */
	readonly back: readonly {
		readonly ref: SessionRef;
		readonly position: Place;
		readonly block: number;
	}[];
	/** Events that came while the person was reading further up. */
	readonly unread: number;
	/** The piece of code that was copied last: the same key takes the next one of the block. */
	readonly copiedCode: {readonly block: number; readonly at: number} | null;
	/** Raised when the session has grown. */
	readonly revision: number;
}

/** What Tab has completed last: the same key again takes the next candidate. */
export interface CompletionState {
	/** The query before, and where in it the candidates go. */
	readonly base: string;
	readonly start: number;
	readonly end: number;
	readonly candidates: readonly Candidate[];
	readonly at: number;
	/** The query after. */
	readonly text: string;
	readonly cursor: number;
}

/** A scan of the raw transcripts, whose hits stand in the list. */
interface DeepState {
	readonly id: number;
	readonly isDone: boolean;
}

export type {Dialog} from './dialog-state.js';
export type {Request} from './request-state.js';

export const statsRanges = ['all', '90d', '30d', '7d'] as const;
export type StatsRange = (typeof statsRanges)[number];

export interface Notice {
	readonly text: string;
	readonly isProblem: boolean;
}

export interface AppState {
	readonly settings: Settings;
	readonly size: Size;
	readonly nowMs: number;
	readonly screen: 'list' | 'reader';
	readonly counts: Counts | null;
	/** Agents that have sessions, in the order of the settings. */
	readonly agentCounts: readonly FacetValue[];
	/** What agents are about to delete by themselves. */
	readonly due: string | null;
	/** Folders that were looked at, known once there is nothing to show. */
	readonly roots: readonly RootView[];
	readonly sync: SyncState;
	readonly query: Field;
	/** As given on the command line; the ones below replace parts of it. */
	readonly baseFilters: Filters;
	readonly agent: string | null;
	readonly isHere: boolean;
	/** Null: by relevance with a query, by time without. */
	readonly sort: SortOrder | null;
	readonly hasPreview: boolean;
	readonly list: ListState;
	/** Directories of sessions that are known to be gone. */
	readonly missing: ReadonlySet<string>;
	readonly preview: PreviewState | null;
	readonly reader: ReaderState | null;
	readonly dialog: Dialog | null;
	/** First keys of a sequence. */
	readonly pending: string | null;
	readonly notice: Notice | null;
	readonly completion: CompletionState | null;
	readonly outbox: readonly Request[];
}

export interface Beginning {
	readonly settings: Settings;
	readonly size: Size;
	readonly nowMs: number;
	readonly query: string;
	readonly filters: Filters;
}

export const initialState = ({settings, size, nowMs, query, filters}: Beginning): AppState => ({
	settings,
	size,
	nowMs,
	screen: 'list',
	counts: null,
	agentCounts: [],
	due: null,
	roots: [],
	sync: {kind: 'idle'},
	query: fieldOf(query),
	baseFilters: filters,
	agent: null,
	isHere: filters.here !== undefined,
	sort: null,
	hasPreview: true,
	list: {
		rows: [],
		total: 0,
		note: null,
		instead: null,
		nextCursor: null,
		unfolded: {},
		selected: null,
		isPinned: false,
		top: 0,
		isFilling: true,
		marked: new Set(),
		group: 'none',
		isDraft: false,
		deep: null,
		isEmpty: true,
		question: null,
		waiting: [],
		revision: 0,
		loadingMore: null,
	},
	missing: new Set(),
	preview: null,
	reader: null,
	dialog: null,
	pending: null,
	notice: null,
	completion: null,
	outbox: [],
});
