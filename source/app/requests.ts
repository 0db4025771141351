/** Steps that several screens take. */
import type {SessionView} from '../../store/types.js';
import type {AppState, Request} from './state.js';

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

export const openExport = (state: AppState, session: SessionView): AppState => ({
	...state,
	dialog: {
		kind: 'export',
		session,
		choice: {format: 'markdown', tools: 'short', hasReasoning: false},
		focus: 0,
		path: null,
		isOwnPath: false,
		problem: null,
	},
});

export const toggleStar = (state: AppState, session: SessionView): AppState =>
	request(state, {type: 'star', session: session.ref, starred: !session.starred});
