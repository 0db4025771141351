/**
 * The tree by `parentUuid`. A file is one chain as a rule; a record that hangs on an earlier one than the last leaves what lies
 * between on an abandoned branch. A rewind says so at once: its own record hangs on what was before the turn that is taken back
 * (null: before the first one).
 */

import type {AdapterEvent} from '../model.js';
import {recall} from '../shared/pairs.js';
import {type Progress, remember} from './progress.js';
import type {Row} from './row.js';
import {isTurn} from './user.js';

/** First event behind the record that a new one hangs on: undefined if there is none, or if the record is not known. */
const firstEventBehind = (progress: Progress, parent: string): string | undefined => {
	const {rows, turns} = progress;
	const place = rows.findLastIndex(([uuid]) => uuid === parent);
	if (place === -1) return recall(turns, parent);
	return rows.slice(place + 1).find(([, key]) => key !== '')?.[1];
};

const parentOf = ({record, context: {progress}}: Row): string | null | undefined => {
	const parent = record['parentUuid'];
	if (typeof parent !== 'string') return parent === null ? null : undefined;
	return recall(progress.notes, parent) ?? parent;
};

/** Some notes are written at the end of the file and hang wherever their writer was: only talk and rewinds choose a branch. */
const isNote = ({type, subtype}: Row): boolean => type === 'system' && subtype !== 'rewind';

/** Looks where a record hangs. To be called before its events are given. */
export const noteBranch = (row: Row): void => {
	const {progress} = row.context;
	const parent = parentOf(row);
	if (parent === undefined || progress.rows.length === 0) return;
	const left = parent === null ? progress.firstKey : firstEventBehind(progress, parent);
	if (left === undefined) return;
	if (!isNote(row)) progress.cutFrom = left;
	else if (parent !== null) remember(progress, 'notes', [row.id, parent]);
};

/** What was left ends where the next event begins. */
export const closeCut = ({context: {progress, batch}}: Row, key: string): void => {
	if (progress.cutFrom === undefined) return;
	batch.undo(progress.cutFrom, key);
	delete progress.cutFrom;
};

/** Remembers a record and its place. */
export const noteRow = (row: Row, events: readonly AdapterEvent[]): void => {
	const {progress} = row.context;
	const key = events[0]?.key ?? '';
	if (key !== '') progress.firstKey ??= key;
	if (recall(progress.notes, row.id) !== undefined) return;
	remember(progress, 'rows', [row.id, key]);
	const parent = parentOf(row);
	if (typeof parent === 'string' && key !== '' && isTurn(row)) {
		remember(progress, 'turns', [parent, key]);
	}
};
