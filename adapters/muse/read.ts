/** Reads a log from a cursor on, or an export as a whole. */

import type {SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {type LinePosition, readJsonLines, START} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {at, isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';
import {type Batch, type Cursor, type Source, SourceUnreadable} from '../types.js';
import type {Place} from './discover.js';
import {DIRECTORY_KINDS, handleLine, handleRecord} from './records.js';
import {type Reading, restoreState} from './state.js';

const subagentFacts = ({parentId, state}: Reading, cwd: string | undefined): SessionFacts =>
	parentId === undefined
		? {}
		: {
				isSubagent: true,
				parent: {id: parentId, relation: 'subagent', certainty: 'exact'},
				...compact({description: state.task ?? undefined}),
				// Children without a directory watch the talk for the program itself (reminders, checks).
				hiddenBy: cwd === undefined ? 'observer' : null,
			};

const factsOf = (reading: Reading): SessionFacts => {
	const {state} = reading;
	const cwd = DIRECTORY_KINDS.map(kind => state.directories[kind]).find(path => path !== undefined);
	return {
		...compact({
			customTitle: state.name ?? undefined,
			cwd,
			branch: state.branch ?? undefined,
			model: state.model ?? undefined,
			bornAtMs: state.bornAtMs ?? undefined,
		}),
		...subagentFacts(reading, cwd),
	};
};

const takeBatch = (reading: Reading, position: LinePosition): Batch => {
	reading.batch.patch(factsOf(reading));
	return reading.batch.take({...position, state: {...reading.state}});
};

const openReading = (source: Source, sessionId: string, from?: Cursor): Reading => ({
	sessionId,
	parentId: (recordOf(source.extra) as Place).parentId,
	batch: createBatch(sessionId),
	state: restoreState(from?.state),
});

function* readLog(source: Source, from?: Cursor): Generator<Batch> {
	const reading = openReading(source, source.sessionId ?? '', from);
	yield* logBatches(readJsonLines(source.path, from), {
		batch: reading.batch,
		take: position => takeBatch(reading, position),
		read: ({record, number, offset, length}) =>
			handleLine(reading, record, {number, locator: {offset, length}}),
	});
}

/** `muse export`: the same records, each in an envelope. Of several sessions the first is read. */
function* readExport(source: Source): Generator<Batch> {
	const {path} = source;
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `${path} is gone`);
	if (document.problem !== undefined) {
		throw new SourceUnreadable(document.problem.code, document.problem.detail);
	}
	const {value} = document;
	const sessionId = source.sessionId ?? textOf(at(value, 'sessions', 0, 'session_id'));
	if (at(value, 'export_schema_version') !== 1 || sessionId === undefined) {
		throw new SourceUnreadable('unsupported-schema', 'not an export of Muse, or of another schema');
	}
	const reading = openReading(source, sessionId);
	for (const [index, entry] of listOf(at(value, 'events')).entries()) {
		if (reading.batch.isFull()) yield takeBatch(reading, START);
		const record = at(entry, 'envelope');
		const locator = {path, pointer: `/events/${index}/envelope`};
		if (isRecord(record)) handleRecord(reading, record, {fallback: `n${index}`, locator});
	}
	yield takeBatch(reading, START);
}

export const read = (source: Source, from?: Cursor): Iterable<Batch> =>
	source.mode === 'append' ? readLog(source, from) : readExport(source);
