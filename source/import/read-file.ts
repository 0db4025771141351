import {createHash} from 'node:crypto';
import {closeSync, lstatSync, openSync, readFileSync, readSync} from 'node:fs';
import {readJsonLines} from '../../adapters/shared/jsonl.js';
import {isRecord} from '../../adapters/shared/narrow.js';
import {
	type Adapter,
	type Batch,
	type FileStamp,
	FOREIGN_RECORDS,
	type Problem,
	SourceUnreadable,
} from '../../adapters/types.js';
import type {Provenance} from '../../store/import.js';
import {isArchive, parseArchive} from '../archive/format.js';
import {AppError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {archiveBatches} from './archive.js';
import {isCustomHistory, readCustomHistory} from './custom-history.js';

const IMPORT_BYTES = 128 * 1024 * 1024;
const DOCUMENT_BYTES = 16 * 1024 * 1024;
const DOCUMENT_DEPTH = 200;

type Json = Readonly<Record<string, unknown>>;

/** A session that a file holds. */
export interface FoundSession {
	readonly agent: string;
	readonly originalId: string;
	readonly batches: readonly Batch[];
	readonly forkOf?: string;
}

export interface FileReading {
	readonly format: Provenance['format'];
	readonly stamp: FileStamp;
	readonly sha256: string;
	readonly sessions: readonly FoundSession[];
	/** What of it could not be taken, beside the problems in the batches. */
	readonly problems: readonly Problem[];
}

/**
 * Reads a file from anywhere: an archive, Custom History, or one transcript of an agent (`from`, else the first that knows it). The
 * file is not trusted: it is bounded, no link and no device, and stays as it is.
 * @throws AppError
 */
export const readImport = (
	path: string,
	{adapters, from}: {readonly adapters: readonly Adapter[]; readonly from?: string | undefined},
): FileReading => {
	const stamp = regularFile(path);
	try {
		const head = headOf(stamp);
		const base = {stamp, sha256: hashOfFile(path)};
		if (from === undefined && head.some(isArchive))
			return {...base, ...archiveIn(path, head), problems: []};
		if (from === undefined && isCustomHistory(head)) return {...base, ...customHistoryIn(path)};
		return {...base, ...transcriptIn(stamp, head, {adapters, from}), problems: []};
	} catch (error) {
		if (error instanceof SourceUnreadable) throw new AppError(error.message, {cause: error});
		throw error;
	}
};

const regularFile = (path: string): FileStamp => {
	const shown = sanitizeLine(path);
	const stats = lstatSync(path, {throwIfNoEntry: false});
	if (stats === undefined) throw new AppError(`${shown} is not there`);
	if (stats.isSymbolicLink()) throw new AppError(`${shown} is a link: name the file itself`);
	if (!stats.isFile()) throw new AppError(`${shown} is no regular file`);
	if (stats.size > IMPORT_BYTES)
		throw new AppError(`${shown} is larger than ${IMPORT_BYTES / 1024 / 1024} MB`);
	return {
		path,
		sizeBytes: stats.size,
		mtimeMs: stats.mtimeMs,
		inode: stats.ino,
		device: stats.dev,
	};
};

/** The document that the file is, else its first records. */
const headOf = ({path, sizeBytes}: FileStamp): readonly Json[] => {
	const document = sizeBytes <= DOCUMENT_BYTES ? documentIn(path) : undefined;
	if (document !== undefined) return [document];
	const head: Json[] = [];
	for (const {record} of readJsonLines(
		path,
		{offset: 0, lineNumber: 0},
		{capBytes: IMPORT_BYTES},
	)) {
		if (record !== undefined) head.push(record);
		if (head.length >= FOREIGN_RECORDS) break;
	}
	return head;
};

const documentIn = (path: string): Json | undefined => {
	try {
		const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (!isRecord(value)) return undefined;
		if (depthOf(value) > DOCUMENT_DEPTH)
			throw new AppError(`${sanitizeLine(path)} is nested deeper than ${DOCUMENT_DEPTH} levels`);
		return value;
	} catch (error) {
		if (error instanceof AppError) throw error;
		return undefined; // several lines of JSON, or none at all: the caller looks on
	}
};

/** Level by level, since a hostile document would overflow the stack. */
const depthOf = (value: Json): number => {
	let level: readonly unknown[] = [value];
	let depth = 0;
	while (level.length > 0 && depth <= DOCUMENT_DEPTH) {
		depth++;
		level = level.flatMap(item =>
			typeof item === 'object' && item !== null
				? Object.values(item).filter(inner => typeof inner === 'object' && inner !== null)
				: [],
		);
	}
	return depth;
};

const HASH_PIECE = 1024 * 1024;

export const hashOfFile = (path: string): string => {
	const hash = createHash('sha256');
	const file = openSync(path, 'r');
	try {
		const piece = Buffer.alloc(HASH_PIECE);
		for (let read = -1; read !== 0; ) {
			read = readSync(file, piece);
			hash.update(piece.subarray(0, read));
		}
		return hash.digest('hex');
	} finally {
		closeSync(file);
	}
};

const archiveIn = (path: string, [document]: readonly Json[]) => {
	const parsed = parseArchive(document);
	if ('problem' in parsed)
		throw new AppError(`${sanitizeLine(path)}: ${sanitizeLine(parsed.problem)}`);
	const {agent, originalId, forkOf} = parsed.archive.provenance;
	const batches = archiveBatches(parsed.archive, path);
	const session = {agent, originalId, batches, ...(forkOf !== null && {forkOf})};
	return {format: 'archive', sessions: [session]} as const;
};

const customHistoryIn = (path: string) => {
	const found = readCustomHistory(path);
	if ('reason' in found) throw new AppError(`${sanitizeLine(path)}: ${sanitizeLine(found.reason)}`);
	const sessions = found.sessions.map(({agent, id, batches}) => ({agent, originalId: id, batches}));
	return {format: 'custom-history', sessions, problems: found.problems} as const;
};

const transcriptIn = (
	stamp: FileStamp,
	head: readonly Json[],
	{adapters, from}: {readonly adapters: readonly Adapter[]; readonly from?: string | undefined},
) => {
	const shown = sanitizeLine(stamp.path);
	const asked = adapters.filter(({id}) => from === undefined || id === from);
	for (const adapter of asked) {
		const source = adapter.foreign?.(stamp, head);
		if (source === undefined) continue;
		const batches = [...adapter.read(source)];
		const originalId = batches[0]?.sessionId;
		if (originalId === undefined) continue;
		const session = {agent: adapter.id, originalId, batches};
		return {format: 'transcript', sessions: [session]} as const;
	}
	const [only] = asked;
	if (from !== undefined && only !== undefined && only.foreign === undefined)
		throw new AppError(`single transcripts of ${only.label} cannot be imported`);
	throw new AppError(
		from === undefined
			? `${shown} is no archive, no Custom History and no transcript that any agent here writes`
			: `${shown} is no transcript of ${only?.label ?? from}`,
	);
};
