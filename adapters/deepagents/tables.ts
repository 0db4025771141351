/** `sessions.db`: checkpoints of threads, and the writes between them. A checkpoint may hold a whole state, so it is read last. */

import type {Problem} from '../model.js';
import {textOf} from '../shared/narrow.js';
import {capped, tooLarge} from '../shared/rows/messages.js';
import {type ListedSession, messageMarks} from '../shared/rows/sessions.js';
import {hasColumns} from '../shared/session-parts/schema.js';
import type {ForeignDatabase, Row} from '../shared/sqlite.js';

const CHECKPOINTS = 'checkpoints';
export const WRITES = 'writes';
const PLACE_COLUMNS = ['thread_id', 'checkpoint_ns', 'checkpoint_id'];
const CHECKPOINT_NEEDS = [...PLACE_COLUMNS, 'metadata'];
const WRITE_NEEDS = [...PLACE_COLUMNS, 'task_id', 'idx', 'channel', 'type', 'value'];

/** `Source.extra`: sub-graphs share the thread of their agent. */
export interface Thread {
	readonly id: string;
	readonly namespace: string;
}

const sessionId = ({id, namespace}: Thread): string =>
	namespace === '' ? id : `${id}|${namespace}`;

const messageWrites = (db: ForeignDatabase): ReadonlyMap<unknown, string> =>
	messageMarks(
		db,
		{
			table: `(SELECT thread_id || '|' || checkpoint_ns AS place, checkpoint_id FROM ${WRITES} WHERE channel = 'messages')`,
			session: 'place',
		},
		['count(*)', 'max(checkpoint_id)'],
	);

/** Rows are only added, and ids of checkpoints grow with time. */
export const listThreads = (db: ForeignDatabase): readonly ListedSession[] | undefined => {
	if (!hasColumns(db, CHECKPOINTS, CHECKPOINT_NEEDS)) return undefined;
	if (!hasColumns(db, WRITES, WRITE_NEEDS)) return undefined;
	const writes = messageWrites(db);
	const rows = db.all(
		`SELECT thread_id, checkpoint_ns, count(*) AS count, max(checkpoint_id) AS newest
		FROM ${CHECKPOINTS} GROUP BY thread_id, checkpoint_ns`,
	);
	return rows.flatMap(({thread_id: id, checkpoint_ns: namespace, count, newest}) => {
		const written = writes.get(`${id}|${namespace}`);
		if (textOf(id) === undefined) return [];
		// Steps of a graph that say nothing have a namespace as well.
		if (namespace !== '' && written === undefined) return [];
		const thread: Thread = {id: String(id), namespace: String(namespace)};
		const mark = JSON.stringify([count, newest, written ?? '']);
		return [{id: sessionId(thread), mark, extra: thread}];
	});
};

export interface Stored {
	/** In order; `text` is JSON. */
	readonly checkpoints: readonly Row[];
	readonly writes: readonly Row[];
	/** The newest state, when there are no writes. */
	readonly state: Row | undefined;
	readonly problems: readonly Problem[];
}

export const writeName = (row: Row): string =>
	`${row['checkpoint_id']}/${row['task_id']}/${row['idx']}`;

const stateOf = (db: ForeignDatabase, {id, namespace}: Thread): Row | undefined =>
	hasColumns(db, CHECKPOINTS, ['type', 'checkpoint'])
		? db.get(
				`SELECT checkpoint_id, type, ${capped('checkpoint')} FROM ${CHECKPOINTS}
				WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id DESC LIMIT 1`,
				id,
				namespace,
			)
		: undefined;

export const loadThread = (db: ForeignDatabase, thread: Thread): Stored => {
	const {id, namespace} = thread;
	const checkpoints = db.all(
		`SELECT checkpoint_id, CAST(metadata AS TEXT) AS text FROM ${CHECKPOINTS}
		WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id`,
		id,
		namespace,
	);
	const writes = db.all(
		`SELECT checkpoint_id, task_id, idx, type, ${capped('value')} FROM ${WRITES}
		WHERE thread_id = ? AND checkpoint_ns = ? AND channel = 'messages' ORDER BY checkpoint_id, task_id, idx`,
		id,
		namespace,
	);
	const state = writes.length === 0 ? stateOf(db, thread) : undefined;
	const problems = writes.flatMap(row => tooLarge(writeName(row), row['value_bytes']) ?? []);
	return {checkpoints, writes, problems, state};
};
