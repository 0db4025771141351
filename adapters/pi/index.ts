/** Pi, and its variant oh-my-pi: `<agent folder>/sessions/<directory>/<time>_<session id>.jsonl`, a tree of entries each. */

import {foreignBy} from '../shared/foreign.js';
import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';
import {resume} from './resume.js';

export const pi: Adapter = {
	id: 'pi',
	label: 'Pi',
	shortLabel: 'Pi',
	parserVersion: 1,
	checked: ['1.6.0', '0.74.2', 'oh-my-pi 18.3.4'],
	// Eight hexadecimal digits; what oh-my-pi imports counts from 1.
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({type, id, timestamp}) => type === 'session' && typeof timestamp === 'string' && id,
		at: id => `sessions/imported/${id}.jsonl`,
	}),
	resume,
};
