/** Steps that several screens take. */
import type {SessionView} from '../../store/types.js';
import type {AppState, Request, StatsRange} from './state.js';
import {fieldOf} from './text-edit.js';

export const request = (state: AppState, ...requests: readonly Request[]): AppState => ({
	...state,
	outbox: [...state.outbox, ...requests],
});

export const notice = (state: AppState, text: string, isProblem = false): AppState => ({
	...state,
	notice: {text, isProblem},
});

export const openResume = (state: AppState, session: SessionView, isFork = false): AppState =>
	state.settings.isPrint
		? request(state, {type: 'print-command', session})
		: {
				...state,
				dialog: {kind: 'resume', session, sheet: null, isFork, directory: null},
			};

export const openHandOver = (state: AppState, session: SessionView): AppState =>
	request(
		{...state, dialog: {kind: 'hand-over', session, selected: 0, takers: null, record: null}},
		{type: 'takers', session: session.ref},
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
