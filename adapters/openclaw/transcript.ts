/** Records of a transcript in the database: rows, or a whole log in an archive. */

import {existsSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import type {Locator, Problem} from '../model.js';
import {oneLine} from '../shared/content.js';
import {readJsonLines} from '../shared/jsonl.js';
import {numberOf, textOf} from '../shared/narrow.js';
import type {Json} from '../shared/pi/entry.js';
import {parseRecord} from '../shared/records.js';
import {columnsOf, type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {decompressBuffer} from '../shared/zstd.js';
import {ARCHIVE_TABLES} from './database.js';

const EVENT_BYTES = 64 * 1024 * 1024;
const ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Rows that are held at a time. */
const CHUNK = 200;

/** Stands in for a record's id. */
interface Placed {
	readonly place: string;
	readonly locator: Locator;
	/** Number of the row; undefined in an archive. */
	readonly seq?: number;
}

export type Stored = Placed &
	(
		| {readonly record: Json; readonly problem?: undefined}
		| {readonly problem: Problem; readonly record?: undefined}
	);

const textOfRow = (row: Row): string => {
	const packed = row['event_zstd'];
	if (!(packed instanceof Uint8Array)) return textOf(row['event_json']) ?? '';
	return Buffer.from(decompressBuffer(packed, EVENT_BYTES)).toString('utf8');
};

const eventColumns = (db: ForeignDatabase): string => {
	const isPacked = columnsOf(db, 'transcript_events').has('event_zstd');
	return isPacked ? 'seq, event_json, event_zstd' : 'seq, event_json';
};

const storedText = (text: string, placed: Placed): Stored => {
	const record = parseRecord(text);
	if (record !== undefined) return {...placed, record};
	const detail = `not a JSON object: ${oneLine(text, 200)}`;
	return {...placed, problem: {code: 'malformed-line', where: placed.place, detail}};
};

const storedRow = (row: Row): Stored => {
	const seq = numberOf(row['seq']) ?? 0;
	const locator = {table: 'transcript_events', row: seq};
	return storedText(textOfRow(row), {place: `L${seq}`, locator, seq});
};

function* rowsOf(path: string, id: string): Generator<Stored> {
	for (let next = 0; ; ) {
		const rows = withDatabase(path, db =>
			db.all(
				`SELECT ${eventColumns(db)} FROM transcript_events WHERE session_id = ? AND seq >= ? ORDER BY seq LIMIT ${CHUNK}`,
				id,
				next,
			),
		);
		for (const row of rows) yield storedRow(row);
		if (rows.length < CHUNK) return;
		next = (numberOf(rows.at(-1)?.['seq']) ?? 0) + 1;
	}
}

interface Archive {
	readonly table: string;
	readonly lines: readonly string[];
	/** A log in a file of its own. */
	readonly file?: string;
}

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const linesOf = (blob: unknown): readonly string[] => {
	if (!(blob instanceof Uint8Array)) return typeof blob === 'string' ? blob.split('\n') : [];
	const bytes = Buffer.from(blob);
	const isPacked = bytes.subarray(0, MAGIC.length).equals(MAGIC);
	const plain = isPacked ? Buffer.from(decompressBuffer(bytes, ARCHIVE_BYTES)) : bytes;
	return plain.toString('utf8').split('\n');
};

/** `<agent>/sessions/cold/<name>`, two folders up from the database. */
const coldFile = (databasePath: string, name: string | undefined): string | undefined => {
	if (name === undefined || basename(name) !== name) return undefined;
	const path = join(dirname(dirname(databasePath)), 'sessions', 'cold', name);
	return existsSync(path) ? path : undefined;
};

/** The newest archive of a session. */
const archiveOf = (db: ForeignDatabase, path: string, id: string): Archive | undefined => {
	for (const table of ARCHIVE_TABLES) {
		const columns = columnsOf(db, table);
		if (!columns.has('session_id') || !columns.has('archive_blob')) continue;
		const names = ['archive_blob', 'archive_name'].filter(name => columns.has(name)).join(', ');
		const order = columns.has('generation') ? 'generation' : 'rowid';
		const row = db.get(
			`SELECT ${names} FROM ${table} WHERE session_id = ? ORDER BY ${order} DESC LIMIT 1`,
			id,
		);
		if (row === undefined) continue;
		const file = coldFile(path, textOf(row['archive_name']));
		if (row['archive_blob'] !== null) return {table, lines: linesOf(row['archive_blob'])};
		if (file !== undefined) return {table, lines: [], file};
	}
	return undefined;
};

function* fileRecords(path: string): Generator<Stored> {
	for (const line of readJsonLines(path)) {
		const {number, offset, length, record, problem} = line;
		const placed = {place: `L${number}`, locator: {offset, length, path}};
		yield problem === undefined ? {...placed, record} : {...placed, problem};
	}
}

/** Records in their order: of the rows if there are any, else of an archive. */
export function* storedRecords(path: string, id: string): Generator<Stored> {
	let isEmpty = true;
	for (const stored of rowsOf(path, id)) {
		isEmpty = false;
		yield stored;
	}
	if (!isEmpty) return;
	const archive = withDatabase(path, db => archiveOf(db, path, id));
	if (archive?.file !== undefined) yield* fileRecords(archive.file);
	for (const [index, line] of (archive?.lines ?? []).entries()) {
		if (line.trim() === '') continue;
		const locator = {table: archive?.table ?? '', row: index};
		yield storedText(line, {place: `L${index + 1}`, locator});
	}
}

/** The raw record of a row, or of a line of an archive. */
export const rawRecord = (
	path: string,
	id: string,
	{table, row}: {readonly table: string; readonly row: string | number},
): string | undefined =>
	withDatabase(path, db => {
		if (table !== 'transcript_events') return archiveOf(db, path, id)?.lines[Number(row)];
		const found = db.get(
			`SELECT ${eventColumns(db)} FROM transcript_events WHERE session_id = ? AND seq = ?`,
			id,
			Number(row),
		);
		return found === undefined ? undefined : textOfRow(found);
	});
