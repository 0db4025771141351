import type {AdapterEvent} from '../../adapters/model.js';
import type {Batch} from '../../adapters/types.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {columnsOf, createEventRows} from './event-rows.js';
import {mergedOrder} from './order.js';
import {createEventIds, type SegmentRange} from './segments.js';
import type {Writer} from './write-group.js';

/** How the rows of a source are brought up to date by one read of it. */
export interface ReadPlan {
	readonly sourceId: number;
	readonly sessionId: number;
	/** Reserved for this read. */
	readonly segments: SegmentRange;
	/**
	 * `append`: the events follow what is there. `reconcile`: the source is read from its start while the session has events
	 * already; the order is merged and what is no longer there is marked at the end.
	 */
	readonly way: 'append' | 'reconcile';
	/** Same bytes, newer parser: events that are not yielded any more are removed instead of marked. */
	readonly isReparse: boolean;
	/** Sources of the session whose rows this one takes over: those that are missing, or less preferred. */
	readonly yielding: ReadonlySet<number>;
	/** Those of them that are missing: what only they held is gone. */
	readonly missing: ReadonlySet<number>;
}

/** One read of one source. Every method belongs into the caller's transaction. */
export interface ReadRun {
	apply(batch: Batch): void;
	/** After the last batch. */
	finish(): void;
	/** Anything that a user could see changed. */
	hasChanged(): boolean;
}

interface KnownEvent {
	readonly id: number;
	readonly key: string;
	readonly kind: string;
	readonly at: number | null;
	readonly hash: number;
	readonly source_id: number;
	readonly state: string;
}

export const createReadRun = (writer: Writer, plan: ReadPlan): ReadRun => {
	const {database} = writer;
	const sql = prepared(database);
	const rows = createEventRows(writer);
	const ids = createEventIds(database, plan.segments);
	const {sessionId, sourceId} = plan;
	const isReconcile = plan.way === 'reconcile';
	const known = isReconcile ? knownEvents(database, sessionId) : [];
	let position = nextPosition(database, sessionId);
	let hasChanged = false;
	// Reconciling only: what was read in which order, what of it was new, and the rewinds, which need the final order.
	const readIds = new Set<number>();
	const inserted: KnownEvent[] = [];
	const rewinds: Batch['undo'][number][] = [];
	const usageKeys = new Set<string>();

	const write = (event: AdapterEvent): void => {
		const columns = columnsOf(event);
		const id = ids.peek();
		if (rows.insert({id, sessionId, sourceId, position}, event, columns)) {
			ids.use();
			position++;
			hasChanged = true;
			if (!isReconcile) return;
			readIds.add(id);
			inserted.push({id, key: event.key, ...columns, source_id: sourceId, state: 'live'});
			return;
		}
		const stored = rows.find(sessionId, event.key);
		if (stored === undefined) return; // the insert was refused for its key, so there is one
		if (isReconcile) readIds.add(stored.id);
		if (stored.source_id !== sourceId && !plan.yielding.has(stored.source_id)) return;
		const state = nextState(stored.state, event.state, isReconcile);
		if (rows.update(stored, {sessionId, sourceId, state}, event, columns)) hasChanged = true;
	};

	const undo = ({fromKey, toKey}: Batch['undo'][number]): void => {
		const {changes} = sql(
			`UPDATE event SET state = 'undone' WHERE session_id = @sessionId AND state = 'live'
			AND position >= (SELECT position FROM event WHERE session_id = @sessionId AND key = @fromKey)
			AND position < coalesce((SELECT position FROM event WHERE session_id = @sessionId AND key = @toKey), 9e15)`,
		).run({sessionId, fromKey, toKey: toKey ?? null});
		if (changes > 0) hasChanged = true;
	};

	/** Old events that were not read: the same record under another key, gone, or no longer made of the same bytes. */
	const settleUnread = (): void => {
		const isOurs = (id: number) => id === sourceId || plan.missing.has(id);
		const unread = known.filter(event => isOurs(event.source_id) && !readIds.has(event.id));
		const sameRecord = new Map(inserted.map(event => [recordOf(event), event]));
		for (const event of unread) {
			const twin = sameRecord.get(recordOf(event));
			if (twin !== undefined) {
				sameRecord.delete(recordOf(event));
				adoptKey(event, twin);
			} else if (plan.isReparse && event.state !== 'gone') {
				rows.remove(sessionId, event.id, event.kind);
				hasChanged = true;
			} else if (event.state === 'live') {
				sql("UPDATE event SET state = 'gone' WHERE id = ?").run(event.id);
				hasChanged = true;
			}
		}
	};

	/** The new row keeps all but the old one's id: references to the old key lead to it as an alias. */
	const adoptKey = (old: KnownEvent, twin: KnownEvent): void => {
		rows.remove(sessionId, old.id, old.kind);
		sql('INSERT OR REPLACE INTO event_alias VALUES (?, ?, ?)').run(sessionId, old.key, twin.id);
	};

	const reorder = (): void => {
		const remaining = knownEvents(database, sessionId).map(event => event.id);
		const isLeft = new Set(remaining);
		const order = mergedOrder(
			remaining,
			[...readIds].filter(id => isLeft.has(id)),
		);
		for (const [index, id] of order.entries())
			sql('UPDATE event SET position = ? WHERE id = ? AND position <> ?').run(index, id, index);
	};

	return {
		apply(batch) {
			for (const event of batch.events) write(event);
			for (const usage of batch.usage) {
				if (writeUsage(database, sessionId, usage)) hasChanged = true;
				if (plan.isReparse) usageKeys.add(usage.key);
			}
			if (isReconcile) rewinds.push(...batch.undo);
			else for (const rewind of batch.undo) undo(rewind);
		},
		finish() {
			if (!isReconcile) return;
			settleUnread();
			if (plan.isReparse) dropUsageExcept(database, sessionId, usageKeys);
			reorder();
			for (const rewind of rewinds) undo(rewind);
		},
		hasChanged: () => hasChanged,
	};
};

/**
 * A record that is read again is live again, unless a parent owns it or (reading on) a rewind came after it; an explicit `live`
 * brings back what was rewound.
 */
const nextState = (stored: string, stated: string | undefined, isReconcile: boolean): string => {
	if (stored === 'copied') return stored;
	if (stored === 'undone' && !isReconcile && stated !== 'live') return stored;
	return stated ?? 'live';
};

const recordOf = ({kind, at, hash}: KnownEvent): string => `${kind} ${at} ${hash}`;

const knownEvents = (database: Database, sessionId: number): readonly KnownEvent[] =>
	prepared(database)(
		'SELECT id, key, kind, at, hash, source_id, state FROM event WHERE session_id = ? ORDER BY position',
	).all(sessionId) as KnownEvent[];

const nextPosition = (database: Database, sessionId: number): number =>
	(
		prepared(database)(
			'SELECT coalesce(max(position) + 1, 0) AS next FROM event WHERE session_id = ?',
		).get(sessionId) as {next: number}
	).next;

const USAGE_UPSERT = `INSERT INTO usage(session_id, key, at, model, input, output, cache_read, cache_write, reasoning, cost_usd)
VALUES (@sessionId, @key, @at, @model, @input, @output, @cacheRead, @cacheWrite, @reasoning, @cost)
ON CONFLICT(session_id, key) DO UPDATE SET at = excluded.at, model = excluded.model, input = excluded.input, output = excluded.output,
cache_read = excluded.cache_read, cache_write = excluded.cache_write, reasoning = excluded.reasoning, cost_usd = excluded.cost_usd
WHERE input <> excluded.input OR output <> excluded.output OR cache_read <> excluded.cache_read
OR cache_write <> excluded.cache_write OR reasoning <> excluded.reasoning OR cost_usd IS NOT excluded.cost_usd`;

const writeUsage = (
	database: Database,
	sessionId: number,
	usage: Batch['usage'][number],
): boolean =>
	prepared(database)(USAGE_UPSERT).run({
		sessionId,
		key: usage.key,
		at: usage.atMs === undefined ? null : Math.round(usage.atMs),
		model: usage.model ?? null,
		input: usage.input,
		output: usage.output,
		cacheRead: usage.cacheRead,
		cacheWrite: usage.cacheWrite,
		reasoning: usage.reasoning ?? 0,
		cost: usage.costUsd ?? null,
	}).changes > 0;

/**
 * What a newer parser no longer counts; only where the session has no other source that may have counted it. Messages that are gone
 * from the source no parser yields any more.
 */
const dropUsageExcept = (
	database: Database,
	sessionId: number,
	keys: ReadonlySet<string>,
): void => {
	const sql = prepared(database);
	const {sources} = sql('SELECT count(*) AS sources FROM source WHERE session_id = ?').get(
		sessionId,
	) as {
		sources: number;
	};
	if (sources > 1) return;
	const rows = sql(
		`SELECT key FROM usage WHERE session_id = @sessionId
		AND key NOT IN (SELECT coalesce(message_id, key) FROM event WHERE session_id = @sessionId AND state = 'gone')`,
	).all({sessionId}) as {key: string}[];
	for (const {key} of rows)
		if (!keys.has(key))
			sql('DELETE FROM usage WHERE session_id = ? AND key = ?').run(sessionId, key);
};
