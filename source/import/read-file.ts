import {createHash} from 'node:crypto';
import {closeSync, lstatSync, openSync, readFileSync, readSync} from 'node:fs';
import type {Problem} from '../../adapters/model.js';
import {readJsonLines} from '../../adapters/shared/jsonl.js';
import {isRecord} from '../../adapters/shared/narrow.js';
import {
	type Adapter,
	type Batch,
	type FileStamp,
	FOREIGN_RECORDS,
	type ForeignPlace,
	SourceUnreadable,
} from '../../adapters/types.js';
import type {Provenance} from '../../store/import.js';
import {isArchive, parseArchive} from '../archive/format.js';
import {AppError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {archiveBatches} from './archive.js';
import {type ForeignReading, nameOf, readForeign} from './foreign.js';

const IMPORT_BYTES = 128 * 1024 * 1024;
const DOCUMENT_BYTES = 16 * 1024 * 1024;
const DOCUMENT_DEPTH = 200;

type Json = Readonly<Record<string, unknown>>;

/** A session that a file holds. */
export interface FoundSession {
	/** What it is called here: unique for the content of the file. */
	readonly nativeId: string;
	readonly agent: string;
	readonly originalId: string;
	readonly batches: readonly Batch[];
	readonly forkOf?: string;
}

type Nameless = Omit<FoundSession, 'nativeId'>;

/** What is in a file. */
interface Contents {
	readonly format: Provenance['format'];
	readonly sessions: readonly Nameless[];
	readonly problems: readonly Problem[];
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
		const sha256 = hashOfFile(path);
		const contents =
			from === undefined && head.some(isArchive)
				? archiveIn(path, head)
				: transcriptIn(stamp, head, {adapters, from});
		return {...contents, stamp, sha256, sessions: named(contents.sessions, sha256)};
	} catch (error) {
		if (error instanceof SourceUnreadable) throw new AppError(error.message, {cause: error});
		throw error;
	}
};

/** Gives the sessions of a file their names here, also where they mean each other. */
const named = (sessions: readonly Nameless[], sha256: string): readonly FoundSession[] => {
	const suffix = (index: number): string => (sessions.length > 1 ? `-${index + 1}` : '');
	const ids = new Map(
		sessions.map(({batches}, index) => [
			batches[0]?.sessionId,
			`imported-${sha256.slice(0, 20)}${suffix(index)}`,
		]),
	);
	const linked = (batch: Batch): Batch => {
		const {parent} = batch.facts;
		const id = parent?.certainty === 'exact' ? ids.get(parent.id) : undefined;
		return parent && id !== undefined
			? {...batch, facts: {...batch.facts, parent: {...parent, id}}}
			: batch;
	};
	return sessions.map(session => ({
		...session,
		nativeId: ids.get(session.batches[0]?.sessionId) ?? '',
		batches: session.batches.map(linked),
	}));
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

/** The document that the file is, the first of a list, else its first lines. */
const headOf = ({path, sizeBytes}: FileStamp): readonly Json[] => {
	const document = sizeBytes <= DOCUMENT_BYTES ? documentIn(path) : undefined;
	if (document !== undefined) return [document].flat().filter(isRecord).slice(0, FOREIGN_RECORDS);
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

const documentIn = (path: string): Json | readonly unknown[] | undefined => {
	try {
		const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (!isRecord(value) && !Array.isArray(value)) return undefined;
		if (depthOf(value) > DOCUMENT_DEPTH)
			throw new AppError(`${sanitizeLine(path)} is nested deeper than ${DOCUMENT_DEPTH} levels`);
		return value;
	} catch (error) {
		if (error instanceof AppError) throw error;
		return undefined; // several lines of JSON, or none at all: the caller looks on
	}
};

/** Level by level, since a hostile document would overflow the stack. */
const depthOf = (value: object): number => {
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

const archiveIn = (path: string, [document]: readonly Json[]): Contents => {
	const parsed = parseArchive(document);
	if ('problem' in parsed)
		throw new AppError(`${sanitizeLine(path)}: ${sanitizeLine(parsed.problem)}`);
	const {agent, originalId, forkOf} = parsed.archive.provenance;
	const batches = archiveBatches(parsed.archive, path);
	const session = {agent, originalId, batches, ...(forkOf !== null && {forkOf})};
	return {format: 'archive', sessions: [session], problems: []};
};

const transcriptIn = (
	stamp: FileStamp,
	head: readonly Json[],
	{adapters, from}: {readonly adapters: readonly Adapter[]; readonly from?: string | undefined},
): Contents => {
	const shown = sanitizeLine(stamp.path);
	const asked = adapters.filter(({id}) => from === undefined || id === from);
	let refusal: Problem | undefined;
	for (const adapter of asked) {
		const place = adapter.foreign?.(head, nameOf(stamp));
		if (place === undefined) continue;
		const reading = readForeign(adapter, place, {file: stamp, capBytes: IMPORT_BYTES});
		if (reading.sessions.length > 0) return foundIn(adapter, reading, place);
		refusal ??= reading.problems[0];
	}
	if (refusal !== undefined) throw new AppError(`${shown}: ${sanitizeLine(refusal.detail)}`);
	const [only] = asked;
	if (from !== undefined && only !== undefined && only.foreign === undefined)
		throw new AppError(`single transcripts of ${only.label} cannot be imported`);
	throw new AppError(
		from === undefined
			? `${shown} is no archive, no Custom History and no transcript that any agent here writes`
			: `${shown} is no transcript of ${only?.label ?? from}`,
	);
};

const foundIn = (
	{id: agent}: Adapter,
	{sessions, problems}: ForeignReading,
	{namesAgents}: ForeignPlace,
): Contents => {
	const asFound = ({id, batches}: ForeignReading['sessions'][number]): Nameless => {
		if (namesAgents !== true) return {agent, originalId: id, batches};
		const end = id.indexOf('/');
		return {agent: id.slice(0, end), originalId: id.slice(end + 1), batches};
	};
	const format = namesAgents === true ? 'custom-history' : 'transcript';
	return {format, sessions: sessions.map(asFound), problems};
};
