/** Custom History: an exchange format of sessions, written by exporters of other agents. */

import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {foreign} from './foreign.js';
import {read} from './read.js';

export const customHistory: Adapter = {
	id: 'custom-history',
	label: 'Custom History',
	shortLabel: 'Custom',
	parserVersion: 1,
	checked: ['ctx-history-jsonl-v1'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign,
	resume: () => ({reason: 'an exchange file has no command to go on with'}),
};
