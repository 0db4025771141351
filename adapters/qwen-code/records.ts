/** Which record says what. */

import type {AdapterEvent} from '../model.js';
import {at, entryOf, textOf} from '../shared/narrow.js';
import {noteDirectory} from '../shared/pairs.js';
import {assistantEvents} from './assistant.js';
import {closeCut, noteBranch, noteRow} from './branches.js';
import {toolResults} from './results.js';
import type {Row} from './row.js';
import {systemEvents} from './system.js';
import {userEvents} from './user.js';

const READERS: Readonly<Record<string, (row: Row) => readonly AdapterEvent[]>> = {
	assistant: assistantEvents,
	system: systemEvents,
	tool_result: toolResults,
	user: userEvents,
};

/** The envelope that all records share. */
const noteEnvelope = ({record, atMs, context: {progress, identity}}: Row): void => {
	if (atMs !== undefined) progress.bornAtMs ??= atMs;
	const cwd = textOf(record['cwd']);
	if (cwd !== undefined) {
		progress.cwd ??= cwd;
		noteDirectory(progress, cwd);
	}
	const branch = textOf(record['gitBranch']);
	if (branch !== undefined) progress.branch = branch;
	const version = textOf(record['version']);
	if (version !== undefined) progress.version = version;
	const origin = textOf(at(record, 'forkedFrom', 'sessionId'));
	if (origin !== undefined && origin !== identity.sessionId) progress.forkedFrom ??= origin;
};

export const readRecord = (row: Row): void => {
	const {type, pieces, context} = row;
	const {batch} = context;
	noteEnvelope(row);
	const read = entryOf(READERS, type);
	if (read === undefined) {
		batch.unknown(`type/${type.slice(0, 80)}`);
		return;
	}
	for (const piece of pieces) {
		if (piece.kind === 'unknown') batch.unknown(`part/${piece.type.slice(0, 80)}`);
	}
	noteBranch(row);
	const events = read(row);
	for (const event of events) {
		closeCut(row, event.key);
		batch.event(event);
	}
	noteRow(row, events);
};
