/** Lines of a rollout by their type, in each of the forms that Codex has written. */

import {eventKey, type Locator} from '../model.js';
import {isRecord, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {compacted, eventMessage} from './events.js';
import {headerOf} from './header.js';
import {isItemType, responseItem} from './items.js';
import {type Line, type LineHandler, pushBounded, type Reading} from './state.js';
import {usageRecord} from './usage.js';

const MAX_DIRECTORIES = 50;
const MAX_ID_LENGTH = 200;

/** A record and where it lies. */
export interface Place {
	/** From 1. */
	readonly number: number;
	readonly locator: Locator;
	readonly cutLength?: number;
}

const addDirectory = (known: readonly string[], path: string): readonly string[] =>
	known.includes(path) ? known : pushBounded(known, path, MAX_DIRECTORIES);

/** Only the first header is the session's own. If it was damaged, a later one counts if it has the id in the file's name. */
const header = (reading: Reading, line: Line, number: number): void => {
	const {state, source} = reading;
	const stated = headerOf(line.payload, line.atMs);
	const isOwn = number === 1 || source.sessionId === undefined || stated.id === source.sessionId;
	if (state.header === null && isOwn) {
		state.header = stated;
		if (stated.id !== undefined) reading.batch.setSession(stated.id);
		return;
	}
	const {cwd} = stated.facts;
	if (typeof cwd === 'string') state.copiedCwds = addDirectory(state.copiedCwds, cwd);
};

const turnContext: LineHandler = ({state}, {payload}) => {
	state.model = textOf(payload['model']) ?? state.model;
	const cwd = textOf(payload['cwd']);
	if (cwd === undefined || state.copiedCwds.includes(cwd)) return;
	state.directories = addDirectory(state.directories, cwd);
};

const LINES: ReadonlyMap<string, LineHandler> = new Map([
	['turn_context', turnContext],
	['response_item', responseItem],
	['event_msg', eventMessage],
	['compacted', compacted],
	['token_usage_record', usageRecord],
]);

/** State of the program, and what agents tell each other; nothing of the talk. */
const IGNORED: ReadonlySet<string> = new Set([
	'world_state',
	'retained_context',
	'security_risk_score',
	'realtime_item',
	'inter_agent_communication',
	'inter_agent_communication_metadata',
]);

/** Ordinals count the lines of a file since 0.171; before that an item may have an id. */
const keyOf = (record: Record<string, unknown>, id: unknown, number: number): string => {
	const ordinal = numberOf(record['ordinal']);
	if (Number.isSafeInteger(ordinal)) return `o${ordinal}`;
	const native = textOf(id);
	const isUsable = native !== undefined && native.length <= MAX_ID_LENGTH;
	return isUsable ? eventKey(native) : `L${number}`;
};

const lineOf = (
	record: Record<string, unknown>,
	payload: Record<string, unknown>,
	{number, locator, cutLength}: Place,
): Line => {
	const atMs = timeMs(record['timestamp']);
	return {
		payload,
		metadata: recordOf(record['metadata']),
		key: keyOf(record, payload['id'], number),
		...(atMs === undefined ? {} : {atMs}),
		locator,
		...(cutLength === undefined ? {} : {cutLength}),
	};
};

/** `{"type", "payload"}`: every version since 2025-08. */
const handleEnvelope = (reading: Reading, record: Record<string, unknown>, place: Place): void => {
	const type = stringOf(record['type']) ?? '';
	const handler = LINES.get(type);
	if (type !== 'session_meta' && handler === undefined) {
		if (!IGNORED.has(type)) reading.batch.unknown(type);
		return;
	}
	const {payload} = record;
	if (!isRecord(payload)) {
		const where = `line ${place.number}`;
		reading.batch.problem({code: 'bad-record', where, detail: `${type} without a payload`});
		return;
	}
	const line = lineOf(record, payload, place);
	if (line.atMs !== undefined) reading.state.lastAtMs = line.atMs;
	if (handler === undefined) header(reading, line, place.number);
	else handler(reading, line);
};

/** Hands a record to its handler. Before 2025-08 a header has no type, items no envelope, and state lines a `record_type`. */
export const handleRecord = (
	reading: Reading,
	record: Record<string, unknown>,
	place: Place,
): void => {
	const type = stringOf(record['type']);
	if (type === undefined && record['record_type'] !== undefined) return;
	if (type === undefined && textOf(record['id']) !== undefined) {
		header(reading, lineOf(record, record, place), place.number);
	} else if (type !== undefined && record['payload'] === undefined && isItemType(type)) {
		responseItem(reading, lineOf(record, record, place));
	} else handleEnvelope(reading, record, place);
};

/** True for a message of the talk that went to or came from the model. */
export const isItemMessage = (record: Record<string, unknown>): boolean => {
	const item = record['type'] === 'response_item' ? recordOf(record['payload']) : record;
	return item['type'] === 'message' && (item['role'] === 'user' || item['role'] === 'assistant');
};
