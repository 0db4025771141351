/**
 * fx: a folder a session. Three generations lie side by side: version 4 is a log of small events that only grows; version 3 a log
 * of whole turns with a watermark, in which the state may be replaced; versions 1 and 2 are one document.
 */

import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {foreign} from './foreign.js';
import {read} from './read.js';
import {resume} from './resume.js';

export const fx: Adapter = {
	id: 'fx',
	label: 'fx',
	shortLabel: 'fx',
	parserVersion: 1,
	checked: ['0.0.5', '0.0.6', '0.0.10'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign,
	resume,
};
