import {Worker} from 'node:worker_threads';
import type {FromSyncWorker, SyncWorkerData, ToSyncWorker} from '../store/sync/protocol.js';
import type {Sync} from './app/backend.js';

export interface SyncClient extends Sync {
	/** Ends the pass after its current batch. */
	close(): Promise<void>;
	/** At once, whatever it is at. */
	terminate(): Promise<unknown>;
}

/** With nothing left to do the worker ends after this: at rest it would hold 60 MB until the next pass. */
const defaultRestMs = 3_000;

/** The app's side of the sync worker, which runs only while there is something to do. */
export const startSync = (url: URL, data: SyncWorkerData, restMs = defaultRestMs): SyncClient => {
	const listeners = new Set<(message: FromSyncWorker) => void>();
	const tell = (message: FromSyncWorker): void => {
		for (const listener of listeners) listener(message);
	};
	let worker: Worker | undefined;
	let rest: NodeJS.Timeout | undefined;
	let isClosing = false;

	const start = (): Worker => {
		const started = new Worker(url, {workerData: data, name: 'sync'});
		started.on('message', (message: FromSyncWorker) => {
			if (started !== worker) return;
			if (message.type === 'settled') rest = setTimeout(end, restMs).unref();
			tell(message);
		});
		started.on('error', error => {
			if (started !== worker) return;
			worker = undefined;
			tell({type: 'failed', message: `sync ended: ${error.message}`});
		});
		return started;
	};
	const end = (): void => {
		worker?.postMessage({type: 'stop'} satisfies ToSyncWorker);
		worker = undefined;
	};
	const say = (message: ToSyncWorker): void => {
		clearTimeout(rest);
		if (isClosing) return;
		worker ??= start();
		worker.postMessage(message);
	};
	return {
		sync: () => say({type: 'sync'}),
		poll: session => say({type: 'poll', session}),
		onMessage(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close() {
			clearTimeout(rest);
			const last = isClosing ? undefined : worker;
			isClosing = true;
			if (last === undefined) return Promise.resolve();
			return new Promise(resolve => {
				last.once('exit', () => resolve());
				last.postMessage({type: 'stop'} satisfies ToSyncWorker);
			});
		},
		terminate: async () => worker?.terminate(),
	};
};
