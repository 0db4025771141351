/** What keeps sessions: put back what an agent deleted, take a file in, make a fork of our own. */
import {request} from './requests.js';
import {currentSession} from './selectors.js';
import type {AppState} from './state.js';
import {fieldOf} from './text-edit.js';
import {eventAt, HEAD} from './transcript-events.js';

type Command = (state: AppState) => AppState;

export const restoreSession: Command = state => {
	const session = currentSession(state);
	return session ? request(state, {type: 'restore', session: session.ref}) : state;
};

export const openImport: Command = state => ({
	...state,
	dialog: {kind: 'import', field: fieldOf(''), problem: null},
});

/** Up to the marked block; of the whole session while the line above it is marked. */
export const forkHere: Command = state => {
	const {reader} = state;
	if (!reader) return state;
	const event = reader.block === HEAD ? undefined : eventAt(reader, reader.block);
	return request(state, {type: 'fork', session: reader.ref, upTo: event?.ref ?? null});
};
