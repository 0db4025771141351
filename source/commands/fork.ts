import {createHash, randomUUID} from 'node:crypto';
import {importSession} from '../../store/import.js';
import type {Library} from '../../store/library.js';
import type {EventView, SessionView} from '../../store/types.js';
import {bufferContent} from '../archive/contents.js';
import {archiveDocument, archiveText} from '../archive/document.js';
import {EXIT, UsageError} from '../errors.js';
import {archiveBatches} from '../import/archive.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {version} from '../version.js';
import type {Invocation} from './command.js';
import {lineOf, wholeText} from './events.js';
import {type History, withHistory} from './history.js';
import {printJson, printLines} from './output.js';
import {onlyReference, resolved} from './references.js';
import {fullSession} from './session-json.js';
import type {forkFlags} from './table.js';

type ForkInvocation = Invocation<typeof forkFlags>;

export const run = (invocation: ForkInvocation): Promise<number> => {
	const {flags, words, rest, config} = invocation;
	const reference = onlyReference([...words, ...rest], 'fork');
	return withHistory(invocation, history => {
		const {library} = history;
		const found = resolved(library, reference);
		const last = flags.at === undefined ? undefined : eventAt(library, found.session, flags.at);
		const end = last ?? (found.found === 'event' ? found.event : undefined);
		const ref = forked(invocation, history, {session: found.session, end});
		const made = resolved(library, ref).session;
		if (flags.json) printJson({schemaVersion: 1, session: fullSession(made, config.flags)});
		else printLines([sanitizeLine(ref)]);
		return EXIT.done;
	});
};

/** The event that `--at` means: a reference, or a key of the session. @throws UsageError */
const eventAt = (library: Library, session: SessionView, text: string): EventView => {
	const event =
		library.event(`${session.ref}:${text}`) ?? library.event(text) ?? byReference(library, text);
	if (event === undefined) throw new UsageError(`--at ${text}: no event is called so`);
	return event;
};

const byReference = (library: Library, text: string): EventView | undefined => {
	const found = library.resolve(text);
	return found.found === 'event' ? found.event : undefined;
};

/** The line of a session up to an event. @throws UsageError when the event is not in it */
const upTo = (events: Iterable<EventView>, end: EventView | undefined): readonly EventView[] => {
	const line = [...events];
	if (end === undefined) return line;
	const place = line.findIndex(({rowId}) => rowId === end.rowId);
	if (place < 0) throw new UsageError(`${end.ref} is no event of this session`);
	return line.slice(0, place + 1);
};

const forked = (
	{host, paths}: ForkInvocation,
	{database, library}: History,
	{session, end}: {readonly session: SessionView; readonly end: EventView | undefined},
): string => {
	const forkOf = end?.ref ?? session.ref;
	const archive = archiveDocument({
		session,
		events: upTo(lineOf(library, session), end),
		textOf: event => wholeText(database, event) ?? event.text,
		sha256: null,
		exporter: `backscroll ${version}`,
		nowMs: host.now(),
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
				importedAt: new Date(host.now()).toISOString(),
				forkOf,
			},
			batches: archiveBatches(archive, path),
			content: bufferContent(bytes, {path, root: '', kind: 'import', stamp: sha256}),
		},
		{folder: paths.dataFolder, home: host.home, nowMs: host.now()},
	).ref;
};
