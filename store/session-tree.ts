import type {Database} from './open.js';
import {prepared} from './statements.js';

/** Sessions with all their sub-agents, which come behind them. */
export const withSubagents = (database: Database, ids: readonly number[]): readonly number[] => {
	const sql = prepared(database);
	const found = new Set(ids);
	for (const id of found) {
		const children = sql(
			`SELECT child.id FROM session AS child JOIN session AS parent ON parent.id = ?
			WHERE child.agent = parent.agent AND child.id <> parent.id AND child.is_imported = parent.is_imported
			AND ((child.parent_id = parent.id AND child.parent_relation = 'subagent')
				OR (child.is_subagent = 1 AND child.native_id > parent.native_id || '/' AND child.native_id < parent.native_id || '0'))`,
		).all(id) as {id: number}[];
		for (const child of children) found.add(child.id);
	}
	return [...found];
};
