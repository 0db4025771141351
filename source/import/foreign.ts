import {
	closeSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	rmSync,
	utimesSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import type {AdapterEvent, Problem} from '../../adapters/model.js';
import {openBytes} from '../../adapters/shared/bytes.js';
import type {Adapter, Batch, FileStamp, ForeignPlace, Source} from '../../adapters/types.js';
import {isCompressed, plainPath} from '../../store/archive/plain-path.js';
import {AppError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';

interface ForeignSession {
	readonly id: string;
	readonly batches: readonly Batch[];
}

export interface ForeignReading {
	readonly sessions: readonly ForeignSession[];
	/** What could not be read, and why there are none. */
	readonly problems: readonly Problem[];
}

/**
 * Reads a transcript that lies anywhere: a copy of it stands for a moment where a store of its agent would have it, so that it is found
 * and read as any other. The file itself is only read.
 * @throws SourceUnreadable
 */
export const readForeign = (
	adapter: Adapter,
	place: ForeignPlace,
	{file, capBytes}: {readonly file: FileStamp; readonly capBytes: number},
): ForeignReading => {
	const base = mkdtempSync(join(tmpdir(), 'backscroll-import-'));
	try {
		const root = join(base, place.root ?? 'store');
		const path = join(root, ...place.at.split('/'));
		mkdirSync(dirname(path), {recursive: true});
		const cut = stage(path, place, {file, capBytes});
		for (const [name, document] of Object.entries(place.beside ?? {}))
			writeFileSync(join(root, ...name.split('/')), JSON.stringify(document));
		const found = [...adapter.discover({path: root, from: 'config', resumeEnv: {}})];
		const sources = found.flatMap(item => ('source' in item ? [item.source] : []));
		const tell = tellerOf({path, base}, file, place);
		return {
			sessions: sources
				.filter(source => source.files.some(stamp => stamp.path === path))
				.flatMap(source => sessionsOf(adapter, source).map(tell)),
			problems: [
				...(cut === undefined ? [] : [cut]),
				...found.flatMap(item => ('problem' in item ? [item.problem] : [])),
			],
		};
	} finally {
		rmSync(base, {recursive: true, force: true});
	}
};

const stage = (
	path: string,
	{records}: ForeignPlace,
	{file, capBytes}: {readonly file: FileStamp; readonly capBytes: number},
): Problem | undefined => {
	let cut: Problem | undefined;
	if (records !== undefined) writeFileSync(path, linesOf(records).join(''));
	else if (isCompressed(file.path)) cut = unpack(file.path, path, capBytes);
	else copyFileSync(file.path, path);
	// Times of files are what a session without any falls back on.
	utimesSync(path, file.mtimeMs / 1000, file.mtimeMs / 1000);
	return cut;
};

const PIECE_BYTES = 1024 * 1024;

/** As much as is taken of a plain file, and no more. */
const unpack = (from: string, to: string, capBytes: number): Problem | undefined => {
	const input = openBytes(from, 0);
	const output = openSync(to, 'wx', 0o600);
	try {
		const piece = Buffer.allocUnsafe(PIECE_BYTES);
		let sizeBytes = 0;
		for (let read = input.read(piece); read > 0; read = input.read(piece)) {
			sizeBytes += read;
			if (sizeBytes > capBytes)
				throw new AppError(
					`${sanitizeLine(from)} unpacks to more than ${capBytes / 1024 / 1024} MB`,
				);
			writeSync(output, piece, 0, read);
		}
		return input.problem();
	} finally {
		input.close();
		closeSync(output);
	}
};

const sessionsOf = (adapter: Adapter, source: Source): readonly ForeignSession[] => {
	const batches = new Map<string, Batch[]>();
	for (const batch of adapter.read(source))
		batches.set(batch.sessionId, [...(batches.get(batch.sessionId) ?? []), batch]);
	return [...batches].map(([id, own]) => ({id, batches: own}));
};

const linesOf = (records: NonNullable<ForeignPlace['records']>): readonly string[] =>
	records.map(({record}) => `${JSON.stringify(record)}\n`);

/** Tells a session of the file that it came from, not of its copy. */
const tellerOf = (
	copy: {readonly path: string; readonly base: string},
	file: FileStamp,
	{records = []}: ForeignPlace,
) => {
	const pointers = new Map<number, string>();
	let offset = 0;
	for (const [index, line] of linesOf(records).entries()) {
		pointers.set(offset, records[index]?.pointer ?? '');
		offset += Buffer.byteLength(line);
	}
	const placed = (event: AdapterEvent): AdapterEvent => {
		const pointer = 'offset' in event.locator ? pointers.get(event.locator.offset) : undefined;
		return pointer === undefined ? event : {...event, locator: {path: file.path, pointer}};
	};
	// The folder as well: some agents take it for the directory that they worked in.
	const names = [
		[copy.path, file.path],
		[dirname(copy.path), dirname(file.path)],
		[copy.base, dirname(file.path)],
	].map(pair => pair.map(path => JSON.stringify(path).slice(1, -1)));
	const told = (batch: Batch): Batch => {
		const text = JSON.stringify(batch);
		const own = text.includes(copy.base)
			? (JSON.parse(
					names.reduce((all, [from = '', to = '']) => all.replaceAll(from, to), text),
				) as Batch)
			: batch;
		return records.length === 0 ? own : {...own, events: own.events.map(placed)};
	};
	return ({id, batches}: ForeignSession): ForeignSession => ({id, batches: batches.map(told)});
};

/** The name that ids are taken from. */
export const nameOf = ({path}: FileStamp): string => basename(plainPath(path));
