import {createContext, useContext, useSyncExternalStore} from 'react';
import type {AppStore} from '../app/app-store.js';
import type {AppState} from '../app/state.js';

export const StoreContext = createContext<AppStore | null>(null);

export const useAppStore = (): AppStore => {
	const store = useContext(StoreContext);
	if (store === null) throw new Error('no store above this component');
	return store;
};

/** A part of the state; the selector gives the same object as long as nothing in it changed. */
export const useAppState = <T>(select: (state: AppState) => T): T => {
	const store = useAppStore();
	return useSyncExternalStore(store.subscribe, () => select(store.getState()));
};
