/** Which record of a file holds a byte. */
import type {EventPlace} from '../../store/read/scan-sources.js';

/** A line or row that one or several events were made of. */
export interface RawRecord {
	readonly offset: number;
	readonly length: number;
	readonly events: readonly EventPlace[];
}

/** The records of a file in their order; events that lie elsewhere are left out. */
export const recordsIn = (
	path: string,
	primary: string,
	places: readonly EventPlace[],
): readonly RawRecord[] => {
	const records = new Map<number, {offset: number; length: number; events: EventPlace[]}>();
	for (const place of places) {
		const {locator} = place;
		if (!('offset' in locator) || (locator.path ?? primary) !== path) continue;
		const {offset, length} = locator;
		const known = records.get(offset);
		if (known === undefined) records.set(offset, {offset, length, events: [place]});
		else known.events.push(place);
	}
	return [...records.values()].toSorted((a, b) => a.offset - b.offset);
};

/** The record with the byte, else the last one before it, else the first. */
export const recordAt = (records: readonly RawRecord[], offset: number): RawRecord | undefined => {
	let [low, high] = [0, records.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((records[middle] as RawRecord).offset <= offset) low = middle + 1;
		else high = middle;
	}
	return records[Math.max(0, low - 1)];
};
