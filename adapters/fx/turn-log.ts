/** The log of version 3: turns as they were committed, and states that replace all that was before. */

import {basename} from 'node:path';
import {eventKey, type SessionFacts} from '../model.js';
import {END} from '../shared/batch.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {
	at,
	entryOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {stepEvents} from './events.js';
import {modelOf, placeFacts, titleFacts, totalFacts} from './session.js';
import type {Line, Reading} from './state.js';
import {signatureOf, turnEvents} from './turns.js';

type Fields = Record<string, unknown>;

interface Log {
	readonly reading: Reading;
	/** Turns by now, see `signatureOf`. */
	readonly turns: Set<string>;
	/** Pieces of a state that is about to replace the present one. */
	chunks: string[];
	startedAtMs: number | undefined;
}

const COMMIT = /^commit\.([\da-f]{32})\.json$/;

/** How far each generation of the log is committed; what lies beyond never happened. */
const watermarks = (source: Source): ReadonlyMap<string, number> => {
	const marks = new Map<string, number>();
	for (const {path} of source.files) {
		const generation = COMMIT.exec(basename(path))?.[1];
		const through = numberOf(at(readJsonFile(path)?.value, 'through_seq'));
		if (generation !== undefined && through !== undefined) marks.set(generation, through);
	}
	return marks;
};

const isCommitted = (record: Fields, marks: ReadonlyMap<string, number>): boolean => {
	// Without any watermark nothing can be told apart.
	if (marks.size === 0) return true;
	const through = marks.get(stringOf(record['log_generation']) ?? '');
	return through !== undefined && (numberOf(record['seq']) ?? 0) <= through;
};

const started = (log: Log, payload: Fields): SessionFacts => {
	const {state} = log.reading;
	state.model = modelOf(payload) ?? state.model;
	log.startedAtMs ??= timeMs(payload['created_at_ms']);
	return placeFacts(payload);
};

const committed = (log: Log, payload: Fields, line: Line): SessionFacts => {
	const {turn} = payload;
	const promptAtMs = log.turns.size === 0 ? log.startedAtMs : undefined;
	log.turns.add(signatureOf(turn));
	turnEvents(log.reading, turn, {line, block: 0, promptAtMs});
	return totalFacts(payload);
};

const decode = (text: string): Fields | undefined =>
	parseRecord(Buffer.from(text, 'base64').toString('utf8')) ?? parseRecord(text);

/** Only turns that were not there before are new: a summary of what was removed, or all after the log was compacted. */
const replaced = (log: Log, _: Fields, line: Line): SessionFacts => {
	const chunks = log.chunks;
	log.chunks = [];
	const value = decode(chunks.join(''));
	const state = isRecord(value?.['state']) ? value['state'] : value;
	if (state === undefined) {
		const detail = 'a replaced state that could not be decoded';
		log.reading.batch.problem({code: 'bad-record', where: line.key, detail});
		return {};
	}
	let block = 0;
	for (const turn of listOf(state['history'])) {
		const signature = signatureOf(turn);
		if (log.turns.has(signature)) continue;
		log.turns.add(signature);
		block = turnEvents(log.reading, turn, {line, block});
	}
	return {...placeFacts(state), ...totalFacts(state)};
};

const CHUNK_FIELDS = ['data', 'chunk', 'bytes', 'payload'] as const;

const HANDLERS: Readonly<Record<string, (log: Log, payload: Fields, line: Line) => SessionFacts>> =
	{
		session_started: started,
		preferences_changed: ({reading}, payload) => {
			const model = modelOf(payload) ?? reading.state.model;
			reading.state.model = model;
			return model === null ? {} : {model};
		},
		workspace_rebound: (_, payload) => placeFacts(payload),
		history_turn_committed: committed,
		usage_checkpointed: (_, payload) => totalFacts(payload),
		recovery_checkpoint_set: () => ({}),
		recovery_checkpoint_cleared: () => ({}),
		state_replacement_started: log => {
			log.chunks = [];
			return {};
		},
		state_replacement_chunk: (log, payload) => {
			const text = CHUNK_FIELDS.map(name => textOf(payload[name])).find(part => part !== undefined);
			log.chunks.push(text ?? '');
			return {};
		},
		state_replacement_committed: replaced,
	};

const handle = (log: Log, record: Fields, line: Line): void => {
	const {batch} = log.reading;
	const kind = stringOf(record['kind']) ?? 'none';
	const handler = entryOf(HANDLERS, kind);
	if (handler === undefined) batch.unknown(kind.slice(0, 80));
	else batch.patch(handler(log, recordOf(record['payload']), line));
};

export function* readTurnLog(reading: Reading, source: Source): Generator<Batch> {
	const {batch, state, session} = reading;
	const marks = watermarks(source);
	const log: Log = {reading, turns: new Set(), chunks: [], startedAtMs: undefined};
	for (const item of readJsonLines(source.path)) {
		const {record, problem, number, offset, length} = item;
		if (batch.isFull()) yield batch.take({offset, lineNumber: number - 1, state: null});
		if (problem !== undefined) {
			batch.problem(problem);
			continue;
		}
		const id = textOf(record['event_id']);
		const key = id === undefined ? `L${number}` : eventKey(id);
		const atMs = timeMs(record['timestamp_ms']);
		const line: Line = {key, locator: {offset, length}, ...(atMs === undefined ? {} : {atMs})};
		// A newer fx has taken the session over and left the old files beside.
		if (isRecord(record['event'])) stepEvents(reading, record['event'], line);
		else if (isCommitted(record, marks)) handle(log, record, line);
	}
	batch.patch({
		...titleFacts(session, state.firstPrompt),
		...(session.isSubagent ? {isSubagent: true} : {}),
	});
	yield batch.take(END);
}
