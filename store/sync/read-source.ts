import type {Problem} from '../../adapters/model.js';
import {type Adapter, type Batch, type Source, SourceUnreadable} from '../../adapters/types.js';
import {isForgotten} from '../forgotten.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {hasRicherForm, removePoorerForms} from './forms.js';
import {isSameContent, type KnownSource} from './plan.js';
import {createReadRun, type ReadRun} from './read-run.js';
import {isOfAnother, setAside} from './replaced.js';
import type {SegmentRange} from './segments.js';
import {deriveSession, ensureSession} from './session-rows.js';
import {
	cursorOf,
	removeSource,
	writeComplete,
	writeCursor,
	writeFindings,
	writeProblems,
	writeSource,
} from './source-rows.js';
import type {WriteGroup} from './write-group.js';

/** A source that has to be looked at. */
export interface Task {
	readonly adapter: Adapter;
	readonly rootId: number;
	readonly source: Source;
	readonly known: KnownSource | undefined;
	/** Reserved in order of age; see `segments.ts`. */
	readonly segments: SegmentRange;
	/** Read from the start although the cursor fits: another source of the session went away, and this one takes over its rows. */
	readonly isTakeover: boolean;
}

export interface TaskResult {
	readonly outcome: 'read' | 'unread' | 'unreadable' | 'stopped';
	readonly sessionId: number | undefined;
	readonly isNewSession: boolean;
	readonly hasChanged: boolean;
	/** The source had been of another session: the row that stays with that one. */
	readonly setAside?: KnownSource;
}

interface Context {
	readonly group: WriteGroup;
	readonly findProject: Parameters<typeof deriveSession>[2];
	shouldStop(): boolean;
	/** After each committed batch: bytes of this source read so far. */
	onBatch(sessionId: number, offset: number): void;
}

/** Derive the session row while a long source is read: after the first batch, then now and then. */
const DERIVE_EVERY_BATCHES = 20;

/** Reads one source into the store: batches of rows, each with the cursor behind it in one transaction. */
export const readSource = (task: Task, context: Context): TaskResult => {
	const {group} = context;
	const {database} = group;
	const {adapter, source, known} = task;
	const cursor =
		known && !task.isTakeover && known.parser === adapter.parserVersion
			? cursorOf(database, known, source)
			: undefined;
	const isReparse =
		known !== undefined &&
		known.is_complete === 1 &&
		isSameContent(known, source) &&
		!task.isTakeover;
	const sourceId = group.run(0, () =>
		writeSource(database, {agent: adapter.id, rootId: task.rootId, known}, source),
	);
	let state: Running | undefined;
	const store = (batch: Batch, isFirst: boolean, isLast: boolean) => {
		state ??= begin(task, {
			group,
			sourceId,
			batch,
			isFromStart: cursor === undefined,
			isReparse,
		});
		writeFindings(database, sourceId, batch, isFirst && cursor === undefined);
		if (state.run) {
			state.run.apply(batch);
			if (isLast) state.run.finish();
		}
		// A reconciling read that is cut short begins anew: its cursor counts only once the end is settled.
		if (state.way === 'append' || isLast)
			writeCursor(database, sourceId, batch.cursor, {
				path: source.path,
				parserVersion: adapter.parserVersion,
			});
		if (isLast) writeComplete(database, sourceId, source, adapter.parserVersion);
		if (state.sessionId !== undefined && (isLast || state.batches % DERIVE_EVERY_BATCHES === 0))
			state.hasChanged =
				deriveSession(group, state.sessionId, context.findProject) || state.hasChanged;
		state.batches++;
	};
	const commit = (batch: Batch, isFirst: boolean, isLast: boolean) =>
		group.run(batch.events.length, () => store(batch, isFirst, isLast));
	const refuse = (error: unknown): TaskResult => {
		const reason = unreadableReason(error);
		group.run(0, () => writeUnreadable(database, sourceId, reason));
		return result('unreadable');
	};
	const result = (outcome: TaskResult['outcome']): TaskResult => ({
		outcome,
		sessionId: state?.sessionId,
		isNewSession: state?.isNew ?? false,
		hasChanged: (state?.run?.hasChanged() ?? false) || (state?.hasChanged ?? false),
	});
	const batches = adapter.read(source, cursor)[Symbol.iterator]();
	const advance = (): Batch | undefined => {
		const {done, value} = batches.next();
		return done ? undefined : value;
	};
	let pending: Batch | undefined;
	try {
		pending = advance();
	} catch (error) {
		return refuse(error);
	}
	if (
		known !== undefined &&
		pending !== undefined &&
		isOfAnother(database, known, pending.sessionId)
	) {
		batches.return?.();
		const row = group.run(0, () => setAside(database, known));
		return {...readSource({...task, known: undefined}, context), setAside: row};
	}
	if (
		pending !== undefined &&
		isForgotten(database, {agent: adapter.id, nativeId: pending.sessionId})
	) {
		// Not even where it lies is remembered.
		group.run(0, () => removeSource(database, sourceId));
		return result('unread');
	}
	let isFirst = true;
	while (pending !== undefined) {
		let next: Batch | undefined;
		try {
			next = advance();
		} catch (error) {
			commit(pending, isFirst, false);
			return refuse(error);
		}
		commit(pending, isFirst, next === undefined);
		if (next === undefined) {
			const isUnread = cursor !== undefined && pending.cursor.offset === cursor.offset;
			return result(isUnread ? 'unread' : 'read');
		}
		isFirst = false;
		if (state?.sessionId !== undefined) context.onBatch(state.sessionId, pending.cursor.offset);
		if (context.shouldStop()) return result('stopped');
		pending = next;
	}
	// Not a session at all, such as an empty file: known as such until it changes.
	group.run(0, () => writeComplete(database, sourceId, source, adapter.parserVersion));
	return result('read');
};

interface Running {
	readonly sessionId: number | undefined;
	readonly isNew: boolean;
	/** Undefined for a session that has a richer form. */
	readonly run: ReadRun | undefined;
	readonly way: 'append' | 'reconcile';
	hasChanged: boolean;
	batches: number;
}

const begin = (
	{adapter, source, known, segments}: Task,
	{
		group,
		sourceId,
		batch,
		isFromStart,
		isReparse,
	}: {
		readonly group: WriteGroup;
		readonly sourceId: number;
		readonly batch: Batch;
		readonly isFromStart: boolean;
		readonly isReparse: boolean;
	},
): Running => {
	const {database} = group;
	const sql = prepared(database);
	const {id: sessionId, isNew} = ensureSession(database, adapter.id, batch.sessionId);
	sql('UPDATE source SET session_id = ?, native_id = ? WHERE id = ?').run(
		sessionId,
		batch.sessionId,
		sourceId,
	);
	const rank = source.rank ?? 0;
	const hasMoved = known !== undefined && known.session_id !== sessionId;
	if (hasRicherForm(database, sessionId, rank))
		return {sessionId, isNew, run: undefined, way: 'append', hasChanged: hasMoved, batches: 0};
	if (batch.events.length > 0) removePoorerForms(group, sessionId, rank);
	const hasEvents =
		sql('SELECT 1 FROM event WHERE session_id = ? LIMIT 1').get(sessionId) !== undefined;
	const way = isFromStart && hasEvents ? 'reconcile' : 'append';
	const run = createReadRun(group, {
		sourceId,
		sessionId,
		segments,
		way,
		isReparse,
		...otherSources(database, sessionId, sourceId),
	});
	return {
		sessionId,
		isNew,
		run,
		way,
		hasChanged: hasMoved,
		batches: 0,
	};
};

/** Sources of the session whose rows this one may overwrite: missing ones, and those that are less preferred. */
const otherSources = (database: Database, sessionId: number, sourceId: number) => {
	const rows = prepared(database)(
		`SELECT other.id, other.state FROM source AS other, source AS mine WHERE mine.id = ? AND other.session_id = ? AND other.id <> mine.id
		AND (other.state = 'missing' OR other.rank < mine.rank OR (other.rank = mine.rank AND other.preference > mine.preference))`,
	).all(sourceId, sessionId) as {id: number; state: string}[];
	return {
		yielding: new Set(rows.map(({id}) => id)),
		missing: new Set(rows.filter(({state}) => state === 'missing').map(({id}) => id)),
	};
};

/** A fault of the adapter costs one source, not the pass; only the store's own errors end it. */
const unreadableReason = (error: unknown): Problem => {
	if (error instanceof SourceUnreadable) return {code: error.code, detail: error.message};
	return {
		code: 'unreadable',
		detail: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
	};
};

const writeUnreadable = (database: Database, sourceId: number, reason: Problem): void => {
	const sql = prepared(database);
	sql('DELETE FROM problem WHERE source_id = ? AND code = ?').run(sourceId, reason.code);
	writeProblems(database, sourceId, [reason]);
	sql(
		`UPDATE source SET error = ?, is_complete = 0, problems = (SELECT sum(count) FROM problem WHERE source_id = source.id) WHERE id = ?`,
	).run(reason.detail, sourceId);
};
