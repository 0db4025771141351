/** Junie, JetBrains' command line: a log of events in a folder for each session. */

import {foreignBy} from '../shared/foreign.js';
import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';

export const junie: Adapter = {
	id: 'junie',
	label: 'Junie',
	shortLabel: 'Junie',
	parserVersion: 1,
	checked: ['2026-08'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({kind}) => kind === 'UserPromptEvent' || kind === 'SessionA2uxEvent',
		at: id => `sessions/${id}/events.jsonl`,
	}),
	resume: () => ({
		reason: 'Junie is not known to take a session id; pick it from the list in the agent',
	}),
};
