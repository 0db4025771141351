/** Reads `updates.jsonl` from a cursor on. */

import type {SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import type {Batch, Cursor, Source} from '../types.js';
import {emitRun} from './runs.js';
import {readSession, type Session} from './session.js';
import {type Reading, restoreState, type State} from './state.js';
import {handleRecord} from './updates.js';

const factsOf = ({facts}: Session, state: State): SessionFacts =>
	compact({
		...facts,
		generatedTitle: facts.generatedTitle ?? state.summary ?? undefined,
		model: facts.model ?? state.model ?? undefined,
		bornAtMs: state.bornAtMs ?? undefined,
	});

const takeBatch = (reading: Reading, position: LinePosition): Batch => {
	const {batch, session, state} = reading;
	reading.mustTake = false;
	// What is open is shown as far as it goes, and shown again when it has grown.
	emitRun(reading);
	batch.patch(factsOf(session, state));
	return batch.take({...position, state: structuredClone(state)});
};

export function* readLog(source: Source, from?: Cursor): Generator<Batch> {
	const session = readSession(source);
	const batch = createBatch(session.id);
	if (from === undefined) for (const problem of session.problems) batch.problem(problem);
	const reading: Reading = {session, batch, state: restoreState(from?.state), mustTake: false};
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take: position => takeBatch(reading, position),
		mustTake: () => reading.mustTake,
		read: ({record, number, offset, length}) =>
			handleRecord(reading, record, {number, locator: {offset, length}}),
	});
}
