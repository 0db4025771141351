/** `agent-transcripts/…/<id>.jsonl`: a line a message, without results, ids and (but for a tag in the prompts) times. */

import type {Locator} from '../model.js';
import {compact} from '../shared/compact.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {at, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Cursor, Source} from '../types.js';
import {noteEvent, plainText, type Reading, readMessage} from './messages.js';
import {openTranscript, transcriptFacts} from './transcript-facts.js';

interface Line {
	readonly record: Record<string, unknown>;
	readonly key: string;
	readonly locator: Locator;
}

const contentOf = (record: Record<string, unknown>): unknown =>
	at(record, 'message', 'content') ?? record['content'];

const note = (kind: 'summary' | 'meta', {key, locator}: Line, text: string, reading: Reading) =>
	noteEvent({key, locator, text}, kind, reading);

/** Lines that are no messages, by their `type` or `event`. */
const CONTROLS: Readonly<Record<string, (line: Line, reading: Reading) => void>> = {
	error: (line, reading) =>
		note('meta', line, `error: ${stringOf(line.record['error']) ?? ''}`, reading),
	summary: (line, reading) => {
		const text = textOf(line.record['summary']) ?? plainText(contentOf(line.record));
		note('summary', line, text, reading);
	},
	turn_ended: (line, reading) => {
		const status = stringOf(line.record['status']) ?? 'success';
		const error = textOf(line.record['error']);
		const parts = [`turn ended: ${status}`, ...(error === undefined ? [] : [error])];
		if (status !== 'success') note('meta', line, parts.join('\n'), reading);
	},
};

const ROLES = new Set(['user', 'assistant']);

const roleOf = (record: Record<string, unknown>): string | undefined => {
	const role = stringOf(record['role']) ?? stringOf(at(record, 'message', 'role'));
	const type = stringOf(record['type']);
	return role ?? (type !== undefined && ROLES.has(type) ? type : undefined);
};

const readLine = (line: Line, reading: Reading): void => {
	const {record, key, locator} = line;
	const role = roleOf(record);
	const control = stringOf(record['event']) ?? stringOf(record['type']) ?? 'none';
	if (role !== undefined) {
		const atMs = timeMs(record['timestamp']);
		const message = {role, record, content: contentOf(record), key, locator, atMs};
		// Side chains lay in the file of their session before sub-agents had files.
		const isSubagent = reading.isSubagent || record['isSidechain'] === true;
		readMessage(message, {...reading, isSubagent});
	} else if (Object.hasOwn(CONTROLS, control)) CONTROLS[control]?.(line, reading);
	else reading.batch.unknown(control.slice(0, 80));
};

export function* readJsonTranscript(source: Source, from?: Cursor): Generator<Batch> {
	const reading = openTranscript(source, from?.state);
	const {batch, carried} = reading;
	const take = (position: LinePosition): Batch => {
		batch.patch(transcriptFacts(source, carried));
		// A copy: what is carried goes on changing while the batch waits.
		return batch.take({...position, state: compact({...carried, calls: [...carried.calls]})});
	};
	const keys = createKeys();
	let brokenLine = 0;
	const lines = readJsonLines(source.path, from);
	for (let step = lines.next(); ; step = lines.next()) {
		if (step.done === true) {
			yield take(step.value);
			return;
		}
		const {record, problem, number, offset, length} = step.value;
		if (batch.isFull() && keys.isNewLine(number)) yield take({offset, lineNumber: number - 1});
		if (problem !== undefined) {
			batch.problem(problem);
			brokenLine = number;
		} else if (number !== brokenLine || isWhole(record)) {
			readLine({record, key: keys.next(number), locator: {offset, length}}, reading);
		}
	}
}

/** Tells a record that was glued to a torn one from the inner message of that one. */
const isWhole = (record: Record<string, unknown>): boolean =>
	'message' in record || 'type' in record || 'event' in record;

/**
 * Keys are lines: records have ids only in some builds, and not unique ones (`"1"`). Of records that a crash glued into one line
 * the later ones are counted.
 */
const createKeys = () => {
	let [line, count] = [0, 0];
	return {
		isNewLine: (number: number): boolean => number !== line,
		next(number: number): string {
			count = number === line ? count + 1 : 0;
			line = number;
			return count === 0 ? `L${number}` : `L${number}-${count}`;
		},
	};
};
