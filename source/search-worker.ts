/** Worker thread of the app: answers its questions from a read-only connection, the newest one of each channel. */
import {parentPort, workerData} from 'node:worker_threads';
import {adapters} from '../adapters/registry.js';
import {createAnswers} from './answers.js';
import {createWaiting} from './newest-first.js';
import type {
	AskedQuestion,
	FromSearchWorker,
	SearchWorkerData,
	ToSearchWorker,
} from './search-protocol.js';

const data = workerData as SearchWorkerData;
const port = parentPort;
if (port === null) throw new Error('search-worker runs as a worker thread');

const say = (message: FromSearchWorker): void => port.postMessage(message);
const answers = createAnswers({...data, adapters});
const waiting = createWaiting<AskedQuestion>();
let isScheduled = false;

const answer = async ({id, question, parameters}: AskedQuestion): Promise<void> => {
	try {
		say({id, kind: 'answer', value: await answers.ask(question, parameters)});
	} catch (error) {
		say({id, kind: 'failed', message: error instanceof Error ? error.message : String(error)});
	}
};

/** One question a turn of the event loop: those that came meanwhile are seen before the next one is worked on. */
const work = (): void => {
	const next = waiting.next();
	isScheduled = next !== undefined;
	if (next === undefined) return;
	void answer(next);
	setImmediate(work);
};

port.on('message', (message: ToSearchWorker) => {
	if (message.question === 'stop') {
		answers.close();
		say({kind: 'stopped'});
		port.close();
		return;
	}
	const older = waiting.add(message);
	if (older) say({id: older.id, kind: 'superseded'});
	if (isScheduled) return;
	isScheduled = true;
	setImmediate(work);
});
