/** Replays the writes of a thread. */

import type {Problem, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {at, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {jsonIn, type Talk} from '../shared/rows/events.js';
import {type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, RawRow, Source} from '../types.js';
import {type Message, modelOf, readMessage} from './messages.js';
import {loadThread, type Stored, type Thread, WRITES, writeName} from './tables.js';
import {type Change, changesIn, decoded, readableValue} from './values.js';

/** Locator of the newest state. */
const STATE_ROW = 'state';

const threadOf = ({extra}: Source): Thread => {
	const {id, namespace} = recordOf(extra);
	return {id: stringOf(id) ?? '', namespace: stringOf(namespace) ?? ''};
};

const load = (source: Source): Stored =>
	withDatabase(source.path, db => loadThread(db, threadOf(source)));

const metadataOf = (row: Row): Record<string, unknown> => recordOf(jsonIn(row['text']));

const factsOf = ({checkpoints}: Stored, {id, namespace}: Thread): SessionFacts => {
	const all = checkpoints.map(metadataOf);
	const last = (name: string): string | undefined =>
		all.map(metadata => textOf(metadata[name])).findLast(text => text !== undefined);
	const times = all.flatMap(metadata => timeMs(metadata['updated_at']) ?? []);
	const isSubagent = namespace !== '';
	return compact({
		cwd: last('cwd'),
		branch: last('git_branch'),
		isSubagent: isSubagent ? true : undefined,
		parent: isSubagent ? ({id, relation: 'subagent', certainty: 'exact'} as const) : undefined,
		createdAtMs: times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b)),
		updatedAtMs: times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b)),
	});
};

/** A write, or the newest state, as changes. */
interface Step {
	readonly row: string;
	readonly checkpoint: unknown;
	readonly changes: readonly Change[] | undefined;
}

const writeStep = (write: Row): Step => {
	const found = decoded(write['type'], write['value']);
	return {
		row: writeName(write),
		checkpoint: write['checkpoint_id'],
		changes: found === undefined ? undefined : changesIn(found?.value),
	};
};

const stateStep = (state: Row): Step => {
	const found = decoded(state['type'], state['checkpoint']);
	const messages = at(found?.value, 'channel_values', 'messages');
	return {
		row: STATE_ROW,
		checkpoint: state['checkpoint_id'],
		changes: found === undefined ? undefined : changesIn(messages),
	};
};

const stepsOf = ({writes, state}: Stored): readonly Step[] =>
	state === undefined ? writes.map(writeStep) : [stateStep(state)];

/** The messages by id: a later write of one replaces it in its place; what was removed stays as undone. */
const replayed = (
	steps: readonly Step[],
	{times, report}: {readonly times: ReadonlyMap<unknown, number>; report(problem: Problem): void},
): readonly Message[] => {
	const messages = new Map<string, Message>();
	const remove = (key: string): void => {
		const message = messages.get(key);
		if (message === undefined) return;
		messages.set(key, {...message, place: {...message.place, state: 'undone'}});
	};
	for (const {row, checkpoint, changes} of steps) {
		if (changes === undefined) {
			report({
				code: 'bad-record',
				where: `${WRITES} ${row}`,
				detail: 'the value cannot be decoded',
			});
		}
		// What replaces the history begins with its summary.
		let isReset = false;
		for (const [index, change] of (changes ?? []).entries()) {
			if (change.kind === 'reset') {
				isReset = true;
				continue;
			}
			const {message: body} = change;
			const key = textOf(body['id']) ?? `${row}/${index}`;
			if (body['type'] === 'remove') {
				remove(key);
				continue;
			}
			const before = messages.get(key);
			const isSummary = before?.isSummary ?? (isReset && body['type'] === 'human');
			if (isSummary) isReset = false;
			const place = {
				key,
				atMs: before?.place.atMs ?? times.get(checkpoint),
				locator: {table: WRITES, row},
				model: modelOf(body) ?? before?.place.model,
			};
			messages.set(key, {body, place, isSummary});
		}
	}
	return [...messages.values()];
};

export function* read(source: Source): Generator<Batch> {
	const thread = threadOf(source);
	const stored = load(source);
	const batch = createBatch(source.sessionId ?? '');
	const talk: Talk = {
		batch,
		names: new Map(),
		isSubagent: thread.namespace !== '',
		task: undefined,
	};
	for (const problem of stored.problems) batch.problem(problem);
	const times = new Map(
		stored.checkpoints.flatMap(row => {
			const atMs = timeMs(metadataOf(row)['updated_at']);
			return atMs === undefined ? [] : [[row['checkpoint_id'], atMs] as const];
		}),
	);
	const messages = replayed(stepsOf(stored), {times, report: batch.problem});
	const model = messages.map(({body}) => modelOf(body)).findLast(name => name !== undefined);
	batch.patch({...factsOf(stored, thread), ...compact({model})});
	for (const message of messages) {
		readMessage(message, talk);
		if (batch.isFull()) yield batch.take(END);
	}
	if (talk.task !== undefined) batch.patch({description: talk.task});
	yield batch.take(END);
}

export function* rawRows(source: Source): Generator<RawRow> {
	const {writes, state} = load(source);
	for (const write of writes) {
		yield {table: WRITES, row: writeName(write), raw: jsonText(readableValue(write))};
	}
	if (state !== undefined) {
		const {type, checkpoint: value} = state;
		yield {table: WRITES, row: STATE_ROW, raw: jsonText(readableValue({type, value}))};
	}
}
