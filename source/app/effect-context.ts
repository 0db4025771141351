import type {AppStore} from './app-store.js';
import type {Backend, Desktop, Sync} from './backend.js';

export interface Outside {
	readonly backend: Backend;
	readonly desktop: Desktop;
	readonly sync: Sync;
}

/** What work that takes time is done with. */
export interface Context extends Outside {
	readonly store: AppStore;
}

export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

/** Starts work whose failure is one line on the screen. */
export const run = ({store}: Context, work: () => Promise<void>): void => {
	work().catch((error: unknown) => {
		store.dispatch({type: 'noticed', notice: {text: messageOf(error), isProblem: true}});
	});
};
