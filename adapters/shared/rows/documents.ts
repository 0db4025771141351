/** Sessions whose messages are one JSON document in a row. */

import type {Problem} from '../../model.js';
import type {RawRow} from '../../types.js';
import {jsonText} from '../content.js';
import {stringOf} from '../narrow.js';
import {listOfColumns} from '../session-parts/schema.js';
import {type Row, type SqlValue, withDatabase} from '../sqlite.js';
import {jsonIn} from './events.js';
import {capped, tooLarge} from './messages.js';

export interface DocumentTable {
	readonly name: string;
	/** Condition that picks the row of a session. */
	readonly where: string;
	/** Read where they exist. */
	readonly columns: readonly string[];
	/** Column of the document. */
	readonly document: string;
	/** The messages in it. */
	messagesIn(document: unknown): readonly unknown[];
}

export interface StoredDocument {
	readonly row: Row;
	/** Place of the row in its table. */
	readonly place: number;
	readonly value: unknown;
	readonly messages: readonly unknown[];
	/** Why there is no document. */
	readonly problem: Problem | undefined;
}

const problemIn = (table: DocumentTable, row: Row, value: unknown): Problem | undefined => {
	const where = `${table.name} ${row['place']}`;
	const large = tooLarge(where, row[`${table.document}_bytes`]);
	if (large !== undefined || value !== undefined) return large;
	return {code: 'bad-record', where, detail: 'the messages are no JSON'};
};

/** The row of a session and its document; undefined if there is no such row. */
export const documentOf = (
	path: string,
	table: DocumentTable,
	...values: readonly SqlValue[]
): StoredDocument | undefined =>
	withDatabase(path, db => {
		const columns = [
			'rowid AS place',
			listOfColumns(db, table.name, table.columns),
			capped(table.document),
		].filter(part => part !== '');
		const row = db.get(
			`SELECT ${columns.join(', ')} FROM ${table.name} WHERE ${table.where}`,
			...values,
		);
		if (row === undefined) return undefined;
		const value = jsonIn(row[table.document]);
		return {
			row,
			place: Number(row['place']),
			value,
			messages: table.messagesIn(value),
			problem: problemIn(table, row, value),
		};
	});

/** A message of a document as the row of a locator: place of the row and index. */
export const messageRow = ({place}: StoredDocument, index: number): string => `${place}/${index}`;

const ROW = /^(\d+)\/(\d+)$/;

/** The message that `messageRow` names, as JSON. */
export const rawMessageIn = (
	path: string,
	table: DocumentTable,
	row: string | number,
): string | undefined => {
	const [, place, index] = ROW.exec(String(row)) ?? [];
	if (place === undefined) return undefined;
	const {document, name} = table;
	const text = withDatabase(path, db =>
		stringOf(
			db.get(`SELECT ${document} AS text FROM ${name} WHERE rowid = ?`, Number(place))?.['text'],
		),
	);
	const message = table.messagesIn(jsonIn(text))[Number(index)];
	return message === undefined ? undefined : jsonText(message);
};

/** All messages of a document, for the mirror: it is parsed once. */
export const rowsIn = (
	table: DocumentTable,
	stored: StoredDocument | undefined,
): readonly RawRow[] =>
	stored === undefined
		? []
		: stored.messages.map((message, index) => ({
				table: table.name,
				row: messageRow(stored, index),
				raw: jsonText(message),
			}));
