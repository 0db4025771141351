/** Reads a rollout: from the start or from a cursor, line by line, in batches. */

import type {Problem} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {sizeLabel} from '../shared/content.js';
import {type LinePosition, type LongLine, readJsonLines, START} from '../shared/jsonl.js';
import type {Batch, Cursor, Source} from '../types.js';
import {recordFromHead} from './cut-record.js';
import {factsOf} from './facts.js';
import {handleRecord, isItemMessage} from './lines.js';
import {type ReaderState, type Reading, restoreState} from './state.js';

/**
 * Looks ahead for a message as a response item: then the texts of `event_msg` lines only repeat. It stands among the first
 * lines of nearly every file, so little is read twice. Should a file without any get one later, the texts shown by then stay.
 */
const hasItemMessage = (path: string, from: LinePosition): boolean => {
	for (const {record} of readJsonLines(path, from, {onLong: ({head}) => recordFromHead(head)})) {
		if (record !== undefined && isItemMessage(record)) return true;
	}
	return false;
};

export const openReading = (source: Source, state: ReaderState, isFallback: boolean): Reading => ({
	source,
	state,
	isFallback,
	batch: createBatch(state.header?.id ?? source.sessionId ?? ''),
	mustTake: false,
});

/** Closes a batch: facts and cursor as they are now. */
export const takeBatch = (reading: Reading, position: LinePosition): Batch => {
	const {batch, state, source} = reading;
	reading.mustTake = false;
	batch.patch(factsOf(source, state));
	return batch.take({
		offset: position.offset,
		lineNumber: position.lineNumber,
		// A copy: the state goes on changing while the batch waits.
		state: {...state},
	});
};

export const hasSession = ({state, source}: Reading): boolean =>
	(state.header?.id ?? source.sessionId) !== undefined;

const longLineProblem = (number: number, length: number): Problem => ({
	code: 'long-line',
	where: `line ${number}`,
	detail: `line of ${sizeLabel(length)}: only its beginning is shown`,
});

export function* readLog(source: Source, from?: Cursor): Generator<Batch> {
	const {path} = source;
	const position = from ?? START;
	const state = restoreState(from?.state);
	if (!state.hasItemMessages) state.hasItemMessages = hasItemMessage(path, position);
	const reading = openReading(source, state, !state.hasItemMessages);
	let cutLine = 0;
	const onLong = ({number, length, head}: LongLine): Record<string, unknown> | undefined => {
		const record = recordFromHead(head);
		if (record === undefined) return undefined;
		cutLine = number;
		reading.batch.problem(longLineProblem(number, length));
		return record;
	};
	const lines = readJsonLines(path, position, {onLong});
	let isEmpty = from === undefined;
	for (;;) {
		const step = lines.next();
		if (step.done) {
			if (!isEmpty && hasSession(reading)) yield takeBatch(reading, step.value);
			return;
		}
		const {record, problem, number, offset, length} = step.value;
		if ((reading.mustTake || reading.batch.isFull()) && hasSession(reading)) {
			yield takeBatch(reading, {offset, lineNumber: number - 1});
		}
		isEmpty = false;
		if (problem !== undefined) reading.batch.problem(problem);
		else {
			const cut = number === cutLine ? {cutLength: length} : {};
			handleRecord(reading, record, {number, locator: {offset, length}, ...cut});
		}
	}
}
