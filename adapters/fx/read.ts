/** Reads a session folder of any generation. */

import {dirname} from 'node:path';
import type {SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type LinePosition, readJsonLines, START} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {isRecord, listOf, numberOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {type Batch, type Cursor, type Source, SourceUnreadable} from '../types.js';
import {retryLate, stepEvents} from './events.js';
import {modelOf, pathOf, placeFacts, readSession, titleFacts, totalFacts} from './session.js';
import {type Line, type Reading, restoreState} from './state.js';
import {readTurnLog} from './turn-log.js';
import {turnEvents} from './turns.js';

const factsOf = ({session, state}: Reading): SessionFacts => ({
	...compact({model: state.model ?? undefined, bornAtMs: state.bornAtMs ?? undefined}),
	...(session.isSubagent ? {isSubagent: true} : {}),
	...placeFacts(session.manifest),
	...titleFacts(session, state.firstPrompt),
	...totalFacts(session.usage),
});

/** Records are numbered; a number that does not go up is no key. */
const lineOf = (
	{state}: Reading,
	record: Record<string, unknown>,
	place: LinePosition & {length: number},
): Line => {
	const seq = numberOf(record['seq']);
	const isNext = seq !== undefined && Number.isSafeInteger(seq) && seq > state.lastSeq;
	if (isNext) state.lastSeq = seq;
	const atMs = timeMs(record['timestamp_ms']);
	state.bornAtMs ??= atMs ?? null;
	return compact({
		key: isNext ? `s${seq}` : `L${place.lineNumber}`,
		atMs,
		locator: {offset: place.offset, length: place.length},
	});
};

function* readSteps(reading: Reading, source: Source, from?: Cursor): Generator<Batch> {
	const {batch, state} = reading;
	const take = (position: LinePosition): Batch => {
		batch.patch(factsOf(reading));
		return batch.take({...position, state: {...state}});
	};
	retryLate(reading);
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read({record, number, offset, length}) {
			const {event} = record;
			const place = {offset, length, lineNumber: number};
			if (isRecord(event)) stepEvents(reading, event, lineOf(reading, record, place));
			else batch.unknown('no-event');
		},
	});
}

/** Versions 1 and 2. Turns have no times. */
function* readDocument(reading: Reading, source: Source): Generator<Batch> {
	const {batch, session} = reading;
	const {manifest, problems} = session;
	const [problem] = problems;
	// Half written: what was read before stays, and the next change is looked at.
	if (problem !== undefined) throw new SourceUnreadable(problem.code, problem.detail);
	reading.state.model = modelOf(manifest) ?? null;
	const cursor = {...START, state: null};
	for (const [index, turn] of listOf(manifest['history']).entries()) {
		if (batch.isFull()) yield batch.take(cursor);
		const locator = {
			path: pathOf(source, 'session.json') ?? source.path,
			pointer: `/history/${index}`,
		};
		turnEvents(reading, turn, {line: {key: `t${index}`, locator}, block: 0});
	}
	batch.patch({...factsOf(reading), ...totalFacts(manifest)});
	yield batch.take(cursor);
}

export function* read(source: Source, from?: Cursor): Generator<Batch> {
	const session = readSession(source);
	const batch = createBatch(session.id);
	const state = restoreState(from?.state);
	const reading: Reading = {folder: dirname(source.path), session, batch, state};
	const hasLog = pathOf(source, 'events.jsonl') !== undefined;
	if (from === undefined && hasLog) for (const problem of session.problems) batch.problem(problem);
	if (source.mode === 'append') yield* readSteps(reading, source, from);
	else if (hasLog) yield* readTurnLog(reading, source);
	else yield* readDocument(reading, source);
}
