import {join} from 'node:path';
import {parentPort, workerData} from 'node:worker_threads';
import {adapters as allAdapters} from '../adapters/registry.js';
import {setViewFolder} from '../adapters/shared/sqlite.js';
import {mirrorPass} from '../store/archive/mirror.js';
import {rebuildFromMirror} from '../store/archive/rebuild.js';
import {knownDirectories} from '../store/directories.js';
import {StoreError} from '../store/errors.js';
import {type Database, explained, openStore} from '../store/open.js';
import {pollSession, type SyncOptions, syncPass} from '../store/sync/engine.js';
import {acquireLock} from '../store/sync/lock.js';
import type {
	FromSyncWorker,
	SyncProgress,
	SyncWorkerData,
	ToSyncWorker,
} from '../store/sync/protocol.js';
import type {SessionRef} from '../store/types.js';
import {findContents} from './archive/contents.js';
import {readImportedAgain} from './import/read-again.js';
import {openLog} from './log.js';
import {createSurroundings} from './surroundings.js';

/** Worker thread of the app: joins the registry with the sync engine. One pass at a time, one writer across processes. */
const data = workerData as SyncWorkerData;
const port = parentPort;
if (port === null) throw new Error('sync-worker runs as a worker thread');

// Private copies of agents' databases lie where ours do: a hard link needs the same file system.
setViewFolder(join(data.folder, 'views'));

const adapters = allAdapters.filter(({id}) => !data.hiddenAgents?.includes(id));

const REPORT_EVERY_MS = 250;
const say = (message: FromSyncWorker): void => port.postMessage(message);

/** The mirror works at half the speed that it could, and lets other processes have the lock now and then. */
const MIRROR_REST_MS = 20;
const MIRROR_STRETCH_MS = 5000;
const MIRROR_PAUSE_MS = 1000;

let isStopping = false;
let isRunning = false;
let database: Database | undefined;
/** While the mirror is written; whoever comes meanwhile goes first. */
let mirroring: Promise<void> | undefined;
let isMirrorWanted = false;
let isMirrorInterrupted = false;

/** Gathers progress and changes and passes them on at most 4 times a second. */
const createReporter = () => {
	let progress: SyncProgress | undefined;
	let sessions = new Set<SessionRef>();
	let lastMs = 0;
	const flush = (): void => {
		if (progress) say({type: 'progress', progress});
		if (sessions.size > 0) say({type: 'changed', sessions: [...sessions]});
		progress = undefined;
		sessions = new Set();
		lastMs = Date.now();
	};
	const flushInTime = (): void => {
		if (Date.now() - lastMs >= REPORT_EVERY_MS) flush();
	};
	return {
		onProgress(next: SyncProgress): void {
			progress = next;
			flushInTime();
		},
		onChanged(refs: readonly SessionRef[]): void {
			for (const ref of refs) sessions.add(ref);
			flushInTime();
		},
		flush,
	};
};

const optionsFor = (store: Database, reporter: ReturnType<typeof createReporter>): SyncOptions => ({
	adapters,
	surroundings: createSurroundings({...data, projectDirs: () => knownDirectories(store)}),
	now: () => Date.now(),
	shouldStop: () => isStopping,
	onProgress: reporter.onProgress,
	onChanged: reporter.onChanged,
});

/** Runs `action` as the one writer; says `locked` when another process is. */
const asWriter = async (action: (database: Database) => Promise<void> | void): Promise<void> => {
	if (mirroring !== undefined) {
		isMirrorInterrupted = true;
		await mirroring;
	}
	if (isRunning) return;
	await write(action);
	mirrorBehind();
};

const write = async (action: (database: Database) => Promise<void> | void): Promise<void> => {
	isRunning = true;
	try {
		database ??= openStore(data.folder);
		const lock = await acquireLock(data.folder, {waitMs: 0});
		if (lock === undefined) {
			say({type: 'locked'});
			return;
		}
		const heartbeat = setInterval(() => lock.touch(), 20_000);
		try {
			await action(database);
		} finally {
			clearInterval(heartbeat);
			lock.release();
		}
	} catch (error) {
		say({type: 'failed', message: messageOf(error)});
	} finally {
		isRunning = false;
	}
};

/** After a pass, and until it is done: at low priority, and out of the way of everything else. */
const mirrorBehind = (): void => {
	if (!isMirrorWanted || isStopping || mirroring !== undefined || isRunning) return;
	isMirrorInterrupted = false;
	// Should it fail, the next pass tries again.
	isMirrorWanted = false;
	const endMs = Date.now() + MIRROR_STRETCH_MS;
	mirroring = write(async store => {
		const {pending} = await mirrorPass(store, {
			folder: data.folder,
			adapters,
			findContents,
			now: () => Date.now(),
			shouldStop: () => isStopping || isMirrorInterrupted || Date.now() > endMs,
			restMs: MIRROR_REST_MS,
		});
		isMirrorWanted = pending > 0;
	}).finally(() => {
		mirroring = undefined;
		if (isMirrorWanted) setTimeout(mirrorBehind, MIRROR_PAUSE_MS).unref();
		else if (!isStopping) say({type: 'settled'});
	});
};

const messageOf = (error: unknown): string => {
	try {
		explained(data.folder, () => {
			throw error;
		});
	} catch (explainedError) {
		if (explainedError instanceof StoreError) return explainedError.message;
	}
	logFailure(error);
	return error instanceof Error ? error.message : String(error);
};

/** A person is told one line; where it went wrong stands in the log. */
const logFailure = (error: unknown): void => {
	if (data.logFile === undefined) return;
	try {
		openLog(data.logFile).error({err: error}, 'a sync failed');
	} catch {
		// No log can be written: the line on the screen is all there is.
	}
};

const handlers: {
	readonly [T in ToSyncWorker['type']]: (
		message: Extract<ToSyncWorker, {type: T}>,
	) => Promise<void> | void;
} = {
	sync: () =>
		asWriter(async store => {
			const reporter = createReporter();
			const summary = await syncPass(store, optionsFor(store, reporter));
			if (summary.pending === 0)
				await rebuildFromMirror(store, {
					folder: data.folder,
					home: data.home,
					adapters,
					now: () => Date.now(),
					readImported: readImportedAgain,
				});
			reporter.flush();
			say({type: 'done', summary});
			isMirrorWanted = data.isMirroring === true;
			if (!isMirrorWanted) say({type: 'settled'});
		}),
	poll: ({session}) =>
		asWriter(store => {
			const reporter = createReporter();
			if (pollSession(store, session, optionsFor(store, reporter)))
				say({type: 'changed', sessions: [session]});
		}),
	stop: () => {
		isStopping = true;
		const close = (): void => {
			if (isRunning) {
				setTimeout(close, 20);
				return;
			}
			database?.close();
			say({type: 'stopped'});
			port.close();
		};
		close();
	},
};

port.on('message', (message: ToSyncWorker) => {
	const handle = handlers[message.type] as (message: ToSyncWorker) => Promise<void> | void;
	void handle(message);
});
