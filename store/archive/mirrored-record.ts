import {dirname} from 'node:path';
import type {Locator} from '../../adapters/model.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {Extent, VersionState} from './member.js';
import {createMirrorReader, type MirrorReader} from './mirror-read.js';
import {type MirrorFile, mirrorFiles, versionsOf} from './mirror-rows.js';

/** A mirrored record: its text, or the document that it is a part of. */
export type MirroredRecord =
	| {readonly text: string}
	| {readonly document: string; readonly pointer: string};

interface EventPlace {
	readonly session_id: number;
	readonly source_path: string;
	readonly source_key: string;
	readonly state: string;
	readonly key: string;
	readonly text: string;
	readonly line_offset: number | null;
	readonly line_length: number | null;
	readonly locator: string | null;
}

/** The raw record of an event out of our own copy; undefined when it has none. */
export const findMirroredRecord = (
	database: Database,
	eventRowId: number,
): MirroredRecord | undefined => {
	const event = prepared(database)(
		`SELECT event.session_id, source.path AS source_path, source.key AS source_key, event.state, event.key, substr(text, 1, 400) AS text,
		line_offset, line_length, locator FROM event JOIN source ON source.id = event.source_id WHERE event.id = ?`,
	).get(eventRowId) as EventPlace | undefined;
	const files = event === undefined ? [] : mirrorFiles(database, event.session_id);
	if (event === undefined || files.length === 0) return undefined;
	const locator: Locator =
		event.line_offset === null || event.line_length === null
			? (JSON.parse(event.locator ?? 'null') as Locator)
			: {offset: event.line_offset, length: event.line_length};
	const mirror = openedMirror(database);
	if ('table' in locator) return rowRecord(mirror, rowsFile(files, event), locator);
	const path = locator.path ?? event.source_path;
	for (const file of filesFor(files, path)) {
		const isCertain = file.path === path && event.state !== 'gone';
		const record =
			'offset' in locator
				? lineRecord(mirror, file, {event, isCertain, extent: [locator.offset, locator.length]})
				: documentRecord(mirror, file, locator.pointer);
		if (record !== undefined) return record;
	}
	return undefined;
};

interface Mirror {
	readonly database: Database;
	readonly reader: MirrorReader;
	/** The rows of the state that was looked into last, as `table row` → raw record. */
	rows: {readonly key: string; readonly records: ReadonlyMap<string, string>} | undefined;
}

const opened = new WeakMap<Database, Mirror>();

const openedMirror = (database: Database): Mirror => {
	const known = opened.get(database);
	if (known) return known;
	const mirror = {
		database,
		reader: createMirrorReader(database, dirname(database.name)),
		rows: undefined,
	};
	opened.set(database, mirror);
	return mirror;
};

/** The file of that path, then the others: it may have been moved since the event was read, or before it was rewritten. */
const filesFor = (files: readonly MirrorFile[], path: string): readonly MirrorFile[] =>
	files
		.filter(({kind}) => kind !== 'rows')
		.toSorted((a, b) => Number(b.path === path) - Number(a.path === path) || a.number - b.number);

const rowsFile = (files: readonly MirrorFile[], {source_key}: EventPlace): MirrorFile | undefined =>
	files.find(({kind, path}) => kind === 'rows' && path === source_key);

const lineRecord = (
	{database, reader}: Mirror,
	file: MirrorFile,
	{
		event,
		isCertain,
		extent,
	}: {readonly event: EventPlace; readonly isCertain: boolean; readonly extent: Extent},
): MirroredRecord | undefined => {
	for (const version of versionsOf(database, file.id)) {
		const text = lineIn(reader, file, {version, extent});
		// What is gone from the source stood at that place of an earlier state; the same place may hold another record now.
		if (text !== undefined && (isCertain || isRecordOf(text, event))) return {text};
	}
	return undefined;
};

const LINE_ENDS = new Set([0x0a, 0x0d, 0x00, 0x7b]);

const lineIn = (
	reader: MirrorReader,
	file: MirrorFile,
	{version, extent}: {readonly version: VersionState; readonly extent: Extent},
): string | undefined => {
	const [offset, length] = extent;
	const end = offset + length;
	if (end > version.sizeBytes) return undefined;
	const isLast = end === version.sizeBytes;
	const bytes = reader.version(file.id, version, [offset, isLast ? length : length + 1]);
	if (bytes === undefined) return undefined;
	return isLast || LINE_ENDS.has(bytes[length] as number)
		? bytes.toString('utf8', 0, length)
		: undefined;
};

/** The record holds the event's native id, or its text. */
const isRecordOf = (raw: string, {key, text}: EventPlace): boolean => {
	const id = key
		.replace(/\.\d+$/, '')
		.replaceAll('%3A', ':')
		.replaceAll('%25', '%');
	const isPlace = /^[Lo]\d+$/.test(id);
	const words = text.split('\n').find(line => line.trim().length > 8) ?? text;
	const quoted = JSON.stringify(words.slice(0, 60)).slice(1, -1);
	return (!isPlace && raw.includes(id)) || (quoted.length > 0 && raw.includes(quoted));
};

const documentRecord = (
	{database, reader}: Mirror,
	file: MirrorFile,
	pointer: string,
): MirroredRecord | undefined => {
	const [version] = versionsOf(database, file.id);
	const bytes = version && reader.version(file.id, version);
	return bytes && {document: bytes.toString('utf8'), pointer};
};

const rowRecord = (
	mirror: Mirror,
	file: MirrorFile | undefined,
	{table, row}: {readonly table: string; readonly row: string | number},
): MirroredRecord | undefined => {
	if (file === undefined) return undefined;
	for (const version of versionsOf(mirror.database, file.id)) {
		const text = recordsOf(mirror, file, version).get(`${table} ${row}`);
		if (text !== undefined) return {text};
	}
	return undefined;
};

const recordsOf = (
	mirror: Mirror,
	file: MirrorFile,
	version: VersionState,
): ReadonlyMap<string, string> => {
	const key = `${file.id} ${version.number} ${version.hash}`;
	if (mirror.rows?.key === key) return mirror.rows.records;
	const records = new Map<string, string>();
	const bytes = mirror.reader.version(file.id, version);
	for (const line of bytes?.toString('utf8').split('\n') ?? []) {
		if (line === '') continue;
		const {table, row, raw} = JSON.parse(line) as {table: string; row: string; raw: string};
		records.set(`${table} ${row}`, raw);
	}
	mirror.rows = {key, records};
	return records;
};
