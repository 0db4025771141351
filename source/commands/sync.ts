import type {SyncProgress} from '../../store/sync/protocol.js';
import type {AgentSyncCounts, SyncSummary} from '../../store/types.js';
import {count, counted, megabytes} from '../app/format.js';
import {AppError, EXIT} from '../errors.js';
import {printError} from '../terminal/print.js';
import type {Invocation} from './command.js';
import {agentsOf} from './filters.js';
import {pass, withStore} from './history.js';
import {note, printJson, printLines} from './output.js';
import type {syncFlags} from './table.js';

const LOCK_WAIT_MS = 10_000;

export const run = (invocation: Invocation<typeof syncFlags>): Promise<number> => {
	const {flags, host} = invocation;
	const agents = agentsOf(flags.agent);
	return withStore(invocation, {}, async ({database}) => {
		const summary = await pass(invocation, database, {
			lockWaitMs: LOCK_WAIT_MS,
			agents,
			isMirroring: true,
			...(flags.full && {isFull: true}),
			...(host.isErrorTty && {onProgress: progressLine(host.now)}),
		});
		if (host.isErrorTty) printError(CLEAR);
		if (summary === undefined)
			throw new AppError('another backscroll is reading just now: nothing was done');
		const {agents: counts, ms} = summary;
		if (flags.json) printJson({schemaVersion: 1, agents: counts, ms});
		else printLines(summaryLines(summary));
		if (summary.unreadable === 0) return EXIT.done;
		note(`${counted(summary.unreadable, 'source')} could not be read: see backscroll sources`);
		return EXIT.partly;
	});
};

const REDRAW_MS = 250;
const CLEAR = '\r\x1b[K';

/** Draws how far the pass is over the last line, four times a second at most. */
const progressLine = (now: () => number): ((progress: SyncProgress) => void) => {
	let drawnAtMs = 0;
	return ({phase, sourcesDone, sourcesTotal, bytesDone, bytesTotal}) => {
		if (now() - drawnAtMs < REDRAW_MS) return;
		drawnAtMs = now();
		printError(
			phase === 'reading'
				? `${CLEAR}${sourcesDone} of ${counted(sourcesTotal, 'source')}, ${megabytes(bytesDone)} of ${megabytes(bytesTotal)} MB`
				: `${CLEAR}${phase} …`,
		);
	};
};

const COLUMNS: readonly (keyof AgentSyncCounts)[] = [
	'sources',
	'read',
	'unchanged',
	'added',
	'updated',
	'problems',
];

const summaryLines = ({agents, ms}: SyncSummary): readonly string[] => {
	const found = agents.filter(({sources, problems}) => sources > 0 || problems > 0);
	if (found.length === 0) return ['no agent has left a history here'];
	const width = Math.max(5, ...found.map(({agent}) => agent.length));
	const row = (name: string, cells: readonly string[]) =>
		name.padEnd(width) + cells.map(cell => cell.padStart(11)).join('');
	return [
		row('agent', COLUMNS),
		...found.map(counts =>
			row(
				counts.agent,
				COLUMNS.map(name => count(Number(counts[name]))),
			),
		),
		`done in ${(ms / 1000).toFixed(1)} s`,
	];
};
