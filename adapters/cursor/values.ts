/** Values of the editor's key-value tables: JSON as text or as bytes. */

import {jsonText} from '../shared/content.js';
import {at, textOf} from '../shared/narrow.js';
import {type ForeignDatabase, withDatabase} from '../shared/sqlite.js';

/** Largest value that is loaded: old chats stand whole in one. */
const VALUE_BYTES = 64 * 1024 * 1024;

const textValue = (value: unknown): string | undefined => {
	if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
	return typeof value === 'string' ? value : undefined;
};

/** Undefined for NULL and for what is no JSON: both are usual. */
export const jsonOf = (value: unknown): unknown => {
	const text = textOf(textValue(value));
	if (text === undefined) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined; // the caller says what a row without its document is worth
	}
};

const TABLES = ['cursorDiskKV', 'ItemTable'] as const;
type Table = (typeof TABLES)[number];

/** Values by key; keys that are not there, NULL or beyond the limit are missing. */
export const valuesOf = (
	db: ForeignDatabase,
	table: Table,
	keys: readonly string[],
): ReadonlyMap<string, unknown> => {
	if (!db.hasTable(table)) return new Map();
	const rows = db.all(
		`SELECT key, value FROM ${table} WHERE key IN (SELECT value FROM json_each(?)) AND octet_length(value) <= ${VALUE_BYTES}`,
		JSON.stringify(keys),
	);
	return new Map(rows.map(({key, value}) => [String(key), value]));
};

/** Bytes of a value that holds no text. */
export const bytesValue = (value: unknown): Uint8Array | undefined => {
	if (value instanceof Uint8Array) return value;
	return typeof value === 'string' ? Buffer.from(value) : undefined;
};

/** Row of a part of a value: the key, then the way to it, such as `composerData:1#conversation#3`. */
export const rowOf = (key: string, ...path: readonly (string | number)[]): string =>
	[key, ...path].join('#');

/** A value, or the part of it that a locator names, as it stands in its row; bytes that are no text in base64. */
export const rawValue = (path: string, table: string, row: string | number): string | undefined => {
	const known = TABLES.find(name => name === table);
	const [key = '', ...steps] = String(row).split('#');
	if (known === undefined) return undefined;
	const value = withDatabase(path, db => valuesOf(db, known, [key]).get(key));
	if (value === undefined) return undefined;
	if (steps.length > 0) {
		const part = at(jsonOf(value), ...steps);
		return part === undefined ? undefined : jsonText(part);
	}
	const bytes = bytesValue(value) ?? new Uint8Array();
	return isText(bytes) ? textValue(bytes) : Buffer.from(bytes).toString('base64');
};

const isText = (bytes: Uint8Array): boolean => !bytes.includes(0) && bytes[0] === 0x7b;
