/** Reads a thread whole. */

import type {SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, countOf, listOf, stringOf, textOf} from '../shared/narrow.js';
import {subagentFacts} from '../shared/parent.js';
import {eventOf, type Place, type Talk} from '../shared/rows/events.js';
import type {Row} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {readMessage} from './messages.js';
import {loadThread, THREADS, type Thread} from './tables.js';

/** Locator of the summary, which is no message. */
const SUMMARY_ROW = 'detailed_summary';

/** `folder_paths` is sorted; `folder_paths_order` says where each path stood: the first is the project. */
const foldersOf = (row: Row): readonly string[] => {
	const paths = (stringOf(row['folder_paths']) ?? '').split('\n').filter(path => path !== '');
	const order = (stringOf(row['folder_paths_order']) ?? '').split(',').map(Number);
	const placeOf = (index: number): number => order[index] ?? index;
	return paths
		.map((path, index) => ({path, place: placeOf(index)}))
		.sort((a, b) => a.place - b.place)
		.map(({path}) => path);
};

const countIn = (usage: unknown, name: string): number => countOf(at(usage, name));

const tokensOf = (usage: unknown): SessionFacts['tokens'] => {
	const tokens = {
		input: countIn(usage, 'input_tokens'),
		output: countIn(usage, 'output_tokens'),
		cacheRead: countIn(usage, 'cache_read_input_tokens'),
		cacheWrite: countIn(usage, 'cache_creation_input_tokens'),
	};
	return Object.values(tokens).some(count => count > 0) ? tokens : undefined;
};

const parentOf = ({row, document}: Thread): string | undefined =>
	textOf(row['parent_id']) ?? textOf(at(document, 'subagent_context', 'parent_thread_id'));

const modelOf = ({document}: Thread): string | undefined => textOf(at(document, 'model', 'model'));

const factsOf = (thread: Thread): SessionFacts => {
	const {row, document} = thread;
	const parent = parentOf(thread);
	const [cwd, ...directories] = foldersOf(row);
	const updatedAtMs = timeMs(row['updated_at']) ?? timeMs(document['updated_at']);
	return compact({
		generatedTitle:
			textOf(row['summary']) ?? textOf(document['title']) ?? textOf(document['summary']),
		cwd,
		directories: directories.length === 0 ? undefined : directories,
		model: modelOf(thread),
		...subagentFacts(parent),
		tokens: tokensOf(document['cumulative_token_usage']),
		createdAtMs: timeMs(row['created_at']) ?? updatedAtMs,
		updatedAtMs,
	});
};

/** A prompt has an id of its own, other messages only their place. */
const keyOf = (message: unknown, index: number): string =>
	textOf(at(message, 'User', 'id')) ?? `m${index}`;

/** Messages have no time: the thread's is told by its facts. */
const placeOf = (thread: Thread, key: string, row: string | number): Place => ({
	key,
	atMs: undefined,
	locator: {table: THREADS.name, row},
	model: modelOf(thread),
});

export function* read(source: Source): Generator<Batch> {
	const thread = loadThread(source);
	const batch = createBatch(source.sessionId ?? '');
	const isSubagent = parentOf(thread) !== undefined;
	const talk: Talk = {batch, names: new Map(), isSubagent, task: undefined};
	batch.patch(factsOf(thread));
	const keys = new Set<string>();
	for (const [index, message] of listOf(thread.document['messages']).entries()) {
		const own = keyOf(message, index);
		const key = keys.has(own) ? `m${index}` : own;
		keys.add(key);
		readMessage(message, {place: placeOf(thread, key, index), talk});
		if (batch.isFull()) yield batch.take(END);
	}
	const summary = textOf(thread.document[SUMMARY_ROW]);
	if (summary !== undefined) {
		const place = placeOf(thread, SUMMARY_ROW, SUMMARY_ROW);
		batch.event(eventOf(place, 0, {kind: 'summary', text: summary}));
	}
	if (isSubagent) batch.patch({description: talk.task ?? null});
	yield batch.take(END);
}

/** The values behind the events of a thread, by locator. */
export const rawValues = (source: Source): ReadonlyMap<string | number, unknown> => {
	const {document} = loadThread(source);
	const messages = listOf(document['messages']);
	return new Map<string | number, unknown>([
		...messages.entries(),
		[SUMMARY_ROW, document[SUMMARY_ROW]],
	]);
};
