import type {AppStore} from './app-store.js';
import type {Backend, Desktop, Sync} from './backend.js';
import type {AppState} from './state.js';

export interface Outside {
	readonly backend: Backend;
	readonly desktop: Desktop;
	readonly sync: Sync;
}

/** What work that takes time is done with. */
export interface Context extends Outside {
	readonly store: AppStore;
}

/** Work that the state asks for: seen after each action, and once at the start, where both states are the same. */
export type Effect = (context: Context, state: AppState, previous: AppState) => void;

export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** Starts work whose failure is one line on the screen. */
export const run = ({store}: Context, work: () => Promise<void>): void => {
	work().catch((error: unknown) => {
		store.dispatch({type: 'noticed', notice: {text: messageOf(error), isProblem: true}});
	});
};
