/**
 * `projects/<directory>/<session>.jsonl`: flat lines `{role, content, timestamp, sessionId}`, as one registry of formats has it
 * (2026-09). The sources of ZCode do not mention it.
 */

import {basename} from 'node:path';
import type {AdapterEvent} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {capText} from '../shared/content.js';
import {readJsonLines} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {at, listOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {findFiles} from '../shared/walk.js';
import type {Batch, Cursor, Discovered, Source} from '../types.js';

/** The database has the better copy of a session. */
const RANK = -1;

/** Logs of a `projects` folder, without the sessions that are `known` from a database. */
export function* discoverLogs(projects: string, known: ReadonlySet<string>): Generator<Discovered> {
	const accept = (path: string, name: string) => path.includes('/') && name.endsWith('.jsonl');
	for (const {path, stamp} of yield* findFiles(projects, {depth: 2, accept})) {
		const sessionId = basename(path, '.jsonl');
		if (known.has(sessionId)) continue;
		yield {source: {key: path, path, files: [stamp], mode: 'append', sessionId, rank: RANK}};
	}
}

const contentText = (content: unknown): string =>
	stringOf(content) ??
	listOf(content)
		.flatMap(block => textOf(at(block, 'text')) ?? [])
		.join('\n');

const ROLES: ReadonlyMap<string, 'user' | 'assistant'> = new Map([
	['user', 'user'],
	['assistant', 'assistant'],
]);

type Line = Readonly<Record<string, unknown>>;
type Place = Pick<AdapterEvent, 'key' | 'locator'>;

const eventOf = (record: Line, place: Place): AdapterEvent | undefined => {
	const role = ROLES.get(stringOf(record['role']) ?? '');
	const {text, fullLength} = capText(contentText(record['content']));
	if (text.trim() === '') return undefined;
	const isSpoken = role !== undefined && !text.trimStart().startsWith('<system-reminder>');
	return compact({
		...place,
		kind: isSpoken ? ('message' as const) : ('meta' as const),
		role: isSpoken ? role : undefined,
		atMs: timeMs(record['timestamp']),
		text,
		fullLength,
	});
};

/** The first line that names the session. */
const statedId = (path: string): string | undefined => {
	for (const {record} of readJsonLines(path)) {
		const id = textOf(record?.['sessionId']);
		if (id !== undefined) return id;
	}
	return undefined;
};

export function* readLog(source: Source, from?: Cursor): Generator<Batch> {
	const {path} = source;
	const id = statedId(path) ?? source.sessionId ?? basename(path, '.jsonl');
	const batch = createBatch(id);
	yield* logBatches(readJsonLines(path, from), {
		batch,
		take: position => batch.take({...position, state: null}),
		read({record, number, offset, length}) {
			const event = eventOf(record, {key: `L${number}`, locator: {offset, length}});
			if (event !== undefined) batch.event(event);
		},
	});
}
