import {adapters} from '../../adapters/registry.js';
import type {SearchHit} from '../../store/types.js';
import {count, counted, megabytes} from '../app/format.js';
import {type DeepScan, type DeepScanProgress, deepScan} from '../deep-scan/scan.js';
import {EXIT} from '../errors.js';
import {printError} from '../terminal/print.js';
import type {Invocation} from './command.js';
import {filtersOf, pageOf} from './filters.js';
import {withHistory} from './history.js';
import {hitLines} from './hit-lines.js';
import {note, printJson, printJsonLines, printLines} from './output.js';
import {hitJson} from './session-json.js';
import type {searchFlags} from './table.js';

const DEFAULT_LIMIT = 20;

type Search = Invocation<typeof searchFlags>;

/** `search --deep`: hits are printed as they come, but for the one document of `--json`. */
export const runDeep = (invocation: Search, query: string): Promise<number> =>
	withHistory(invocation, ({database}) => {
		const {flags, host} = invocation;
		const page = pageOf(flags, DEFAULT_LIMIT);
		const scan = deepScan(
			database,
			{
				query,
				filters: filtersOf(invocation),
				...page,
				nowMs: host.now(),
				...(flags.scope && {scope: flags.scope}),
			},
			{adapters, now: host.now},
		);
		if (!flags.json) for (const remark of scan.notes) note(remark);
		const {hits, isStopped} = drive(invocation, scan, page.limit);
		const nextCursor = isStopped ? scan.cursorAfter(hits) : null;
		if (flags.json)
			printJson({
				schemaVersion: 1,
				query,
				total: hits.length,
				note: scan.notes.join(' ') || null,
				hits: hits.map(hitJson),
				nextCursor,
			});
		if (isStopped) note(`stopped after ${counted(hits.length, 'session')}: --limit gives more`);
		else if (hits.length === 0 && scan.text !== '') note('nothing found');
		return hits.length === 0 ? EXIT.nothing : EXIT.done;
	});

/** Scans until so many sessions were found, all is read, or nobody reads the output any longer. */
const drive = (
	invocation: Search,
	{steps}: DeepScan,
	limit: number,
): {readonly hits: readonly SearchHit[]; readonly isStopped: boolean} => {
	const {flags, host} = invocation;
	const say = progressLine(host.isErrorTty, host.now);
	const hits: SearchHit[] = [];
	let last: DeepScanProgress | undefined;
	let isStopped = false;
	for (const step of steps) {
		if (step.kind === 'progress') {
			last = step.progress;
			say.show(last);
			continue;
		}
		// One more than is shown: so there is a next page.
		isStopped = hits.length === limit;
		if (isStopped) break;
		hits.push(step.hit);
		say.clear();
		if (flags.jsonl) printJsonLines([hitJson(step.hit)]);
		else if (!flags.json && !printLines(hitLines(invocation, [step.hit]))) break;
	}
	say.clear();
	if (last) note(`scanned ${told(last)}`);
	return {hits, isStopped};
};

const REDRAW_MS = 250;
const CLEAR = '\r\x1b[K';

/** Drawn over the last line of a terminal, four times a second at most. */
const progressLine = (isTty: boolean, now: () => number) => {
	let drawnAtMs = 0;
	let isDrawn = false;
	return {
		show(progress: DeepScanProgress): void {
			if (!isTty || now() - drawnAtMs < REDRAW_MS) return;
			drawnAtMs = now();
			isDrawn = true;
			printError(`${CLEAR}${told(progress)} of ${megabytes(progress.bytesTotal)} MB`);
		},
		clear(): void {
			if (isDrawn) printError(CLEAR);
			isDrawn = false;
		},
	};
};

const told = ({
	filesDone,
	filesTotal,
	bytesDone,
	scannedBytes,
	elapsedMs,
}: DeepScanProgress): string => {
	const speed = scannedBytes / Math.max(1, elapsedMs) / 1000;
	return `${count(filesDone)} of ${counted(filesTotal, 'file')}, ${megabytes(bytesDone)} MB at ${count(speed)} MB/s`;
};
