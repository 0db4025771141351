/** A log that lies anywhere, or what `muse export` makes of one: the same records, each in an `envelope`. */

import {foreignBy} from '../shared/foreign.js';
import {at, isRecord, listOf, textOf} from '../shared/narrow.js';
import type {ForeignPlace} from '../types.js';

type Json = Readonly<Record<string, unknown>>;

const placeOf = (id: string): string => `sessions/0000/00/00/${id}/session.jsonl`;

const log = foreignBy({
	idIn: ({stream, payload_type: type}) =>
		textOf(type) !== undefined && at(stream, 'kind') === 'session' && at(stream, 'id'),
	at: placeOf,
});

/** Records without a stream of their own belong to the session. */
const recordsOf = (document: Json): NonNullable<ForeignPlace['records']> =>
	listOf(document['events']).flatMap((event, index) => {
		const record = at(event, 'envelope');
		return isRecord(record) ? [{pointer: `/events/${index}/envelope`, record}] : [];
	});

const exported = (document: Json | undefined): ForeignPlace | undefined => {
	if (document?.['export_schema_version'] !== 1) return undefined;
	const id = textOf(at(listOf(document['sessions'])[0], 'session_id'));
	const place = log([{payload_type: 'export', stream: {kind: 'session', id}}], 'export');
	return place && {...place, records: recordsOf(document)};
};

export const foreign = (head: readonly Json[], name: string): ForeignPlace | undefined =>
	exported(head[0]) ?? log(head, name);
