/** A log that lies anywhere. The session's id and directory stand in a manifest that is not there: the name of the file has to do. */

import {foreignBy} from '../shared/foreign.js';
import {isRecord} from '../shared/narrow.js';
import type {ForeignPlace} from '../types.js';

const log = foreignBy({
	idIn: ({seq, event, schema_version: version}) =>
		typeof seq === 'number' && typeof version === 'number' && isRecord(event),
	at: id => `sessions/${id}/events.jsonl`,
});

export const foreign: typeof log = (head, name): ForeignPlace | undefined => {
	const place = log(head, name);
	if (place === undefined) return undefined;
	return {
		...place,
		beside: {[place.at.replace('events.jsonl', 'session.json')]: {schema_version: 4}},
	};
};
