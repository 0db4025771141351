/**
 * Sessions as JSON documents, one for each session, message and part: OpenCode before 1.2.0 (2026-02), and its forks of that time.
 * `session/<project>/<session>.json`, `message/<session>/<message>.json`, `part/<message>/<part>.json`; in mid-2025
 * `session/{info/<session>.json,message/<session>/<message>.json,part/<session>/<message>/<part>.json}`, a tree for each project.
 */

import {basename, dirname, join} from 'node:path';
import type {Problem} from '../../model.js';
import {type Batch, type Discovered, type Source, SourceUnreadable} from '../../types.js';
import {createBatch} from '../batch.js';
import {readJsonFile} from '../json-file.js';
import {at, isRecord, recordOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import {findFiles, listFolder, stampOf} from '../walk.js';
import {type Dialect, readSession} from './read.js';
import type {Json, Report, StoredMessage, StoredPart} from './records.js';

/** A database of the same agent has the newer copy of a session. */
const RANK = -1;

interface Places {
	/** Document of the session. */
	readonly session: string;
	readonly messages: string;
	parts(messageId: string): string;
	/** Folder of `project/<project>.json`; the older layout has none. */
	readonly projects: string | undefined;
}

const idOf = (path: string): string => basename(path, '.json');

const placesOf = (session: string): Places => {
	const folder = dirname(session);
	const sessions = dirname(folder);
	const id = idOf(session);
	if (basename(folder) === 'info') {
		return {
			session,
			messages: join(sessions, 'message', id),
			parts: messageId => join(sessions, 'part', id, messageId),
			projects: undefined,
		};
	}
	const storage = dirname(sessions);
	return {
		session,
		messages: join(storage, 'message', id),
		parts: messageId => join(storage, 'part', messageId),
		projects: join(storage, 'project'),
	};
};

/** Names of the documents in a folder, in the order of ids, which ascend in time. */
const documentsIn = (folder: string, report: Report): readonly string[] => {
	const listing = listFolder(folder);
	if (listing?.problem !== undefined) report(listing.problem);
	return (listing?.entries ?? [])
		.filter(entry => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
		.map(({name}) => join(folder, name));
};

/** A message is written again when it ends, so the newest message file tells of its parts as well. */
const markOf = (messages: string, report: Report): string => {
	const stamps = documentsIn(messages, report).flatMap(path => stampOf(path) ?? []);
	const newestMs = stamps.reduce((newest, {mtimeMs}) => Math.max(newest, mtimeMs), 0);
	return `${stamps.length}:${newestMs}`;
};

function* discoverStorage(storage: string, known: ReadonlySet<string>): Generator<Discovered> {
	const found = yield* findFiles(join(storage, 'session'), {
		depth: 2,
		accept: (path, name) => path.includes('/') && /^[^.].*\.json$/.test(name),
		enter: path => path !== 'message' && path !== 'part',
	});
	for (const {path, stamp} of found) {
		if (known.has(idOf(path))) continue;
		const problems: Problem[] = [];
		const {mtimeMs, sizeBytes} = stamp;
		const messages = markOf(placesOf(path).messages, problem => problems.push(problem));
		for (const problem of problems) yield {problem};
		yield {
			source: {
				key: path,
				path,
				files: [stamp],
				mode: 'replace',
				mark: `${mtimeMs}:${sizeBytes}:${messages}`,
				sessionId: idOf(path),
				rank: RANK,
			},
		};
	}
}

/** Trees of a data folder, or of a `storage` folder itself; without the sessions that are `known` from a database. */
export function* discoverTrees(root: string, known: ReadonlySet<string>): Generator<Discovered> {
	const projects = listFolder(join(root, 'project'))?.entries ?? [];
	const ofProjects = projects
		.filter(entry => entry.isDirectory())
		.map(({name}) => join(root, 'project', name, 'storage'));
	for (const storage of [root, join(root, 'storage'), ...ofProjects]) {
		yield* discoverStorage(storage, known);
	}
}

const readDocument = (path: string, report: Report): Json | undefined => {
	const document = readJsonFile(path);
	if (document === undefined) return undefined;
	if (document.problem !== undefined) report(document.problem);
	else if (isRecord(document.value)) return document.value;
	else report({code: 'bad-record', where: path, detail: 'no JSON object'});
	return undefined;
};

const documentLocator = (path: string) => ({path, pointer: ''});

const partsIn = (folder: string, report: Report): readonly StoredPart[] =>
	documentsIn(folder, report).flatMap(path => {
		const data = readDocument(path, report);
		if (data === undefined) return [];
		return [{id: textOf(data['id']) ?? idOf(path), data, locator: documentLocator(path)}];
	});

const createdMs = (data: Json | undefined): number =>
	timeMs(at(data, 'time', 'created')) ?? Number.POSITIVE_INFINITY;

const messagesIn = (places: Places, report: Report): readonly StoredMessage[] =>
	documentsIn(places.messages, report)
		.map(path => ({path, data: readDocument(path, report)}))
		// The order of names holds for equal times; a damaged document stands last.
		.sort((a, b) => {
			const [first, second] = [createdMs(a.data), createdMs(b.data)];
			return first === second ? 0 : first - second;
		})
		.map(({path, data}) => {
			const id = textOf(data?.['id']) ?? idOf(path);
			return {
				id,
				locator: documentLocator(path),
				createdAt: undefined,
				data: () => data,
				parts: () => partsIn(places.parts(idOf(path)), report),
			};
		});

/** The fields of a document under the names of the columns. */
const rowOf = (document: Json): Json => ({
	...document,
	parent_id: document['parentID'],
	time_created: at(document, 'time', 'created'),
	time_updated: at(document, 'time', 'updated'),
	time_archived: at(document, 'time', 'archived'),
});

const worktreeOf = (places: Places, document: Json): string | undefined => {
	const id = textOf(document['projectID']);
	if (id === undefined || places.projects === undefined) return undefined;
	// Left out without a word: the project only gives the session a better place in lists.
	const project = readJsonFile(join(places.projects, `${basename(id)}.json`));
	return textOf(recordOf(project?.value)['worktree']);
};

/** @throws SourceUnreadable when the document of the session cannot be read: the next pass tries again. */
export function* readTreeSession(source: Source, dialect: Dialect): Generator<Batch> {
	const places = placesOf(source.path);
	const problems: Problem[] = [];
	const document = readDocument(source.path, problem => problems.push(problem));
	if (document === undefined) {
		const {code = 'unreadable', detail = 'no such file'} = problems[0] ?? {};
		throw new SourceUnreadable(code, `${source.path}: ${detail}`);
	}
	const id = textOf(document['id']) ?? source.sessionId ?? idOf(source.path);
	const batch = createBatch(id);
	const report: Report = problem => batch.problem(problem);
	const session = {
		id,
		row: rowOf(document),
		worktree: worktreeOf(places, document),
		messages: messagesIn(places, report),
		extras: {},
	};
	yield* readSession(session, dialect, batch);
}
