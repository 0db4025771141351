/** Goes through the bytes or rows of one file, and hands over the events whose records have the text. */
import {type ByteInput, openBytes} from '../../adapters/shared/bytes.js';
import {partText, readRaw} from '../../adapters/shared/read-raw.js';
import {type Adapter, SourceUnreadable} from '../../adapters/types.js';
import type {Database} from '../../store/open.js';
import {
	type EventPlace,
	eventPlaces,
	hasEvents,
	type ScanSource,
} from '../../store/read/scan-sources.js';
import type {Collector} from './collect.js';
import type {LiteralPattern} from './literal.js';
import {type MirroredFile, mirroredFiles, mirroredRows} from './mirror-input.js';
import {recordAt, recordsIn} from './records.js';
import {scanBytes} from './scan-bytes.js';

/** What is looked through in one go: a file with the sources that lie in it, or the rows of one session in a database. */
export interface Unit {
	readonly path: string;
	readonly sources: readonly ScanSource[];
	readonly sizeBytes: number;
}

/** What a scan works with. */
export interface ScanContext {
	readonly database: Database;
	readonly adapters: readonly Adapter[];
	readonly pattern: LiteralPattern;
	readonly collector: Collector;
}

/** Bytes looked at, step by step. The source first; what cannot be read any more is looked for in the mirror. */
export type Steps = Generator<number, void>;

export function* scanUnit({path, sources: all}: Unit, context: ScanContext): Steps {
	// A twin of which nothing is shown, such as the compressed copy of a plain file, has nothing of its own.
	const sources = all.filter(source => hasEvents(context.database, source));
	const present = sources.filter(({isPresent}) => isPresent);
	const lost: ScanSource[] = sources.filter(({isPresent}) => !isPresent);
	if (present.length > 0) {
		try {
			const isLog = present.some(({source}) => source.mode === 'append');
			yield* !isLog && isDatabase(path)
				? scanRows(present, context)
				: scanFiles(path, present, context);
		} catch (error) {
			// Gone or locked since the last pass.
			if (!(error instanceof SourceUnreadable)) throw error;
			lost.push(...present);
		}
	}
	for (const source of lost) yield* scanMirror(source, context);
}

const DATABASE_START = 'SQLite format 3\0';

/** @throws SourceUnreadable */
const isDatabase = (path: string): boolean => {
	const input = openBytes(path, 0);
	try {
		const start = Buffer.alloc(DATABASE_START.length);
		return input.read(start) === start.length && start.toString('latin1') === DATABASE_START;
	} finally {
		input.close();
	}
};

/** The primary file, and those that hold records of events beside it. */
function* scanFiles(path: string, sources: readonly ScanSource[], context: ScanContext): Steps {
	const placesOf = remembered(() =>
		sources.flatMap(source => eventPlaces(context.database, source)),
	);
	yield* scanFile({path, primary: path, placesOf, open: () => openBytes(path, 0)}, context);
	// A log has its records in itself; its other files are small ones beside it, if any.
	if (sources.every(({source}) => source.mode === 'append' && source.files.length < 2)) return;
	for (const other of pathsBeside(path, placesOf())) {
		try {
			yield* scanFile(
				{path: other, primary: path, placesOf, open: () => openBytes(other, 0)},
				context,
			);
		} catch (error) {
			// One of many parts is gone: the others still count.
			if (!(error instanceof SourceUnreadable)) throw error;
		}
	}
}

const pathsBeside = (primary: string, places: readonly EventPlace[]): ReadonlySet<string> => {
	const paths = new Set<string>();
	for (const {locator} of places) if ('path' in locator && locator.path) paths.add(locator.path);
	paths.delete(primary);
	return paths;
};

interface ScannedFile {
	readonly path: string;
	/** What locators without a path mean. */
	readonly primary: string;
	readonly placesOf: () => readonly EventPlace[];
	open(): ByteInput;
}

function* scanFile(file: ScannedFile, context: ScanContext): Steps {
	const {path, primary, placesOf} = file;
	const recordsOf = remembered(() => recordsIn(path, primary, placesOf()));
	const input = file.open();
	try {
		const matches = scanBytes(input, context.pattern);
		for (let step = matches.next(); step.done !== true; ) {
			if (step.value.kind === 'scanned') {
				yield step.value.sizeBytes;
				step = matches.next();
				continue;
			}
			const {offset, around} = step.value;
			const record = recordAt(recordsOf(), offset);
			// Not lines but one document: which part of it has the text is told by the parts.
			if (record === undefined) return addDocument(file, around, context);
			const end = record.offset + record.length;
			const isInside = record.offset <= offset && offset < end;
			context.collector.add(record.events, {around, isInside});
			step = matches.next(isInside ? end : undefined);
		}
	} finally {
		input.close();
	}
}

const addDocument = (
	{path, placesOf, open}: ScannedFile,
	around: string,
	{pattern, collector}: ScanContext,
): void => {
	const document = parsedDocument(open());
	const parts = placesOf().filter(({locator}) => 'pointer' in locator && locator.path === path);
	let isFound = false;
	for (const events of byLocator(parts).values()) {
		const locator = events[0]?.locator;
		const raw = locator && 'pointer' in locator ? partText(document, locator.pointer) : undefined;
		if (raw === undefined || !isIn(raw, pattern)) continue;
		isFound = true;
		collector.add(events, {around: raw, isInside: true});
	}
	if (!isFound) collector.add(placesOf().slice(0, 1), {around, isInside: false});
};

const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/** Undefined for what is no JSON, or too large to be taken apart. */
const parsedDocument = (input: ByteInput): unknown => {
	const chunks: Buffer[] = [];
	try {
		for (let size = 0; size <= DOCUMENT_LIMIT; ) {
			const chunk = Buffer.alloc(1024 * 1024);
			const read = input.read(chunk);
			if (read === 0) return JSON.parse(Buffer.concat(chunks).toString());
			chunks.push(chunk.subarray(0, read));
			size += read;
		}
		return undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	} finally {
		input.close();
	}
};

/** Rows of a database, each as the adapter gives it. */
function* scanRows(
	sources: readonly ScanSource[],
	{database, adapters, pattern, collector}: ScanContext,
): Steps {
	for (const source of sources) {
		const adapter = adapters.find(({id}) => id === source.agent);
		if (adapter === undefined) continue;
		for (const events of byLocator(eventPlaces(database, source)).values()) {
			const [first] = events;
			const raw = first && readRaw(adapter, source.source, first.locator);
			if (raw === undefined) continue;
			if (isIn(raw, pattern)) collector.add(events, {around: raw, isInside: true});
			yield Buffer.byteLength(raw);
		}
	}
}

const byLocator = (places: readonly EventPlace[]): ReadonlyMap<string, readonly EventPlace[]> => {
	const rows = new Map<string, EventPlace[]>();
	for (const place of places) {
		const key = locatorKey(place.locator);
		const known = rows.get(key);
		if (known === undefined) rows.set(key, [place]);
		else known.push(place);
	}
	return rows;
};

const locatorKey = (locator: EventPlace['locator']): string =>
	'table' in locator ? `${locator.table} ${locator.row}` : JSON.stringify(locator);

function* scanMirror(source: ScanSource, context: ScanContext): Steps {
	const places = eventPlaces(context.database, source);
	const {path, key} = source.source;
	const files = mirroredFiles(context.database, source.session);
	const own = files.filter(file => file.path === path || file.path === key);
	// A file that was moved since lies there under its old name.
	for (const file of own.length > 0 ? own : files)
		yield* file.isRows
			? scanMirroredRows(file, places, context)
			: scanFile({path, primary: path, placesOf: () => places, open: file.open}, context);
}

function* scanMirroredRows(
	file: MirroredFile,
	places: readonly EventPlace[],
	{pattern, collector}: ScanContext,
): Steps {
	const events = byLocator(places);
	for (const {locator, raw} of mirroredRows(file.open())) {
		const row = isIn(raw, pattern) ? events.get(locatorKey(locator)) : undefined;
		if (row !== undefined) collector.add(row, {around: raw, isInside: true});
		yield Buffer.byteLength(raw);
	}
}

const isIn = (text: string, {inText}: LiteralPattern): boolean => {
	inText.lastIndex = 0;
	return inText.test(text);
};

const remembered = <T>(make: () => T): (() => T) => {
	let made: {readonly value: T} | undefined;
	return () => {
		made ??= {value: make()};
		return made.value;
	};
};
