/** A rollout that lies anywhere, recognised by its header. */

import {foreignBy} from '../shared/foreign.js';
import {at, isRecord, recordOf} from '../shared/narrow.js';

type Json = Readonly<Record<string, unknown>>;

const isDocument = ({session, items}: Json): boolean => isRecord(session) && Array.isArray(items);

const headerId = (record: Json): unknown => {
	if (record['type'] === 'session_meta') return recordOf(record['payload'])['id'];
	// Before the envelope (early 2025) the header was the bare first line, or the `session` of a document.
	if (isDocument(record)) return at(record, 'session', 'id');
	return 'instructions' in record && 'timestamp' in record ? record['id'] : undefined;
};

export const foreign = foreignBy({
	idIn: headerId,
	at: (id, record) => `sessions/rollout-0000-${id}.${isDocument(record) ? 'json' : 'jsonl'}`,
});
