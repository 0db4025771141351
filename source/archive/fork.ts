import {createHash, randomUUID} from 'node:crypto';
import {importSession} from '../../store/import.js';
import type {Library} from '../../store/library.js';
import type {Database} from '../../store/open.js';
import type {EventView, SessionRef, SessionView} from '../../store/types.js';
import {lineOf, wholeText} from '../commands/events.js';
import {UsageError} from '../errors.js';
import {archiveBatches} from '../import/archive.js';
import {version} from '../version.js';
import {bufferContent} from './contents.js';
import {archiveDocument, archiveText} from './document.js';

export interface ForkContext {
	readonly database: Database;
	readonly library: Library;
	/** Data folder. */
	readonly folder: string;
	readonly home: string;
	readonly nowMs: number;
}

/**
 * A new session of our own out of the line of another one, up to an event (with it) or whole. The other one stays as it is.
 * @throws AppError, StoreError
 */
export const makeFork = (
	{database, library, folder, home, nowMs}: ForkContext,
	{session, end}: {readonly session: SessionView; readonly end?: EventView | undefined},
): SessionRef => {
	const forkOf = end?.ref ?? session.ref;
	const archive = archiveDocument({
		session,
		events: upTo(lineOf(library, session), end),
		textOf: event => wholeText(database, event) ?? event.text,
		sha256: null,
		exporter: `backscroll ${version}`,
		nowMs,
		forkOf,
	});
	const bytes = Buffer.from(archiveText(archive));
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	const nativeId = `fork-${randomUUID()}`;
	// It lies nowhere but in our own copy.
	const path = `${nativeId}.json`;
	return importSession(
		database,
		{
			nativeId,
			provenance: {
				format: 'archive',
				agent: session.agent,
				originalId: session.id,
				path,
				sha256,
				importedAt: new Date(nowMs).toISOString(),
				forkOf,
			},
			batches: archiveBatches(archive, path),
			content: bufferContent(bytes, {path, root: '', kind: 'import', stamp: sha256}),
		},
		{folder, home, nowMs},
	).ref;
};

/** The line of a session up to an event. @throws UsageError when the event is not in it */
const upTo = (events: Iterable<EventView>, end: EventView | undefined): readonly EventView[] => {
	const line = [...events];
	if (end === undefined) return line;
	const place = line.findIndex(({rowId}) => rowId === end.rowId);
	if (place < 0) throw new UsageError(`${end.ref} is no event of this session`);
	return line.slice(0, place + 1);
};
