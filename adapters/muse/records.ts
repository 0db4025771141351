/** Records by their type. */

import {eventKey, type Locator} from '../model.js';
import {compact} from '../shared/compact.js';
import {firstText, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {timeMs} from '../shared/time.js';
import {intent} from './prompts.js';
import {RUN_HANDLERS} from './runs.js';
import type {Reading, Row} from './state.js';

type Handler = (reading: Reading, row: Row) => void;

const run: Handler = (reading, row) => {
	const kind = `${stringOf(row.payload['kind']) ?? 'none'}/${stringOf(row.event['kind']) ?? 'none'}`;
	const handler = RUN_HANDLERS.get(kind);
	if (handler !== undefined) handler(reading, row);
	// Steps of a compaction before it is done.
	else if (!kind.startsWith('run/context_compaction_')) reading.batch.unknown(kind.slice(0, 80));
};

/** Fields stand in the payload or in a record within it. */
const fieldOf = ({payload}: Row, ...names: readonly string[]): string | undefined =>
	firstText(payload['record'], names) ?? firstText(payload, names);

const directory =
	(kind: string, name: string): Handler =>
	({state}, row) => {
		const path = fieldOf(row, name);
		if (path !== undefined) state.directories = {...state.directories, [kind]: path};
	};

/** Kinds of records that state the directory, the most trusted first. */
export const DIRECTORY_KINDS = ['metadata', 'route', 'branch'] as const;

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
	['runtime.session', run],
	['runtime.user_intent.accepted', intent],
	['runtime.session.metadata', directory('metadata', 'workspace_root')],
	['runtime.session.route_facts', directory('route', 'cwd')],
	[
		'session.workspace_branch.observed',
		(reading, row) => {
			directory('branch', 'workspace_root')(reading, row);
			reading.state.branch = fieldOf(row, 'branch', 'branch_name') ?? reading.state.branch;
		},
	],
	[
		'session.name.changed',
		({state}, row) => {
			state.name = fieldOf(row, 'new_name') ?? state.name;
		},
	],
	[
		'run.model.configured',
		({state}, row) => {
			state.model = fieldOf(row, 'model_id') ?? state.model;
		},
	],
]);

/** The log of a session also holds streams of tasks: they are not part of the talk. */
const isOwn = ({sessionId}: Reading, record: Record<string, unknown>): boolean => {
	const {stream} = record;
	return !isRecord(stream) || stream['id'] === sessionId;
};

interface Place {
	/** Key of a record without an id of its own. */
	readonly fallback: string;
	readonly locator: Locator;
}

export const handleRecord = (
	reading: Reading,
	record: Record<string, unknown>,
	{fallback, locator}: Place,
): void => {
	if (!isOwn(reading, record)) return;
	const {batch, state} = reading;
	const type = stringOf(record['payload_type']) ?? 'none';
	const id = textOf(record['id']);
	const payload = recordOf(record['payload']);
	const atMs = timeMs(record['recorded_at']);
	state.bornAtMs ??= atMs ?? null;
	const handler = HANDLERS.get(type);
	if (handler === undefined) {
		batch.unknown(type.slice(0, 80));
		return;
	}
	const key = id === undefined ? fallback : eventKey(id);
	const event = recordOf(payload['event']);
	handler(reading, compact({payload, event, runId: textOf(payload['run_id']), key, atMs, locator}));
};

/** A line is a record, or a frame that holds some again: those that were there before only repeat themselves. */
export const handleLine = (
	reading: Reading,
	line: Record<string, unknown>,
	{number, locator}: {readonly number: number; readonly locator: Locator},
): void => {
	if (line['retained_marker'] !== undefined) return;
	if (line['retained_frame'] === undefined) {
		handleRecord(reading, line, {fallback: `L${number}`, locator});
		return;
	}
	for (const [index, child] of listOf(line['children']).entries()) {
		const text = stringOf(recordOf(child)['record_json']) ?? '';
		const record = parseRecord(text);
		const where = `line ${number}, record ${index + 1} of the frame`;
		const detail = 'not a JSON object';
		if (record === undefined) reading.batch.problem({code: 'malformed-line', where, detail});
		else handleRecord(reading, record, {fallback: `L${number}.${index}`, locator});
	}
};
