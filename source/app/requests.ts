/** Steps that several screens take. */
import type {SessionView} from '../../store/types.js';
import type {ResumeChoice} from './backend.js';
import type {AppState, Dialog, Request, StatsRange} from './state.js';
import {fieldOf} from './text-edit.js';

export const request = (state: AppState, ...requests: readonly Request[]): AppState => ({
	...state,
	outbox: [...state.outbox, ...requests],
});

export const notice = (state: AppState, text: string, isProblem = false): AppState => ({
	...state,
	notice: {text, isProblem},
});

/** The command as it is, without anything asked for. */
export const plainChoice: ResumeChoice = {
	isFork: false,
	directory: null,
	isUnattended: false,
	words: [],
};

export const openResume = (state: AppState, session: SessionView, isFork = false): AppState => ({
	...state,
	dialog: {
		kind: 'resume',
		session,
		sheet: null,
		choice: {...plainChoice, isFork},
		isStale: true,
		waiting: [],
		selected: null,
		version: null,
		field: null,
	},
});

/** Opened from the sheet, it starts where that would. */
export const openHandOver = (
	state: AppState,
	session: SessionView,
	back: Extract<Dialog, {kind: 'resume'}> | null = null,
): AppState =>
	request(
		{...state, dialog: {kind: 'hand-over', session, selected: 0, offer: null, top: 0, back}},
		{type: 'hand-over', session: session.ref, directory: back?.choice.directory ?? null},
	);

export const openStats = (state: AppState, range: StatsRange): AppState =>
	request({...state, dialog: {kind: 'stats', range, stats: null, top: 0}}, {type: 'stats', range});

/** One session goes into a file whose name is suggested, several into a folder. */
export const openExport = (
	state: AppState,
	session: SessionView,
	others: readonly SessionView[] = [],
): AppState => ({
	...state,
	dialog: {
		kind: 'export',
		session,
		others,
		choice: {format: 'markdown', tools: 'short', hasReasoning: false},
		focus: 0,
		path: others.length === 0 ? null : fieldOf(state.settings.cwd),
		isOwnPath: others.length > 0,
		problem: null,
	},
});
