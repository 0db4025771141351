/** `threads.db`: one row for each thread, its content a document. Columns came with time, so each is read where it exists. */

import type {Problem} from '../model.js';
import {entryOf, isRecord, stringOf} from '../shared/narrow.js';
import {jsonIn} from '../shared/rows/events.js';
import {capped, DOCUMENT_BYTES, tooLarge} from '../shared/rows/messages.js';
import {type ListedSession, markedRows, type SessionTable} from '../shared/rows/sessions.js';
import {hasColumns, listOfColumns} from '../shared/session-parts/schema.js';
import {type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {decompressBuffer} from '../shared/zstd.js';
import {type Source, SourceUnreadable} from '../types.js';

const MARKS = ['updated_at', 'summary', 'parent_id', 'folder_paths', 'folder_paths_order'];

export const THREADS: SessionTable = {
	name: 'threads',
	id: 'id',
	needs: ['id', 'data_type', 'data'],
	columns: ['id', 'data_type', 'created_at', ...MARKS],
};

export const listThreads = (db: ForeignDatabase): readonly ListedSession[] | undefined =>
	hasColumns(db, THREADS.name, THREADS.needs)
		? markedRows(db, THREADS, MARKS).map(({id, marks}) => ({id, mark: JSON.stringify(marks)}))
		: undefined;

export interface Thread {
	readonly row: Row;
	readonly document: Readonly<Record<string, unknown>>;
}

const threadRow = (db: ForeignDatabase, id: string): Row | undefined =>
	db.get(
		`SELECT ${listOfColumns(db, THREADS.name, THREADS.columns)}, ${capped('data')} FROM threads WHERE id = ?`,
		id,
	);

const unreadable = ({code, detail}: Problem, {key}: Source): SourceUnreadable =>
	new SourceUnreadable(code, `${key}: ${detail}`);

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Content by `data_type`; others are of versions to come. */
const DECODERS: Readonly<
	Record<string, (bytes: Uint8Array, report: (problem: Problem) => void) => string>
> = {
	json: textIn,
	zstd: (bytes, report) => textIn(decompressBuffer(bytes, DOCUMENT_BYTES, report)),
};

const decoded = (row: Row, source: Source): unknown => {
	const {data, data_type: type} = row;
	const size = tooLarge(source.key, row['data_bytes']);
	if (size !== undefined) throw unreadable(size, source);
	const decode = entryOf(DECODERS, stringOf(type));
	if (decode === undefined) {
		const detail = `content of the kind ${String(type).slice(0, 80)}`;
		throw unreadable({code: 'unsupported-schema', detail}, source);
	}
	const bytes = data instanceof Uint8Array ? data : Buffer.from(String(data));
	return jsonIn(
		decode(bytes, problem => {
			throw unreadable(problem, source);
		}),
	);
};

/**
 * A thread with its document.
 * @throws SourceUnreadable when the row is gone or holds no document: what was read before stays.
 */
export const loadThread = (source: Source): Thread => {
	const row = withDatabase(source.path, db => threadRow(db, source.sessionId ?? ''));
	if (row === undefined) throw new SourceUnreadable('unreadable', `gone: ${source.key}`);
	const document = decoded(row, source);
	if (!isRecord(document) || !Array.isArray(document['messages'])) {
		throw unreadable({code: 'bad-record', detail: 'no thread in its document'}, source);
	}
	return {row, document};
};
