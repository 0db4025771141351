/** NanoClaw 2: an agent behind chat channels, with two databases for each session: what came in, and what went out. */

import {basename, dirname, join} from 'node:path';
import type {Locator} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {recordOf, textOf} from '../shared/narrow.js';
import {rowText} from '../shared/rows/messages.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import {
	type Adapter,
	type Batch,
	type ResumePlan,
	type Source,
	SourceUnreadable,
} from '../types.js';
import {discover, HALVES, roots} from './discover.js';
import {
	byPlace,
	editedBy,
	eventOf,
	isTyped,
	type Message,
	messageOf,
	senderOf,
	TABLES,
	type Table,
} from './messages.js';

const COLUMNS = [
	'id',
	'seq',
	'kind',
	'timestamp',
	'trigger',
	'recurrence',
	'series_id',
	'source_session_id',
	'in_reply_to',
	'content',
];
const rowsOf = (path: string, table: Table): readonly Row[] =>
	withDatabase(path, db => {
		if (!hasColumns(db, table, ['id', 'content'])) {
			throw new SourceUnreadable('unsupported-schema', `${path}: no table ${table}`);
		}
		return db.all(`SELECT ${listOfColumns(db, table, COLUMNS)} FROM ${table}`);
	});

/** One half may be missing. */
const messagesOf = ({files}: Source): readonly Message[] =>
	HALVES.flatMap(half => {
		const file = files.find(({path}) => basename(path) === half);
		if (file === undefined) return [];
		const table = TABLES[half];
		return rowsOf(file.path, table).map(row => messageOf(row, table));
	}).toSorted(byPlace);

function* read(source: Source): Generator<Batch> {
	const messages = messagesOf(source);
	const {checkout, tag, createdAt, lastActive} = recordOf(source.extra);
	const batch = createBatch(source.sessionId ?? basename(source.key));
	batch.patch(
		compact({
			cwd: textOf(checkout),
			tag: textOf(tag),
			createdAtMs: timeMs(createdAt),
			updatedAtMs: timeMs(lastActive),
		}),
	);
	const senders = messages.filter(message => message.table === 'messages_in' && isTyped(message));
	const shown = {
		hasSenders: new Set(senders.flatMap(message => senderOf(message) ?? [])).size > 1,
		edited: new Set(messages.flatMap(message => editedBy(message) ?? [])),
	};
	for (const message of messages) {
		if (batch.isFull()) yield batch.take(END);
		const event = eventOf(message, shown);
		if (event !== undefined) batch.event(event);
	}
	yield batch.take(END);
}

const raw = (source: Source, locator: Locator): string | undefined => {
	if (!('table' in locator)) return undefined;
	const half = HALVES.find(name => TABLES[name] === locator.table);
	if (half === undefined) return undefined;
	return withDatabase(join(dirname(source.path), half), db => {
		const columns = listOfColumns(db, TABLES[half], COLUMNS);
		const row = db.get(`SELECT ${columns} FROM ${TABLES[half]} WHERE id = ?`, locator.row);
		return row === undefined ? undefined : rowText(row);
	});
};

const resume = (): ResumePlan => ({
	reason: 'NanoClaw goes on in its chat channel; there is no resume from the command line',
});

export const nanoclaw: Adapter = {
	id: 'nanoclaw',
	label: 'NanoClaw',
	shortLabel: 'NanoClaw',
	parserVersion: 1,
	checked: ['2 of 2026-05-18'],
	hasGlobalKeys: false,
	isPerProject: true,
	roots,
	discover,
	read,
	raw,
	resume,
};
