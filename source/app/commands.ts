import type {CommandId} from '../keymap/bindings.js';
import {listCommands} from './list-commands.js';
import {readerCommands} from './reader-commands.js';
import {openStats, request} from './requests.js';
import type {AppState} from './state.js';
import {fieldOf} from './text-edit.js';

const appCommands = {
	'app.palette': (state: AppState): AppState => ({
		...state,
		dialog: {kind: 'palette', field: fieldOf(''), selected: 0},
	}),
	'app.sources': (state: AppState): AppState =>
		request({...state, dialog: {kind: 'sources', roots: null, top: 0}}, {type: 'sources'}),
	'app.stats': (state: AppState): AppState => openStats(state, 'all'),
	'app.suspend': (state: AppState): AppState => request(state, {type: 'suspend'}),
	'app.quit': (state: AppState): AppState => request(state, {type: 'quit'}),
};

/** What each binding does. */
export const commands: Readonly<Record<CommandId, (state: AppState) => AppState>> = {
	...listCommands,
	...readerCommands,
	...appCommands,
};
