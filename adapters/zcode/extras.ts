/** What ZCode keeps of a session beside its messages. */

import type {Usage} from '../model.js';
import {compact} from '../shared/compact.js';
import {numberOf, textOf} from '../shared/narrow.js';
import {type Extras, jsonOf} from '../shared/session-parts/records.js';
import {hasColumns} from '../shared/session-parts/schema.js';
import type {ForeignDatabase, Row} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';

/** Failed attempts have numbers too, which nobody was given an answer for. */
const USAGE = `SELECT rowid AS place, id, model_id, completed_at, input_tokens, output_tokens, reasoning_tokens,
	cache_creation_input_tokens, cache_read_input_tokens
	FROM model_usage WHERE session_id = ? AND status = 'completed' ORDER BY rowid`;
const USAGE_COLUMNS = [
	'id',
	'session_id',
	'status',
	'model_id',
	'completed_at',
	'input_tokens',
	'output_tokens',
	'reasoning_tokens',
	'cache_creation_input_tokens',
	'cache_read_input_tokens',
] as const;

const usageOf = (row: Row): Usage =>
	compact({
		key: textOf(row['id']) ?? `row ${String(row['place'])}`,
		input: numberOf(row['input_tokens']) ?? 0,
		output: numberOf(row['output_tokens']) ?? 0,
		cacheRead: numberOf(row['cache_read_input_tokens']) ?? 0,
		cacheWrite: numberOf(row['cache_creation_input_tokens']) ?? 0,
		reasoning: numberOf(row['reasoning_tokens']),
		model: textOf(row['model_id']),
		atMs: timeMs(row['completed_at']),
	});

/** `compaction` parts name the message that holds their summary. */
const summaryIdsOf = (db: ForeignDatabase, sessionId: string): ReadonlySet<string> => {
	if (!hasColumns(db, 'part', ['session_id', 'data'])) return new Set();
	const rows = db.all(
		`SELECT data FROM part WHERE session_id = ? AND octet_length(data) < 1000000 AND instr(data, '"summaryMessageId"') > 0`,
		sessionId,
	);
	return new Set(
		rows
			.map(row => jsonOf(row['data']))
			.filter(part => part['type'] === 'compaction')
			.flatMap(part => textOf(part['summaryMessageId']) ?? []),
	);
};

/** A second place for the parent of a task. Sessions that a person opened have none, whatever is linked to them. */
const parentIdOf = (db: ForeignDatabase, row: Row): string | undefined => {
	const isTask = textOf(row['task_type']) !== undefined && row['task_type'] !== 'interactive';
	if (!isTask) return undefined;
	if (!hasColumns(db, 'session_task_link', ['parent_session_id', 'child_session_id'])) {
		return undefined;
	}
	const link = db.get(
		'SELECT parent_session_id AS parent FROM session_task_link WHERE child_session_id = ?',
		String(row['id']),
	);
	return textOf(link?.['parent']);
};

export const extras = (db: ForeignDatabase, row: Row): Extras => {
	const id = String(row['id']);
	return {
		usage: hasColumns(db, 'model_usage', USAGE_COLUMNS) ? db.all(USAGE, id).map(usageOf) : [],
		summaryIds: summaryIdsOf(db, id),
		parentId: parentIdOf(db, row),
	};
};
