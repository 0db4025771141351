import {Worker} from 'node:worker_threads';
import type {FromSyncWorker, SyncWorkerData, ToSyncWorker} from '../store/sync/protocol.js';
import type {Sync} from './app/backend.js';

export interface SyncClient extends Sync {
	/** Ends the pass after its current batch. */
	close(): Promise<void>;
	/** At once, whatever it is at. */
	terminate(): Promise<unknown>;
}

/** The app's side of the sync worker. */
export const startSync = (url: URL, data: SyncWorkerData): SyncClient => {
	const worker = new Worker(url, {workerData: data, name: 'sync'});
	const listeners = new Set<(message: FromSyncWorker) => void>();
	const tell = (message: FromSyncWorker): void => {
		for (const listener of listeners) listener(message);
	};
	const say = (message: ToSyncWorker): void => worker.postMessage(message);
	let isClosing = false;
	worker.on('message', tell);
	worker.on('error', error => tell({type: 'failed', message: `sync ended: ${error.message}`}));
	return {
		sync: () => say({type: 'sync'}),
		poll: session => say({type: 'poll', session}),
		onMessage(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close() {
			if (isClosing) return Promise.resolve();
			isClosing = true;
			return new Promise(resolve => {
				worker.once('exit', () => resolve());
				say({type: 'stop'});
			});
		},
		terminate: () => worker.terminate(),
	};
};
