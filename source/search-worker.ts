/** Worker thread of the app: answers its questions from a read-only connection, the newest one of each channel. */
import {parentPort, workerData} from 'node:worker_threads';
import {adapters} from '../adapters/registry.js';
import {createAnswers} from './answers.js';
import {openLog} from './log.js';
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

const logFailure = (error: unknown, question: string): void => {
	try {
		openLog(data.logFile).error({err: error, question}, 'a question failed');
	} catch {
		// No log can be written: the line on the screen is all there is.
	}
};

const answer = async ({id, question, parameters}: AskedQuestion): Promise<void> => {
	try {
		say({id, kind: 'answer', value: await answers.ask(question, parameters)});
	} catch (error) {
		logFailure(error, question);
		say({id, kind: 'failed', message: error instanceof Error ? error.message : String(error)});
	}
};

const prepare = (): boolean => {
	try {
		return answers.prepare();
	} catch (error) {
		logFailure(error, 'prepare');
		return false;
	}
};

/**
 * One question a turn of the event loop: those that came meanwhile are seen before the next one is worked on. What is left of the
 * time goes into getting ready for more.
 */
const work = (): void => {
	const next = waiting.next();
	if (next !== undefined) void answer(next);
	isScheduled = next !== undefined || prepare();
	if (isScheduled) setImmediate(work);
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
