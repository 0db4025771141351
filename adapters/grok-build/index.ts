/**
 * Grok Build: `sessions/<directory>/<id>/updates.jsonl` is a log that only grows, in which messages come in chunks and calls are
 * refined later. Where it is missing, `chat_history.jsonl` (what the model saw last, rewritten freely) has to do.
 */

import {foreignBy} from '../shared/foreign.js';
import {at} from '../shared/narrow.js';
import type {Adapter, Batch, Cursor, Source} from '../types.js';
import {discover, roots} from './discover.js';
import {readHistory} from './history.js';
import {readLog} from './read.js';
import {resume} from './resume.js';

const read = (source: Source, from?: Cursor): Iterable<Batch> =>
	source.mode === 'append' ? readLog(source, from) : readHistory(source);

export const grokBuild: Adapter = {
	id: 'grok-build',
	label: 'Grok Build',
	shortLabel: 'Grok',
	parserVersion: 1,
	checked: ['1.0.3', '1.0.6'],
	// Event ids hold the session id, but not every record has one.
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	foreign: foreignBy({
		idIn: ({method, params}) => method === 'session/update' && at(params, 'sessionId'),
		at: id => `sessions/imported/${id}/updates.jsonl`,
	}),
	resume,
};
