/** Reads `updates.jsonl` from a cursor on. */
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import type {Batch, Cursor, SessionFacts, Source} from '../types.js';
import {emitRun} from './runs.js';
import {readSession, type Session} from './session.js';
import {type Reading, restoreState, type State} from './state.js';
import {handleRecord} from './updates.js';

const START: LinePosition = {offset: 0, lineNumber: 0};

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
	const lines = readJsonLines(source.path, from ?? START);
	for (let step = lines.next(); ; step = lines.next()) {
		if (step.done === true) {
			yield takeBatch(reading, step.value);
			return;
		}
		const {record, problem, number, offset, length} = step.value;
		if (reading.mustTake || batch.isFull()) {
			yield takeBatch(reading, {offset, lineNumber: number - 1});
		}
		if (problem !== undefined) batch.problem(problem);
		else handleRecord(reading, record, {number, locator: {offset, length}});
	}
}
