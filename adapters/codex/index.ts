/**
 * Codex CLI. A session is one rollout file that only grows (append family); it may move to the archive folder or be compressed.
 * The databases beside the rollouts are rebuilt from them by Codex and are not read.
 */

import {lineAt} from '../shared/jsonl.js';
import type {Adapter, Batch, Cursor, Source} from '../types.js';
import {discover, roots} from './discover.js';
import {rawItem, readDocument} from './document.js';
import {foreign} from './foreign.js';
import {readLog} from './read.js';
import {resume, start} from './resume.js';

const read = (source: Source, from?: Cursor): Iterable<Batch> =>
	source.mode === 'replace' ? readDocument(source) : readLog(source, from);

export const codex: Adapter = {
	id: 'codex',
	label: 'Codex',
	shortLabel: 'Codex',
	// 2: the address of the repository, by which a checkout that was moved is found again.
	parserVersion: 2,
	checked: ['0.171.0'],
	hasGlobalKeys: false,
	roots,
	discover,
	read,
	raw: (source, locator) => {
		if ('pointer' in locator) return rawItem(locator);
		if ('offset' in locator) {
			return lineAt(locator.path ?? source.path, locator.offset, locator.length);
		}
		return undefined;
	},
	foreign,
	resume,
	start,
	unattendedFlags: ['--dangerously-bypass-approvals-and-sandbox'],
};
