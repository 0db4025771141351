/**
 * Looks for a text in the raw records of sessions, also in what the index does not keep of them. A scan is a generator: whoever
 * drives it takes the hits as they come, and ends it by not asking on. Each step is short.
 */
import type {Adapter} from '../../adapters/types.js';
import type {SearchRequest} from '../../store/library.js';
import type {Database} from '../../store/open.js';
import {type ScanSource, scanSources} from '../../store/read/scan-sources.js';
import {afterPage, turnOf} from '../../store/search/cursor.js';
import type {SearchHit} from '../../store/types.js';
import {createCollector} from './collect.js';
import {literalOf, literalPattern} from './literal.js';
import {scanUnit, type Unit} from './scan-unit.js';

export interface DeepScanProgress {
	readonly filesDone: number;
	readonly filesTotal: number;
	/** As they lie on the disk. */
	readonly bytesDone: number;
	readonly bytesTotal: number;
	/** Bytes that were looked at, unpacked, since the scan began. */
	readonly scannedBytes: number;
	readonly elapsedMs: number;
}

type DeepScanStep =
	| {readonly kind: 'hit'; readonly hit: SearchHit}
	| {readonly kind: 'progress'; readonly progress: DeepScanProgress};

export interface DeepScan {
	/** What is looked for; empty: nothing. */
	readonly text: string;
	readonly notes: readonly string[];
	/** One hit a session, the newest sessions first; progress after each step. */
	readonly steps: Generator<DeepScanStep, void>;
	/** For a later scan of what these hits, and those before them, leave over. */
	cursorAfter(hits: readonly SearchHit[]): string;
}

interface DeepScanOptions {
	readonly adapters: readonly Adapter[];
	now(): number;
}

export const deepScan = (
	database: Database,
	request: SearchRequest,
	options: DeepScanOptions,
): DeepScan => {
	const {text, notes} = literalOf(request.query);
	const turn = turnOf(database, request);
	return {
		text,
		notes,
		cursorAfter: hits =>
			afterPage(
				turn,
				hits.map(({session}) => session.rowId),
			),
		steps: text === '' ? nothing() : scan({database, request, text, ...options}),
	};
};

function* nothing(): Generator<DeepScanStep, void> {}

interface Scan extends DeepScanOptions {
	readonly database: Database;
	readonly request: SearchRequest;
	readonly text: string;
}

function* scan({database, request, text, adapters, now}: Scan): Generator<DeepScanStep, void> {
	const begunMs = now();
	const pattern = literalPattern(text);
	const units = unitsOf(scanSources(database, request));
	const collector = createCollector(database, {adapters, pattern, request});
	for (const {sources} of units) collector.expect(sessionsOf(sources));
	const bytesTotal = units.reduce((sum, {sizeBytes}) => sum + sizeBytes, 0);
	let [filesDone, bytesDone, scannedBytes] = [0, 0, 0];
	const progress = (unitBytes: number): DeepScanStep => ({
		kind: 'progress',
		progress: {
			filesDone,
			filesTotal: units.length,
			bytesDone: bytesDone + unitBytes,
			bytesTotal,
			scannedBytes,
			elapsedMs: now() - begunMs,
		},
	});
	for (const unit of units) {
		let unitBytes = 0;
		for (const sizeBytes of scanUnit(unit, {database, adapters, pattern, collector})) {
			unitBytes += sizeBytes;
			scannedBytes += sizeBytes;
			yield progress(Math.min(unitBytes, unit.sizeBytes));
		}
		filesDone++;
		bytesDone += unit.sizeBytes;
		for (const hit of collector.finish(sessionsOf(unit.sources))) yield {kind: 'hit', hit};
		yield progress(0);
	}
	for (const hit of collector.rest()) yield {kind: 'hit', hit};
}

const sessionsOf = (sources: readonly ScanSource[]): readonly number[] => [
	...new Set(sources.map(({session}) => session)),
];

/** Sources of one file, in the order of the first of them. Sessions of a database are read one by one and share its size. */
const unitsOf = (sources: readonly ScanSource[]): readonly Unit[] => {
	const inFile = new Map<string, number>();
	for (const {path} of sources) inFile.set(path, (inFile.get(path) ?? 0) + 1);
	const units = new Map<string, {path: string; sources: ScanSource[]; sizeBytes: number}>();
	for (const source of sources) {
		const {path, isRows, sizeBytes} = source;
		const key = isRows ? `${path}#${source.id}` : path;
		const unit = units.get(key) ?? {path, sources: [], sizeBytes: 0};
		unit.sources.push(source);
		const share = isRows ? Math.round(sizeBytes / (inFile.get(path) ?? 1)) : sizeBytes;
		unit.sizeBytes = Math.max(unit.sizeBytes, share);
		units.set(key, unit);
	}
	return [...units.values()];
};
