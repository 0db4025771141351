import type {Action} from './actions.js';
import {reduce} from './reducer.js';
import type {AppState} from './state.js';

/** Sees each action after the reducer. */
type Listener = (state: AppState, previous: AppState) => void;

export interface AppStore {
	readonly getState: () => AppState;
	readonly dispatch: (action: Action) => void;
	readonly subscribe: (listener: () => void) => () => void;
	/** Before the screens are told. */
	readonly onAction: (listener: Listener) => () => void;
}

/** State outside of React: it outlives the screens while another program has the terminal. */
export const createAppStore = (initial: AppState): AppStore => {
	let state = initial;
	const screens = new Set<() => void>();
	const effects = new Set<Listener>();
	return {
		getState: () => state,
		dispatch(action) {
			const previous = state;
			state = reduce(previous, action);
			if (state === previous) return;
			for (const effect of effects) effect(state, previous);
			// An empty screen for the blink of an eye is neither seen nor free.
			if (state.reader?.isOpening) return;
			for (const screen of screens) screen();
		},
		subscribe(listener) {
			screens.add(listener);
			return () => screens.delete(listener);
		},
		onAction(listener) {
			effects.add(listener);
			return () => effects.delete(listener);
		},
	};
};
