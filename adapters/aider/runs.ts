/** The runs of a history file: from one header line to the next. Agents have no ids for them. */

import {createHash} from 'node:crypto';
import {basename, dirname, join} from 'node:path';
import {openFile} from '../shared/open-file.js';
import type {FileStamp} from '../types.js';

const HEADER = Buffer.from('# aider chat started at ');
const LINE_FEED = 10;
const CHUNK_BYTES = 1024 * 1024;
/** A header with its time, and room to spare. */
const HEADER_BYTES = 64;

export interface Run {
	readonly id: string;
	readonly start: number;
	readonly end: number;
	/** As written: local time without a zone. */
	readonly startedAt: string;
}

interface Header {
	readonly offset: number;
	readonly startedAt: string;
}

/** Headers in a file from an offset on. Chunks overlap, so that none is missed at their border. */
const headersFrom = (path: string, from: number): readonly Header[] => {
	const file = openFile(path);
	const found: Header[] = [];
	const chunk = Buffer.allocUnsafe(CHUNK_BYTES + HEADER_BYTES);
	try {
		for (let base = from; base < file.sizeBytes; base += CHUNK_BYTES) {
			const bytes = chunk.subarray(0, readFully(file, chunk, base));
			for (let at = bytes.indexOf(HEADER); at !== -1; at = bytes.indexOf(HEADER, at + 1)) {
				const isLineStart = at === 0 ? isLineStartAt(file, base) : bytes[at - 1] === LINE_FEED;
				if (at >= CHUNK_BYTES || !isLineStart) continue;
				const text = bytes.toString('latin1', at + HEADER.length, at + HEADER_BYTES);
				found.push({offset: base + at, startedAt: text.split(/\r?\n/, 1)[0]?.trim() ?? ''});
			}
		}
	} finally {
		file.close();
	}
	return found;
};

const readFully = (file: ReturnType<typeof openFile>, into: Buffer, position: number): number => {
	let filled = 0;
	for (let read = -1; read !== 0 && filled < into.length; filled += read) {
		read = file.read(into.subarray(filled), position + filled);
	}
	return filled;
};

const isLineStartAt = (file: ReturnType<typeof openFile>, offset: number): boolean => {
	if (offset === 0) return true;
	const before = Buffer.alloc(1);
	return file.read(before, offset - 1) === 1 && before[0] === LINE_FEED;
};

/**
 * Of the path only the project's name counts, so that a run keeps its id when the project moves, and a copy is the same run. Equal
 * headers happen: two runs may begin in the same second.
 */
const idsOf = (path: string, headers: readonly Header[]): readonly string[] => {
	const place = join(basename(dirname(path)), basename(path));
	const counts = new Map<string, number>();
	return headers.map(({startedAt}) => {
		const ordinal = counts.get(startedAt) ?? 0;
		counts.set(startedAt, ordinal + 1);
		const hash = createHash('sha256').update(`${place}\n${startedAt}\n${ordinal}`);
		return hash.digest('hex').slice(0, 16);
	});
};

interface Known {
	readonly inode: number;
	readonly sizeBytes: number;
	readonly headers: readonly Header[];
}
/** A file is looked through once, then only from its last header on. */
const known = new Map<string, Known>();

const headersOf = ({path, inode, sizeBytes}: FileStamp): readonly Header[] => {
	const before = known.get(path);
	const hasGrown = before?.inode === inode && before.sizeBytes <= sizeBytes;
	const last = hasGrown ? before.headers.at(-1) : undefined;
	const tail = headersFrom(path, last?.offset ?? 0);
	// Where the last header stood is another one now: the file was written anew.
	const isSame = last === undefined || tail[0]?.startedAt === last.startedAt;
	const kept = last === undefined ? [] : (before?.headers.slice(0, -1) ?? []);
	const headers = isSame ? [...kept, ...tail] : headersFrom(path, 0);
	known.set(path, {inode, sizeBytes, headers});
	return headers;
};

/** @throws SourceUnreadable */
export const runsOf = (file: FileStamp): readonly Run[] => {
	const headers = headersOf(file);
	const ids = idsOf(file.path, headers);
	return headers.map(({offset, startedAt}, index) => ({
		id: ids[index] ?? '',
		start: offset,
		end: headers[index + 1]?.offset ?? file.sizeBytes,
		startedAt,
	}));
};
