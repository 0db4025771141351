/** DeepSeek Harness: an event log a session, plain or in zstd frames; an older generation of it may lie beside. */

import {foreignBy} from '../shared/foreign.js';
import type {Adapter} from '../types.js';
import {discover, roots} from './discover.js';
import {read} from './read.js';
import {resume} from './resume.js';

export const deepseekHarness: Adapter = {
	id: 'deepseek-harness',
	label: 'DeepSeek Harness',
	shortLabel: 'DeepSeek',
	parserVersion: 1,
	checked: ['0.1.1', '0.1.5-alpha.1', '0.2.0-rc.2'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({type, id, createdAt}) => type === 'session' && typeof createdAt === 'number' && id,
		at: (id, {version}) =>
			`sessions/imported/${id}/session.${Number(version) > 0 ? `v${Number(version)}.` : ''}jsonl`,
	}),
	resume,
};
