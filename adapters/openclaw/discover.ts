/** Each agent of the gateway has a folder: a database, and logs of the time before it or out of its archive. */

import {join} from 'node:path';
import type {SessionFacts} from '../model.js';
import {databaseStamps, listDatabase} from '../shared/rows/sessions.js';
import {findFiles, listFolder} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source} from '../types.js';
import {type ListedWindow, listWindows} from './database.js';
import {type Indexed, sessionsIndex} from './sessions-index.js';

/** `<id>.jsonl`, `<id>-topic-<n>.jsonl`, `<id>.jsonl.reset.<time>.zst`, `cold/<id>.jsonl.zst`, … */
const LOG = /^(cold\/)?([^/]+?)\.jsonl(\.(?:reset|deleted)\.[^/]+)?(?:\.zst)?$/;
/** Named like a log, and none. */
const OTHER = /\.(?:trajectory|checkpoint)\b|\.(?:lock|bak|tmp)\b/;

/** Where a log stands; `Source.extra`. */
export interface Place {
	/** By the file's name: the header's own id counts. */
	readonly id: string;
	/** Session key, where the index knows it. */
	readonly key?: string;
}

const windowSource = (path: string, files: readonly FileStamp[], window: ListedWindow): Source => ({
	key: `${path}#${window.id}`,
	path,
	files,
	mode: 'replace',
	mark: window.mark,
	sessionId: window.id,
	...(window.hasTranscript ? {rank: 1} : {}),
});

/** Gives the ids of the sessions that the database has transcripts of. */
function* discoverDatabase(path: string): Generator<Discovered, ReadonlySet<string>> {
	const files = databaseStamps(path);
	if (files[0]?.path !== path) return new Set();
	const lacking = 'no tables session_windows and transcript_events';
	const windows = (yield* listDatabase(path, listWindows, lacking)) ?? [];
	for (const window of windows) yield {source: windowSource(path, files, window)};
	return new Set(windows.filter(({hasTranscript}) => hasTranscript).map(({id}) => id));
}

const logSource = (
	stamp: FileStamp,
	{id, isArchived, indexed}: {id: string; isArchived: boolean; indexed: Indexed | undefined},
): Source => {
	const place: Place = indexed === undefined ? {id} : {id, key: indexed.key};
	const outside: SessionFacts | undefined = isArchived ? {archived: true} : indexed?.facts;
	return {
		key: stamp.path,
		path: stamp.path,
		files: [stamp],
		mode: 'append',
		...(isArchived ? {preference: 1} : {}),
		...(outside === undefined ? {} : {outside}),
		extra: place,
	};
};

function* discoverLogs(folder: string, known: ReadonlySet<string>): Generator<Discovered> {
	const index = sessionsIndex(folder);
	const found = yield* findFiles(folder, {
		depth: 2,
		accept: file => LOG.test(file) && !OTHER.test(file),
		enter: file => file === 'cold',
	});
	for (const {relative, stamp} of found) {
		const [, cold, id, reason] = LOG.exec(relative) ?? [];
		// What the database has taken over is left here as a copy.
		if (id === undefined || known.has(id)) continue;
		const isArchived = cold !== undefined || reason !== undefined;
		yield {source: logSource(stamp, {id, isArchived, indexed: index.get(id)})};
	}
}

export function* discover(root: Root): Generator<Discovered> {
	const agents = join(root.path, 'agents');
	const listing = listFolder(agents);
	if (listing?.problem !== undefined) yield {problem: listing.problem};
	for (const entry of listing?.entries ?? []) {
		if (!entry.isDirectory()) continue;
		const folder = join(agents, entry.name);
		const known = yield* discoverDatabase(join(folder, 'agent', 'openclaw-agent.sqlite'));
		yield* discoverLogs(join(folder, 'sessions'), known);
	}
}
