import {partOf, readRaw} from '../adapters/shared/read-raw.js';
import {type Adapter, SourceUnreadable} from '../adapters/types.js';
import {findMirroredRecord} from '../store/archive/mirrored-record.js';
import type {Database} from '../store/open.js';
import {findEventSource} from '../store/raw.js';

/**
 * The raw record of an event as its agent wrote it: from the source, else from the mirror. Undefined when neither holds it any more.
 */
export const readRawEvent = (
	database: Database,
	adapters: readonly Adapter[],
	eventRowId: number,
): string | undefined =>
	fromSource(database, adapters, eventRowId) ?? fromMirror(database, eventRowId);

const fromSource = (
	database: Database,
	adapters: readonly Adapter[],
	eventRowId: number,
): string | undefined => {
	const found = findEventSource(database, eventRowId);
	const adapter = adapters.find(({id}) => id === found?.agent);
	if (found === undefined || adapter === undefined) return undefined;
	try {
		return readRaw(adapter, found.source, found.locator);
	} catch (error) {
		// Deleted or locked since the last pass.
		if (error instanceof SourceUnreadable) return undefined;
		throw error;
	}
};

const fromMirror = (database: Database, eventRowId: number): string | undefined => {
	const found = findMirroredRecord(database, eventRowId);
	if (found === undefined) return undefined;
	return 'text' in found ? found.text : partOf(found.document, found.pointer);
};
