/** What lies in a data folder of the CLI: one database, and trajectories that some builds export. */

import {join} from 'node:path';
import {databaseStamps, listDatabase} from '../shared/rows/sessions.js';
import {findFiles} from '../shared/walk.js';
import type {Discovered, FileStamp, Root, Source} from '../types.js';
import {type ListedSession, listSessions} from './database.js';
import type {Place} from './read.js';

const TRAJECTORY = /^([^/]+)\.json$/;

const sourcesOf = (
	path: string,
	files: readonly FileStamp[],
	{id, mark, agentIds}: ListedSession,
): readonly Source[] => {
	const base = {path, files, mode: 'replace', mark} as const;
	const agents = agentIds.map((agentId): Source => {
		const place: Place = {parentId: id, agentId};
		const sessionId = `${id}/${agentId}`;
		return {...base, key: `${path}#${sessionId}`, sessionId, extra: place};
	});
	return [{...base, key: `${path}#${id}`, sessionId: id}, ...agents];
};

/** Gives the ids of the sessions that the database has messages of; undefined when it cannot say. */
function* discoverDatabase(path: string): Generator<Discovered, ReadonlySet<string> | undefined> {
	const files = databaseStamps(path);
	if (files[0]?.path !== path) return new Set();
	const lacking = 'no tables sessions and message_nodes';
	const sessions = yield* listDatabase(path, listSessions, lacking);
	for (const session of sessions ?? [])
		for (const source of sourcesOf(path, files, session)) yield {source};
	if (sessions === undefined) return undefined;
	return new Set(sessions.filter(({hasMessages}) => hasMessages).map(({id}) => id));
}

/** Exports of sessions that the database has nothing of. */
function* discoverTrajectories(folder: string, known: ReadonlySet<string>): Generator<Discovered> {
	const found = yield* findFiles(folder, {
		depth: 1,
		accept: name => TRAJECTORY.test(name),
	});
	for (const {path, relative, stamp} of found) {
		const sessionId = TRAJECTORY.exec(relative)?.[1];
		if (sessionId === undefined || known.has(sessionId)) continue;
		// It has the content: what the database says of the session only fills in.
		const preference = -1;
		yield {source: {key: path, path, files: [stamp], mode: 'replace', sessionId, preference}};
	}
}

export function* discover(root: Root): Generator<Discovered> {
	const known = yield* discoverDatabase(join(root.path, 'sessions.db'));
	// As long as the database cannot be read, nothing is known of its sessions.
	if (known !== undefined) yield* discoverTrajectories(join(root.path, 'transcripts'), known);
}
