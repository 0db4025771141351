import {join} from 'node:path';
import {parentPort, workerData} from 'node:worker_threads';
import {adapters} from '../adapters/registry.js';
import {setViewFolder} from '../adapters/shared/sqlite.js';
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
import {createSurroundings} from './surroundings.js';

/** Worker thread of the app: joins the registry with the sync engine. One pass at a time, one writer across processes. */
const data = workerData as SyncWorkerData;
const port = parentPort;
if (port === null) throw new Error('sync-worker runs as a worker thread');

// Private copies of agents' databases lie where ours do: a hard link needs the same file system.
setViewFolder(join(data.folder, 'views'));

const REPORT_EVERY_MS = 250;
const say = (message: FromSyncWorker): void => port.postMessage(message);

let isStopping = false;
let isRunning = false;
let database: Database | undefined;

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
	surroundings: createSurroundings({...data, projectDirs: knownDirectories(store)}),
	now: () => Date.now(),
	shouldStop: () => isStopping,
	onProgress: reporter.onProgress,
	onChanged: reporter.onChanged,
});

/** Runs `action` as the one writer; says `locked` when another process is. */
const asWriter = async (action: (database: Database) => Promise<void> | void): Promise<void> => {
	if (isRunning) return;
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

const messageOf = (error: unknown): string => {
	try {
		explained(data.folder, () => {
			throw error;
		});
	} catch (explainedError) {
		if (explainedError instanceof StoreError) return explainedError.message;
	}
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
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
			reporter.flush();
			say({type: 'done', summary});
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
