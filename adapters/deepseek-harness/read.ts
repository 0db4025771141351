/** Reads a log from a cursor on. */

import type {Locator, SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {type Batch, type Cursor, type Source, SourceUnreadable} from '../types.js';
import {handleEvent} from './events.js';
import {type Header, type Reading, restoreState} from './state.js';

const NEWEST_VERSION = 4;

const parentOf = (
	record: Record<string, unknown>,
	isSubagent: boolean,
): SessionFacts['parent'] | undefined => {
	const id = textOf(record['parentSession']);
	if (id === undefined) return undefined;
	return {id, relation: isSubagent ? 'subagent' : 'fork', certainty: 'exact'};
};

/** @throws SourceUnreadable for a version that is newer than known */
const headerOf = (record: Record<string, unknown>, fallbackId: string): Header => {
	const version = numberOf(record['version']) ?? 0;
	if (version > NEWEST_VERSION) {
		throw new SourceUnreadable('unsupported-schema', `session log of version ${version}`);
	}
	const depth = numberOf(record['delegationDepth']) ?? 0;
	const isSubagent = record['origin'] === 'subagent' || depth > 0;
	const createdAtMs = timeMs(record['createdAt']);
	return {
		id: textOf(record['id']) ?? fallbackId,
		isSubagent,
		facts: compact({
			cwd: textOf(record['cwd']),
			isSubagent: isSubagent ? true : undefined,
			parent: parentOf(record, isSubagent),
			createdAtMs,
			// A fork begins with a copy of its parent's events, but the first line is its own.
			bornAtMs: createdAtMs,
		}),
	};
};

const factsOf = ({state}: Reading): SessionFacts => ({
	...state.header?.facts,
	...compact({
		generatedTitle: state.title ?? undefined,
		description: state.task ?? undefined,
		model: state.model ?? undefined,
	}),
});

interface Place {
	readonly number: number;
	readonly locator: Locator;
}

const handleRecord = (
	reading: Reading,
	record: Record<string, unknown>,
	{number, locator}: Place,
): void => {
	const type = stringOf(record['type']) ?? 'none';
	if (type === 'session') {
		reading.state.header ??= headerOf(record, reading.sessionId);
		reading.batch.setSession(reading.state.header.id);
		return;
	}
	const seq = numberOf(record['seq'] ?? record['seq0']);
	const key = Number.isSafeInteger(seq) ? `s${seq}` : `L${number}`;
	const atMs = timeMs(record['time'] ?? record['time0']);
	handleEvent(reading, type, compact({data: recordOf(record['data']), key, atMs, locator}));
};

export function* read(source: Source, from?: Cursor): Generator<Batch> {
	const state = restoreState(from?.state);
	const sessionId = state.header?.id ?? source.sessionId ?? '';
	const reading: Reading = {sessionId, batch: createBatch(sessionId), state};
	const {batch} = reading;
	const take = (position: LinePosition): Batch => {
		batch.patch(factsOf(reading));
		return batch.take({...position, state: {...state}});
	};
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read: ({record, number, offset, length}) =>
			handleRecord(reading, record, {number, locator: {offset, length}}),
	});
}
