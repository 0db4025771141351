/** Reads a session of `state.db` whole. */

import type {ParentLink, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {at, countOf, numberOf, textOf} from '../shared/narrow.js';
import {jsonIn} from '../shared/rows/events.js';
import {messageRows} from '../shared/rows/messages.js';
import {sessionRow} from '../shared/rows/sessions.js';
import {type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {createTalk, readMessage} from './messages.js';
import {MESSAGES, SESSIONS} from './tables.js';

/** Surfaces without a person; the agent's own pickers hide them, but for `cron`. */
const HEADLESS: ReadonlySet<unknown> = new Set(['cron', 'oneshot', 'kanban', 'tool']);

interface Session {
	readonly row: Row;
	readonly parent: Row | undefined;
}

const loadSession = (db: ForeignDatabase, id: string): Session | undefined => {
	const row = sessionRow(db, SESSIONS, id);
	if (row === undefined) return undefined;
	const parentId = textOf(row['parent_session_id']);
	return {row, parent: parentId === undefined ? undefined : sessionRow(db, SESSIONS, parentId)};
};

/** Keys of `model_config` that say what a parent is; their values name it. */
const MARKS = [
	['_branched_from', 'fork'],
	['_delegate_from', 'subagent'],
] as const;

/** A branch of the time before the mark begins when its parent has ended so. */
const relationByEnd = ({row, parent}: Session): ParentLink['relation'] => {
	if (parent?.['end_reason'] === 'compression') return 'continuation';
	const [startedAt, endedAt] = [numberOf(row['started_at']), numberOf(parent?.['ended_at'])];
	const isAfter = startedAt !== undefined && endedAt !== undefined && startedAt >= endedAt;
	return parent?.['end_reason'] === 'branched' && isAfter ? 'fork' : 'subagent';
};

const parentOf = (session: Session): ParentLink | undefined => {
	const config = jsonIn(session.row['model_config']);
	const stated = textOf(session.row['parent_session_id']);
	const mark = MARKS.find(([name]) => textOf(at(config, name)) !== undefined);
	if (mark !== undefined) {
		const id = stated ?? textOf(at(config, mark[0])) ?? '';
		return {id, relation: mark[1], certainty: 'exact'};
	}
	// After a reset a conversation begins anew.
	if (stated === undefined || textOf(at(config, '_reset_from')) !== undefined) return undefined;
	return {id: stated, relation: relationByEnd(session), certainty: 'exact'};
};

const tokensOf = (row: Row): SessionFacts['tokens'] => {
	const count = (name: string): number => countOf(row[`${name}_tokens`]);
	const tokens = {
		input: count('input'),
		output: count('output'),
		cacheRead: count('cache_read'),
		cacheWrite: count('cache_write'),
		reasoning: count('reasoning'),
	};
	return Object.values(tokens).some(value => value > 0) ? tokens : undefined;
};

/** Nothing from nowhere means that nobody knows. */
const costOf = (row: Row): number | undefined => {
	const cost = numberOf(row['actual_cost_usd']) ?? numberOf(row['estimated_cost_usd']);
	const isKnown = (textOf(row['cost_source']) ?? 'none') !== 'none';
	return cost === 0 && !isKnown ? undefined : cost;
};

const factsOf = ({row}: Session, parent: ParentLink | undefined): SessionFacts => ({
	archived: numberOf(row['archived']) === 1,
	...compact({
		[row['title_source'] === 'user' ? 'customTitle' : 'generatedTitle']: textOf(row['title']),
		cwd: textOf(row['cwd']),
		checkout: textOf(row['git_repo_root']),
		branch: textOf(row['git_branch']),
		model: textOf(row['model']),
		tokens: tokensOf(row),
		costUsd: costOf(row),
		hiddenBy: numberOf(row['hidden']) === 1 ? 'hidden' : undefined,
		isSubagent: parent?.relation === 'subagent' ? true : undefined,
		parent,
		createdAtMs: timeMs(row['started_at']),
		updatedAtMs: timeMs(row['last_activity_at'] ?? row['ended_at']),
	}),
});

/** Rows that a rewind has switched off. Those that a compaction has put aside were said all the same. */
const isUndone = (row: Row): boolean =>
	numberOf(row['active']) === 0 && numberOf(row['compacted']) !== 1;

export function* readDatabase({path, sessionId = ''}: Source): Generator<Batch> {
	const session = withDatabase(path, db => loadSession(db, sessionId));
	if (session === undefined) return;
	const batch = createBatch(sessionId);
	const parent = parentOf(session);
	const isSubagent = parent?.relation === 'subagent';
	const isHeadless = HEADLESS.has(session.row['source']);
	const talk = createTalk(batch, {isSubagent, isHeadless});
	const model = textOf(session.row['model']);
	batch.patch(factsOf(session, parent));
	const {problem: report} = batch;
	for (const row of messageRows(path, MESSAGES, {sessionId, report})) {
		const id = numberOf(row['id']);
		if (id === undefined) continue;
		const place = {
			key: String(id),
			atMs: timeMs(row['timestamp']),
			locator: {table: MESSAGES.name, row: id},
			model,
			state: isUndone(row) ? ('undone' as const) : undefined,
		};
		readMessage(row, place, talk);
		if (batch.isFull()) yield batch.take(END);
	}
	if (isSubagent) batch.patch({description: talk.task ?? null});
	yield batch.take(END);
}
