/** Muse: an event log a session, with those of its sub-agents in folders below. Also reads what `muse export` writes. */

import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {foreign} from './foreign.js';
import {read} from './read.js';
import {resume} from './resume.js';

export const muse: Adapter = {
	id: 'muse',
	label: 'Muse',
	shortLabel: 'Muse',
	parserVersion: 1,
	checked: ['1.3.0', '1.4.3'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign,
	resume,
};
