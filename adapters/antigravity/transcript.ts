/** Transcripts: one step a line. */

import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {numberOf, recordOf, textOf} from '../shared/narrow.js';
import {eventOf} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Cursor, Source} from '../types.js';
import {formsOf} from './steps.js';

/** What goes on from line to line. */
interface Progress {
	/** A step without a time is of that of the one before. */
	lastAtMs: number | undefined;
	model: string | undefined;
}

const progressFrom = (state: unknown): Progress => {
	const {lastAtMs, model} = recordOf(state);
	return {lastAtMs: numberOf(lastAtMs), model: textOf(model)};
};

export function* readTranscript(source: Source, from?: Cursor): Generator<Batch> {
	const batch = createBatch(source.sessionId ?? '');
	const progress = progressFrom(from?.state);
	const take = (position: LinePosition): Batch => {
		batch.patch(compact({model: progress.model}));
		return batch.take({...position, state: compact({...progress})});
	};
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read({record, number, offset, length}) {
			progress.lastAtMs = timeMs(record['created_at']) ?? progress.lastAtMs;
			progress.model = textOf(record['model']) ?? progress.model;
			const index = numberOf(record['step_index']);
			const place = {
				key: index === undefined ? `l${number}` : `s${index}`,
				atMs: progress.lastAtMs,
				locator: {offset, length},
				model: progress.model,
			};
			for (const [block, form] of formsOf(record, place, batch.unknown).entries()) {
				batch.event(eventOf(place, block, form));
			}
		},
	});
}
