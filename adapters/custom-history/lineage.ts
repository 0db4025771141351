/**
 * Events that a fork states to have from an ancestor in the same file (contract `provider_native_v1`). Only what is proved is a copy:
 * whoever claims more keeps the event.
 */

import {readJsonLines} from '../shared/jsonl.js';
import {recordOf, textOf} from '../shared/narrow.js';
import {isIndex, type Json, keyOf, type Place} from './records.js';

const PROOFS: ReadonlySet<unknown> = new Set([
	'native_event_identity',
	'native_copied_from_field',
	'native_call_result_identity',
]);

interface File {
	readonly sessions: ReadonlyMap<string, Json>;
	/** Ids of the source's events by session, as often as they occur. */
	readonly events: ReadonlyMap<string, readonly unknown[]>;
}

const fileOf = (path: string, {sourceId}: Place): File => {
	const sessions = new Map<string, Json>();
	const events = new Map<string, unknown[]>();
	for (const {record} of readJsonLines(path)) {
		if (record?.['source_id'] !== sourceId) continue;
		const key = keyOf(record);
		if (record['record_type'] === 'session' && !sessions.has(key)) sessions.set(key, record);
		if (record['record_type'] === 'event' && isIndex(record['event_index']))
			events.set(key, [...(events.get(key) ?? []), record['event_id']]);
	}
	return {sessions, events};
};

const isAncestor = (child: Json, ancestor: Json, {sessions}: File): boolean => {
	const seen = new Set<Json>();
	let place: Json | undefined = child;
	while (place !== undefined && !seen.has(place)) {
		seen.add(place);
		if (place['session_relationship'] === 'root') return false;
		const {source_id, parent_session_id: session_id} = place;
		place = sessions.get(keyOf({source_id, session_id}));
		if (place === ancestor) return true;
	}
	return false;
};

const occursOnce = (ids: readonly unknown[], id: unknown): boolean =>
	textOf(id) !== undefined && ids.indexOf(id) >= 0 && ids.indexOf(id) === ids.lastIndexOf(id);

const isProved = (session: Json, event: Json, file: File): boolean => {
	const {proof, ...claim} = recordOf(event['copied_from']);
	const {ancestor_native_session_id: nativeId, ancestor_event_id: ancestorEvent} = claim;
	if (!PROOFS.has(proof) || textOf(nativeId) === undefined) return false;
	const named = [...file.sessions.values()].filter(one => one['native_session_id'] === nativeId);
	const own = [...file.sessions.values()].filter(
		one => one['native_session_id'] === session['native_session_id'],
	);
	const [ancestor] = named;
	if (named.length !== 1 || own.length !== 1 || ancestor === undefined) return false;
	if (textOf(session['native_session_id']) === undefined) return false;
	return (
		occursOnce(file.events.get(keyOf(session)) ?? [], event['event_id']) &&
		occursOnce(file.events.get(keyOf(ancestor)) ?? [], ancestorEvent) &&
		(proof !== 'native_event_identity' || event['event_id'] === ancestorEvent) &&
		isAncestor(session, ancestor, file)
	);
};

/** What a session has of its own; of a fork that never went on, its copies. The file is read once more, only for one that claims copies. */
export const withoutCopies = <T extends {readonly record: Json}>(
	events: readonly T[],
	{path, place, session}: {readonly path: string; readonly place: Place; readonly session: Json},
): readonly T[] => {
	if (!place.isNative || !events.some(({record}) => 'copied_from' in record)) return events;
	const file = fileOf(path, place);
	const own = events.filter(
		({record}) => !('copied_from' in record && isProved(session, record, file)),
	);
	return own.length > 0 ? own : events;
};
