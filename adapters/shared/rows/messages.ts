/** Messages in rows of a database, read some at a time: each may carry pictures. */

import type {Problem} from '../../model.js';
import {jsonText, sizeLabel} from '../content.js';
import {numberOf} from '../narrow.js';
import {listOfColumns} from '../session-parts/schema.js';
import {columnsOf, type ForeignDatabase, type Row, withDatabase} from '../sqlite.js';

/** Largest text that is loaded. */
export const DOCUMENT_BYTES = 64 * 1024 * 1024;
const CHUNK = 50;

export interface MessageTable {
	readonly name: string;
	/** Column that names a row in locators. */
	readonly id: string;
	/** Column of the session's id. */
	readonly session: string;
	/** Read where they exist. */
	readonly columns: readonly string[];
	/** Those of the columns that may be large. */
	readonly documents: readonly string[];
	/** What orders the messages, where it exists; then the order of writing does. */
	readonly order: readonly string[];
}

export interface SessionQuery {
	readonly sessionId: string;
	report(problem: Problem): void;
}

/** A value that may be large, and how large it is. */
export const capped = (column: string): string =>
	`CASE WHEN octet_length(${column}) <= ${DOCUMENT_BYTES} THEN ${column} END AS ${column},
	octet_length(${column}) AS ${column}_bytes`;

export const tooLarge = (where: string, bytes: unknown): Problem | undefined => {
	const size = numberOf(bytes) ?? 0;
	if (size <= DOCUMENT_BYTES) return undefined;
	return {code: 'limit', where, detail: `record of ${sizeLabel(size)}`};
};

const rowIds = (
	db: ForeignDatabase,
	{name, session, order}: MessageTable,
	sessionId: string,
): readonly number[] => {
	const there = columnsOf(db, name);
	const columns = order.filter(column => there.has(column));
	// Qualified: a column may be called as the row's place is here.
	const by = [...columns, 'rowid'].map(column => `${name}.${column}`).join(', ');
	const rows = db.all(
		`SELECT rowid AS place FROM ${name} WHERE ${session} = ? ORDER BY ${by}`,
		sessionId,
	);
	return rows.flatMap(row => numberOf(row['place']) ?? []);
};

const rowsAt = (
	db: ForeignDatabase,
	{name, columns, documents}: MessageTable,
	places: readonly number[],
): readonly Row[] => {
	const there = columnsOf(db, name);
	const wanted = columns
		.filter(column => there.has(column))
		.map(column => (documents.includes(column) ? capped(column) : column));
	const rows = db.all(
		`SELECT rowid AS place, ${wanted.join(', ')} FROM ${name} WHERE rowid IN (SELECT value FROM json_each(?))`,
		JSON.stringify(places),
	);
	const byPlace = new Map(rows.map(row => [row['place'], row]));
	return places.flatMap((place): readonly Row[] => {
		const row = byPlace.get(place);
		return row === undefined ? [] : [row];
	});
};

/** The messages of a session in order, with `place` (the row in its table). What is too large is reported and null. */
export function* messageRows(
	path: string,
	table: MessageTable,
	{sessionId, report}: SessionQuery,
): Generator<Row> {
	const places = withDatabase(path, db => rowIds(db, table, sessionId));
	for (let first = 0; first < places.length; first += CHUNK) {
		const chunk = places.slice(first, first + CHUNK);
		for (const row of withDatabase(path, db => rowsAt(db, table, chunk))) {
			for (const column of table.documents) {
				const problem = tooLarge(`${table.name} ${row[table.id]}`, row[`${column}_bytes`]);
				if (problem !== undefined) report(problem);
			}
			yield row;
		}
	}
}

/** A row as JSON, without its empty columns. */
export const rowText = (row: Row): string =>
	jsonText(
		Object.fromEntries(
			Object.entries(row)
				.filter(([, value]) => value !== null)
				.map(([name, value]) => [
					name,
					value instanceof Uint8Array ? Buffer.from(value).toString() : value,
				]),
		),
	);

/** The row of a message as JSON. */
export const rawMessage = (
	path: string,
	{name, id, columns}: MessageTable,
	row: string | number,
): string | undefined =>
	withDatabase(path, db => {
		const found = db.get(
			`SELECT ${listOfColumns(db, name, columns)} FROM ${name} WHERE ${id} = ?`,
			row,
		);
		return found === undefined ? undefined : rowText(found);
	});
