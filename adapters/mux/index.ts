/** Mux, by its newer name Xum: workspaces of a desktop program, with their talks as logs. */

import {foreignBy} from '../shared/foreign.js';
import {textOf} from '../shared/narrow.js';
import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

export const mux: Adapter = {
	id: 'mux',
	label: 'Mux',
	shortLabel: 'Mux',
	parserVersion: 1,
	checked: ['0.27.0'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({role, parts, workspaceId}) =>
			textOf(role) !== undefined && Array.isArray(parts) && workspaceId,
		at: id => `sessions/${id}/chat.jsonl`,
	}),
	resume: () => ({reason: 'a workspace goes on in the Mux application only'}),
};
