/** Reads one log from a cursor on. */

import {createBatch} from '../shared/batch.js';
import {readJsonFile} from '../shared/json-file.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {flushCut, logBatches} from '../shared/log-batches.js';
import {recordOf} from '../shared/narrow.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {factsOf} from './facts.js';
import {readContext, readLegacyWire} from './legacy.js';
import {progressFrom, stateOf} from './progress.js';
import {type Row, rowOf} from './row.js';
import {findSpawn} from './spawn.js';
import {readWire} from './wire.js';

const SIDECAR_BYTES = 16 * 1024 * 1024;

const READERS: Readonly<Record<Place['form'], (row: Row) => void>> = {
	new: readWire,
	wire: readLegacyWire,
	context: readContext,
};

export function* read(source: Source, from?: Cursor): Generator<Batch> {
	const place = recordOf(source.extra) as unknown as Place;
	const isSubagent = place.agentId !== undefined;
	const batch = createBatch(source.sessionId ?? place.rootId);
	const progress = progressFrom(from?.state);
	const sidecarPath = source.files[1]?.path;
	const document = sidecarPath === undefined ? undefined : readJsonFile(sidecarPath, SIDECAR_BYTES);
	// One that is half written is read again on the next pass, so it is reported at most once.
	if (from === undefined && document?.problem !== undefined) batch.problem(document.problem);
	const sidecar = recordOf(document?.value);
	if (isSubagent && progress.spawn === undefined) {
		const spawn = findSpawn(source, place, sidecar);
		if (spawn !== undefined) progress.spawn = spawn;
	}
	const context = {isSubagent, progress, batch};
	const take = (position: LinePosition): Batch => {
		batch.patch(factsOf(place, sidecar, progress));
		return batch.take({...position, state: stateOf(progress)});
	};
	const readRow = READERS[place.form];
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read: line => readRow(rowOf(line, context)),
		end: () => flushCut(context),
	});
}
