import {existsSync} from 'node:fs';
import {openBytes} from '../../adapters/shared/bytes.js';
import {openFile} from '../../adapters/shared/open-file.js';
import {readRaw} from '../../adapters/shared/read-raw.js';
import {stampOf} from '../../adapters/shared/walk.js';
import {isZstd} from '../../adapters/shared/zstd.js';
import type {Adapter, FileStamp, RawRow} from '../../adapters/types.js';
import {
	type Content,
	type FindContents,
	PIECE_BYTES,
	type SourcePlace,
} from '../../store/archive/content.js';
import {locatorPaths, rowLocators} from '../../store/archive/event-places.js';
import type {MirrorKind} from '../../store/archive/member.js';
import {isCompressed, plainPath} from '../../store/archive/plain-path.js';
import type {Database} from '../../store/open.js';
import {hashOfSamples, prefixHash} from '../../store/sync/prefix.js';

const SQLITE_MAGIC = 'SQLite format 3\0';
const COMPANION_LIMIT = 10_000;

/** See `FindContents`: files and rows of a source as the mirror keeps them. */
export const findContents: FindContents = (database, adapter, place) => {
	const {source, root, sourceId, shared} = place;
	if (isDatabase(source.path)) return [rowsContent(database, adapter, place)];
	const paths = new Set([
		source.path,
		...source.files.map(({path}) => path),
		...locatorPaths(database, sourceId),
		...(adapter.companions?.(source) ?? []).slice(0, COMPANION_LIMIT),
	]);
	return [...paths].flatMap(path => {
		if (path !== source.path && (shared.has(path) || isDatabase(path))) return [];
		// The plain form is the newer one, and another source: of the two only one state would be the last.
		if (isCompressed(path) && existsSync(plainPath(path))) return [];
		const stamp = stampOf(path, root);
		return stamp === undefined ? [] : [fileContent(stamp, root)];
	});
};

const isDatabase = (path: string): boolean => {
	// A source whose file is gone is no database either.
	if (!existsSync(path)) return false;
	const file = openFile(path);
	try {
		const head = Buffer.alloc(SQLITE_MAGIC.length);
		return file.read(head, 0) === head.length && head.toString('latin1') === SQLITE_MAGIC;
	} finally {
		file.close();
	}
};

const stampText = ({sizeBytes, mtimeMs, inode}: FileStamp): string =>
	`${sizeBytes}:${mtimeMs}:${inode}`;

/** A file as it is now; of a compressed one the plain bytes. */
export const fileContent = (stamp: FileStamp, root: string, kind: MirrorKind = 'file'): Content => {
	const {path} = stamp;
	const base = {path, root, kind, stamp: stampText(stamp)};
	if (isCompressed(path) && isZstd(path)) return {...base, ...unpacked(path)};
	return {
		...base,
		canSeek: true,
		*read(from) {
			const file = openFile(path);
			try {
				// What is appended meanwhile waits for the next pass.
				for (let place = from; place < file.sizeBytes; ) {
					const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, file.sizeBytes - place));
					const read = file.read(piece, place);
					if (read === 0) return;
					place += read;
					yield piece.subarray(0, read);
				}
			} finally {
				file.close();
			}
		},
		prefixHash: sizeBytes => prefixHash(path, sizeBytes),
	};
};

/** A compressed transcript is kept as the plain one: offsets of records count its bytes. */
const unpacked = (path: string): Pick<Content, 'read' | 'prefixHash' | 'canSeek'> => ({
	canSeek: false,
	*read(from) {
		const input = openBytes(path, from);
		try {
			for (;;) {
				const piece = readUpTo(input, PIECE_BYTES);
				if (piece.length > 0) yield piece;
				if (piece.length < PIECE_BYTES) return;
			}
		} finally {
			input.close();
		}
	},
	prefixHash: sizeBytes =>
		hashOfSamples(sizeBytes, (from, length) => {
			const input = openBytes(path, from);
			try {
				return readUpTo(input, length);
			} finally {
				input.close();
			}
		}),
});

const readUpTo = (input: {read(into: Uint8Array): number}, length: number): Buffer => {
	const bytes = Buffer.allocUnsafe(length);
	let filled = 0;
	for (let read = -1; read !== 0 && filled < length; filled += read)
		read = input.read(bytes.subarray(filled));
	return bytes.subarray(0, filled);
};

/** Bytes that lie in memory. */
export const bufferContent = (
	bytes: Buffer,
	base: Pick<Content, 'path' | 'root' | 'kind' | 'stamp'>,
): Content => ({
	...base,
	canSeek: true,
	*read(from) {
		for (let place = from; place < bytes.length; place += PIECE_BYTES)
			yield bytes.subarray(place, place + PIECE_BYTES);
	},
	prefixHash: sizeBytes =>
		hashOfSamples(sizeBytes, (from, length) => bytes.subarray(from, from + length)),
});

const rowsContent = (
	database: Database,
	adapter: Adapter,
	{sourceId, source, root}: Omit<SourcePlace, 'shared'>,
): Content => {
	const rows = adapter.rows?.(source) ?? rowsOfEvents(database, adapter, {sourceId, source});
	const lines: string[] = [];
	for (const {table, row, raw} of rows) lines.push(`${JSON.stringify({table, row, raw})}\n`);
	return bufferContent(Buffer.from(lines.join('')), {
		path: source.key,
		root,
		kind: 'rows',
		stamp: source.mark ?? source.files.map(stampText).join(' '),
	});
};

/** The rows that events were made of, each once, in the order of the transcript. */
function* rowsOfEvents(
	database: Database,
	adapter: Adapter,
	{sourceId, source}: Pick<SourcePlace, 'sourceId' | 'source'>,
): Generator<RawRow, void> {
	for (const {table, row} of rowLocators(database, sourceId)) {
		const raw = readRaw(adapter, source, {table, row});
		if (raw !== undefined) yield {table, row, raw};
	}
}
