/** Reads a log line by line, from a cursor on, and hands over what it gives in batches. */

import type {Problem} from '../model.js';
import type {Batch} from '../types.js';
import type {BatchBuilder} from './batch.js';
import type {JsonLine, JsonRecord, LinePosition} from './jsonl.js';

export interface LogReader {
	readonly batch: BatchBuilder;
	read(line: JsonRecord): void;
	/** Closes the batch: reading can go on from the position. */
	take(position: LinePosition): Batch;
	/** Before the last batch: what is still open comes to its end. */
	end?(): void;
	/** The batch has to end here although it is not full. */
	mustTake?(): boolean;
	/** Absent: a line that cannot be read is a problem of the batch. */
	problem?(problem: Problem): void;
}

export function* logBatches(
	lines: Generator<JsonLine, LinePosition>,
	reader: LogReader,
): Generator<Batch> {
	const {batch} = reader;
	for (let step = lines.next(); ; step = lines.next()) {
		if (step.done === true) {
			reader.end?.();
			yield reader.take(step.value);
			return;
		}
		const line = step.value;
		if (batch.isFull() || reader.mustTake?.() === true) {
			yield reader.take({offset: line.offset, lineNumber: line.number - 1});
		}
		if (line.problem === undefined) reader.read(line);
		else if (reader.problem === undefined) batch.problem(line.problem);
		else reader.problem(line.problem);
	}
}

/** Ends what was taken back at the very end of what is there now. */
export const flushCut = ({
	progress,
	batch,
}: {
	/** `cutFrom`: everything from this event on is taken back, up to the next event. */
	readonly progress: {cutFrom?: string};
	readonly batch: BatchBuilder;
}): void => {
	if (progress.cutFrom !== undefined) batch.undo(progress.cutFrom);
	delete progress.cutFrom;
};
