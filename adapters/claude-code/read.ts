/** Reads a transcript from a cursor on. */

import {join} from 'node:path';
import {createBatch} from '../shared/batch.js';
import {type LinePosition, readJsonLines, START} from '../shared/jsonl.js';
import {flushCut, logBatches} from '../shared/log-batches.js';
import {recordOf, textOf} from '../shared/narrow.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {recordOfHead} from './long-lines.js';
import {factsOf, type Identity, progressFrom, stateOf} from './progress.js';
import {readRecord} from './records.js';
import {rowOf} from './row.js';
import {agentIdOf, readSidecars} from './sidecars.js';

/** Records of a sub-agent that are looked at for its ids. */
const IDENTITY_RECORDS = 50;

/** A sub-agent's ids as its records state them; those of the file's place fill in. */
const subagentIdentity = (path: string, place: Place): Identity | undefined => {
	let [rootId, agentId] = [place.rootId, undefined as string | undefined];
	let left = IDENTITY_RECORDS;
	for (const {record} of readJsonLines(path, START, {onLong: recordOfHead})) {
		rootId ??= textOf(record?.['sessionId']);
		agentId ??= agentIdOf(record?.['agentId']);
		left -= 1;
		if (left === 0 || (rootId !== undefined && agentId !== undefined)) break;
	}
	agentId ??= place.agentId;
	if (rootId === undefined || agentId === undefined) return undefined;
	return {sessionId: `${rootId}/${agentId}`, rootId, isSubagent: true};
};

const identityOf = (source: Source, place: Place): Identity | undefined => {
	if (place.agentId !== undefined) return subagentIdentity(source.path, place);
	const {rootId} = place;
	return rootId === undefined ? undefined : {sessionId: rootId, rootId, isSubagent: false};
};

export function* read(source: Source, from?: Cursor): Generator<Batch> {
	const place = recordOf(source.extra) as unknown as Place;
	const identity = identityOf(source, place);
	if (identity === undefined) return;
	const progress = progressFrom(from?.state);
	const batch = createBatch(identity.sessionId);
	// A side file that is half written is read again on the next pass, so it is reported at most once.
	const sidecars = readSidecars(source, problem => {
		if (from === undefined) batch.problem(problem);
	});
	const outputFolder = join(place.folder, identity.rootId, 'tool-results');
	const context = {identity, progress, batch, outputFolder};
	const take = (position: LinePosition): Batch => {
		batch.patch(factsOf(identity, progress, sidecars, place.folder));
		return batch.take({...position, state: stateOf(progress)});
	};
	yield* logBatches(readJsonLines(source.path, from, {onLong: recordOfHead}), {
		batch,
		take,
		read: line => readRecord(rowOf(line, context)),
		end: () => flushCut({progress, batch}),
	});
}
