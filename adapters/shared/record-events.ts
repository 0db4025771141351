/** Events of one record of a log, which share its place and time. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import {compact} from './compact.js';
import {capText} from './content.js';

export interface RecordPlace {
	/** Its own id, else the line: stable as long as the file is not rewritten. */
	readonly id: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
}

/** A text as it is, or one that is cut already. */
type Text = string | Pick<AdapterEvent, 'text' | 'fullLength'>;

export type EventFields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength'>;

/** The event of one block of a record. */
export const eventOf = (
	{id, atMs, locator}: RecordPlace,
	{block = 0, text}: {readonly block?: number; readonly text: Text},
	fields: EventFields,
): AdapterEvent =>
	compact({
		key: eventKey(id, block),
		...fields,
		atMs,
		...(typeof text === 'string' ? capText(text) : text),
		locator,
	});

/** A note that nobody typed; nothing to say gives none. */
export const noteEvents = (
	place: RecordPlace,
	text: string | undefined,
	kind: 'meta' | 'summary' = 'meta',
): readonly AdapterEvent[] =>
	text === undefined || text.trim() === '' ? [] : [eventOf(place, {text}, {kind})];
