import type {SessionRef, SyncSummary} from '../types.js';

/** How far a pass is. Bytes are those of the sources that are read, not of all that were found. */
export interface SyncProgress {
	readonly phase: 'looking' | 'reading' | 'linking';
	readonly sourcesTotal: number;
	readonly sourcesDone: number;
	readonly bytesTotal: number;
	readonly bytesDone: number;
}

/** What the sync worker is started with (`workerData`). */
export interface SyncWorkerData {
	/** Data folder. */
	readonly folder: string;
	readonly home: string;
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly extraRoots: readonly {
		readonly agent: string;
		readonly path: string;
		readonly label?: string;
	}[];
	/** Agents that are not read. */
	readonly hiddenAgents?: readonly string[];
	/** For what went wrong: the person is told one line, the rest stands there. */
	readonly logFile?: string;
	/** Keep a copy of the raw records. */
	readonly isMirroring?: boolean;
}

export type ToSyncWorker =
	/** One whole pass; while one runs, it is answered by that one. */
	| {readonly type: 'sync'}
	/** Look at the sources of one session only, which its agent is writing now. */
	| {readonly type: 'poll'; readonly session: SessionRef}
	/** Ends the running pass after the current batch and closes the database. */
	| {readonly type: 'stop'};

export type FromSyncWorker =
	/** At most 4 a second. */
	| {readonly type: 'progress'; readonly progress: SyncProgress}
	/** Something was committed that lists and readers may show; at most 4 a second. */
	| {readonly type: 'changed'; readonly sessions: readonly SessionRef[]}
	| {readonly type: 'done'; readonly summary: SyncSummary}
	/** After a pass, and after the mirror's where one is kept: nothing is left to do until the next. */
	| {readonly type: 'settled'}
	/** Another process syncs: nothing was done, what is stored can be shown. */
	| {readonly type: 'locked'}
	| {readonly type: 'failed'; readonly message: string}
	| {readonly type: 'stopped'};
