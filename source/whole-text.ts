/** The text of an event beyond what the store keeps of it. */
import {listOf} from '../adapters/shared/narrow.js';
import type {Adapter} from '../adapters/types.js';
import type {Database} from '../store/open.js';
import type {EventView} from '../store/types.js';
import {readRawEvent} from './raw-event.js';

/** The strings of a record, wherever they lie; depth bounded, since a record may be hostile. */
export const stringsIn = (value: unknown, depth = 0): readonly string[] => {
	if (typeof value === 'string') return [value];
	if (value === null || typeof value !== 'object' || depth > 20) return [];
	const parts = Array.isArray(value) ? listOf(value) : Object.values(value);
	return parts.flatMap(part => stringsIn(part, depth + 1));
};

const comparedLength = 200;

/** The string of a raw record that the stored text was cut from; else the whole record. */
export const wholeTextOf = (raw: string, event: Pick<EventView, 'text'>): string => {
	const head = event.text.slice(0, comparedLength);
	try {
		const fitting = stringsIn(JSON.parse(raw))
			.filter(text => text.startsWith(head))
			.sort((a, b) => b.length - a.length);
		return fitting[0] ?? raw;
	} catch {
		return raw; // no JSON: the record is the text
	}
};

/** Whole text of an event whose stored text is cut; undefined when its record is not there any more. */
export const readWholeText = (
	database: Database,
	adapters: readonly Adapter[],
	event: Pick<EventView, 'rowId' | 'text'>,
): string | undefined => {
	const raw = readRawEvent(database, adapters, event.rowId);
	return raw === undefined ? undefined : wholeTextOf(raw, event);
};
