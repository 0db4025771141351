import {Worker} from 'node:worker_threads';
import type {AnswerOf, Backend, Question} from './app/backend.js';
import type {FromSearchWorker, SearchWorkerData, ToSearchWorker} from './search-protocol.js';

export interface SearchClient extends Backend {
	close(): Promise<void>;
	/** At once, whatever it is at. */
	terminate(): Promise<unknown>;
}

interface Open {
	readonly channel: string;
	readonly settle: (answer: {readonly value: AnswerOf<Question>} | undefined) => void;
	readonly fail: (error: Error) => void;
}

/** Answers are short-lived and small: the default, 48 MB, would only fill up with old ones. */
const maxYoungGenerationSizeMb = 12;

/** The app's side of the search worker. What comes for a question that a newer one has replaced is dropped. */
export const startSearch = (url: URL, data: SearchWorkerData): SearchClient => {
	const worker = new Worker(url, {
		workerData: data,
		name: 'search',
		resourceLimits: {maxYoungGenerationSizeMb},
	});
	const open = new Map<number, Open>();
	/** Newest question of each channel. */
	const newest = new Map<string, number>();
	let lastId = 0;

	const take = (id: number): Open | undefined => {
		const question = open.get(id);
		open.delete(id);
		if (question && newest.get(question.channel) === id) newest.delete(question.channel);
		return question;
	};
	const failAll = (error: Error): void => {
		for (const [id] of [...open]) take(id)?.fail(error);
	};
	worker.on('message', (message: FromSearchWorker) => {
		if (message.kind === 'stopped') return;
		const question = open.get(message.id);
		const isNewest = question !== undefined && newest.get(question.channel) === message.id;
		take(message.id);
		if (message.kind === 'failed' && isNewest) question.fail(new Error(message.message));
		else question?.settle(message.kind === 'answer' && isNewest ? message : undefined);
	});
	worker.on('error', error => failAll(error));
	worker.on('exit', () => failAll(new Error('the search has ended')));

	return {
		ask(channel, question, ...parameters) {
			const id = ++lastId;
			newest.set(channel, id);
			return new Promise((resolve, reject) => {
				open.set(id, {channel, settle: resolve as Open['settle'], fail: reject});
				worker.postMessage({id, channel, question, parameters} as ToSearchWorker);
			});
		},
		close: () =>
			new Promise(resolve => {
				// Nobody waits any more for what is still open.
				open.clear();
				worker.once('exit', () => resolve());
				worker.postMessage({question: 'stop'} satisfies ToSearchWorker);
			}),
		terminate: () => worker.terminate(),
	};
};
