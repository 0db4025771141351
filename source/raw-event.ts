import {readRaw} from '../adapters/shared/read-raw.js';
import type {Adapter} from '../adapters/types.js';
import type {Database} from '../store/open.js';
import {findEventSource} from '../store/raw.js';

/**
 * The raw record of an event as its agent wrote it. Undefined when the source is not there any more, or no longer holds it.
 */
export const readRawEvent = (
	database: Database,
	adapters: readonly Adapter[],
	eventRowId: number,
): string | undefined => {
	const found = findEventSource(database, eventRowId);
	const adapter = adapters.find(({id}) => id === found?.agent);
	if (found === undefined || adapter === undefined) return undefined;
	return readRaw(adapter, found.source, found.locator);
};
