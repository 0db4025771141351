import {createBatch} from '../../adapters/shared/batch.js';
import {compact} from '../../adapters/shared/compact.js';
import {type JsonLine, readJsonLines} from '../../adapters/shared/jsonl.js';
import {isRecord, recordOf, stringOf, textOf} from '../../adapters/shared/narrow.js';
import {timeMs} from '../../adapters/shared/time.js';
import {
	type AdapterEvent,
	type Batch,
	type EventKind,
	eventKey,
	type Problem,
} from '../../adapters/types.js';

/** Custom History, a JSONL exchange format of sessions: `{record_type: manifest | source | session | event | …}`. */
const CUSTOM_HISTORY_VERSION = 'ctx-history-jsonl-v1';

type Json = Readonly<Record<string, unknown>>;

interface CustomSession {
	readonly agent: string;
	readonly id: string;
	readonly batches: readonly Batch[];
}

export interface CustomHistory {
	readonly sessions: readonly CustomSession[];
	/** Records that could not be taken, with their line. */
	readonly problems: readonly Problem[];
}

interface Line {
	readonly record: Json;
	readonly place: Pick<JsonLine, 'number' | 'offset' | 'length'>;
}

const AGENT = /^[a-z0-9][a-z0-9._-]{0,127}$/;
const KNOWN_RECORDS = new Set([
	'manifest',
	'source',
	'session',
	'event',
	'file_reference',
	'file_touch',
	'edge',
]);

export const isCustomHistory = (head: readonly Json[]): boolean =>
	head.some(record => record['record_type'] === 'manifest');

/**
 * Reads a file. A bad record costs itself only; a missing or foreign manifest costs the file.
 * @returns the reason when it is not to be read at all
 */
export const readCustomHistory = (path: string): CustomHistory | {readonly reason: string} => {
	const problems: Problem[] = [];
	const byType = new Map<string, Line[]>();
	for (const line of readJsonLines(path, {offset: 0, lineNumber: 0})) {
		if (line.problem !== undefined) {
			problems.push(line.problem);
			continue;
		}
		const type = stringOf(line.record['record_type']) ?? '';
		if (!KNOWN_RECORDS.has(type)) {
			problems.push(bad(line, `record type ${JSON.stringify(type)} is not known`));
			continue;
		}
		const lines = byType.get(type) ?? [];
		lines.push({record: line.record, place: line});
		byType.set(type, lines);
	}
	const manifests = byType.get('manifest') ?? [];
	if (manifests.length !== 1) return {reason: `${manifests.length} manifests, there has to be one`};
	const version = manifests[0]?.record['schema_version'];
	if (version !== CUSTOM_HISTORY_VERSION)
		return {reason: `schema version ${JSON.stringify(version)} is not ${CUSTOM_HISTORY_VERSION}`};
	const isNative = manifests[0]?.record['lineage_contract'] === 'provider_native_v1';
	return {sessions: sessionsOf(byType, problems, isNative), problems};
};

const bad = ({number}: {readonly number: number}, detail: string): Problem => ({
	code: 'bad-record',
	where: `line ${number}`,
	detail,
});

const keyOf = (record: Json): string => `${record['source_id']}\0${record['session_id']}`;

const sessionsOf = (
	byType: ReadonlyMap<string, readonly Line[]>,
	problems: Problem[],
	isNative: boolean,
): readonly CustomSession[] => {
	const agents = new Map<unknown, string>();
	for (const {record, place} of byType.get('source') ?? []) {
		const agent = textOf(record['provider_key']);
		if (agent !== undefined && AGENT.test(agent)) agents.set(record['source_id'], agent);
		else problems.push(bad(place, 'a source needs a provider_key'));
	}
	const events = new Map<string, Line[]>();
	for (const {record, place} of byType.get('session') ?? []) {
		const isWhole = agents.has(record['source_id']) && textOf(record['session_id']) !== undefined;
		if (!isWhole) problems.push(bad(place, 'a session of a source that is not there'));
		else if (events.has(keyOf(record)))
			problems.push(bad(place, 'a session that is there already'));
		else events.set(keyOf(record), []);
	}
	for (const line of byType.get('event') ?? []) {
		const index = line.record['event_index'];
		const of = events.get(keyOf(line.record));
		if (!Number.isSafeInteger(index) || Number(index) < 0)
			problems.push(bad(line.place, 'event_index is no whole number'));
		else if (of === undefined)
			problems.push(bad(line.place, 'an event of a session that is not there'));
		else of.push(line);
	}
	const copied = isNative ? copiedEvents(byType.get('session') ?? [], events) : new Set<Json>();
	const seen = new Set<string>();
	return (byType.get('session') ?? []).flatMap(({record}) => {
		const key = keyOf(record);
		const own = events.get(key);
		if (own === undefined || seen.has(key)) return [];
		seen.add(key);
		const agent = agents.get(record['source_id']) as string;
		return [
			sessionOf(
				record,
				agent,
				own.filter(line => !copied.has(line.record)),
			),
		];
	});
};

/**
 * Events that a fork states to have from an ancestor of the same file, which holds them too. Only what is proved counts: whoever
 * claims more keeps the event.
 */
const copiedEvents = (
	sessions: readonly Line[],
	events: ReadonlyMap<string, readonly Line[]>,
): ReadonlySet<Json> => {
	const byNativeId = new Map<string, Json[]>();
	for (const {record} of sessions) {
		const id = `${record['source_id']}\0${record['native_session_id']}`;
		byNativeId.set(id, [...(byNativeId.get(id) ?? []), record]);
	}
	const bySession = new Map(sessions.map(({record}) => [keyOf(record), record]));
	const copied = new Set<Json>();
	for (const [key, lines] of events) {
		const child = bySession.get(key);
		if (child === undefined || textOf(child['native_session_id']) === undefined) continue;
		for (const {record} of lines) {
			const claim = recordOf(record['copied_from']);
			const named = byNativeId.get(
				`${record['source_id']}\0${claim['ancestor_native_session_id']}`,
			);
			const [ancestor] = named ?? [];
			if (named?.length !== 1 || ancestor === undefined) continue;
			const originals = (events.get(keyOf(ancestor)) ?? []).filter(
				line => line.record['event_id'] === claim['ancestor_event_id'],
			);
			const isProved =
				PROOFS.has(String(claim['proof'])) &&
				textOf(record['event_id']) !== undefined &&
				(claim['proof'] !== 'native_event_identity' ||
					record['event_id'] === claim['ancestor_event_id']);
			if (isProved && originals.length === 1 && isAncestor(child, ancestor, bySession))
				copied.add(record);
		}
	}
	return copied;
};

const PROOFS = new Set([
	'native_event_identity',
	'native_copied_from_field',
	'native_call_result_identity',
]);

const isAncestor = (child: Json, ancestor: Json, bySession: ReadonlyMap<string, Json>): boolean => {
	const seen = new Set<Json>();
	let at: Json | undefined = child;
	while (at !== undefined && !seen.has(at)) {
		seen.add(at);
		if (at['session_relationship'] === 'root') return false;
		at = bySession.get(`${at['source_id']}\0${at['parent_session_id']}`);
		if (at === ancestor) return true;
	}
	return false;
};

const sessionOf = (session: Json, agent: string, lines: readonly Line[]): CustomSession => {
	const id = stringOf(session['session_id']) ?? '';
	const batch = createBatch(id);
	const startedMs = timeMs(session['started_at']);
	batch.patch(
		compact({
			cwd: textOf(session['cwd']),
			createdAtMs: startedMs,
			updatedAtMs: timeMs(session['ended_at']) ?? startedMs,
		}),
	);
	const sorted = lines.toSorted(
		(a, b) => Number(a.record['event_index']) - Number(b.record['event_index']),
	);
	const seen = new Set<string>();
	for (const line of sorted) {
		const event = eventOf(line);
		// The same id twice: the second one is known by its place.
		const key = seen.has(event.key) ? `L${line.place.number}` : event.key;
		seen.add(key);
		batch.event({...event, key});
	}
	return {agent, id, batches: [batch.take({offset: 0, lineNumber: 0, state: null})]};
};

const KINDS: Readonly<Record<string, EventKind>> = {
	tool_call: 'tool_use',
	command_started: 'tool_use',
	tool_output: 'tool_result',
	command_output: 'tool_result',
	summary: 'summary',
};
const REASONING = new Set<unknown>(['reasoning', 'thinking']);

const kindOf = (record: Json, payload: Json): EventKind => {
	if (REASONING.has(payload['kind']) || REASONING.has(payload['type'])) return 'reasoning';
	const type = stringOf(record['event_type']) ?? 'notice';
	if (type !== 'message') return KINDS[type] ?? 'meta';
	return record['role'] === 'user' || record['role'] === 'assistant' ? 'message' : 'meta';
};

const eventOf = ({record, place}: Line): AdapterEvent => {
	const payload = recordOf(record['payload']);
	const kind = kindOf(record, payload);
	const name = textOf(payload['tool']) ?? textOf(payload['name']);
	const isTool = kind === 'tool_use' || kind === 'tool_result';
	return compact({
		key: eventKey(textOf(record['event_id']) ?? String(record['event_index'])),
		kind,
		role: kind === 'message' ? (record['role'] as 'user' | 'assistant') : undefined,
		atMs: timeMs(record['occurred_at']),
		text: textOfEvent(record, payload),
		tool: isTool && name !== undefined ? {name} : undefined,
		locator: {offset: place.offset, length: place.length},
	});
};

const textOfEvent = (record: Json, payload: Json): string => {
	const stated = textOf(payload['text']) ?? textOf(record['payload']);
	if (stated !== undefined) return stated;
	const input = payload['args'] ?? payload['input'] ?? payload['command'];
	if (typeof input === 'string') return input;
	if (isRecord(input)) return JSON.stringify(input);
	return textOf(record['preview']) ?? (isRecord(record['payload']) ? JSON.stringify(payload) : '');
};
