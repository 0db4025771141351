import {appendMark, applyMark, type MarkChange} from './marks-file.js';
import {type Database, explained} from './open.js';
import {prepared} from './statements.js';
import {retitleSession} from './sync/session-rows.js';
import {createWriteGroup} from './sync/write-group.js';
import type {SessionRef} from './types.js';

export type {MarkChange} from './marks-file.js';

/**
 * Changes the marks of a session, in the database and in `marks.jsonl` beside it, which outlives the loss of the database. Does
 * nothing for a session that is not there.
 * @throws StoreError
 */
export const setMark = (
	database: Database,
	folder: string,
	ref: SessionRef,
	change: MarkChange,
): void =>
	explained(folder, () => {
		const session = prepared(database)(
			"SELECT id, agent, native_id FROM session WHERE agent || ':' || native_id = ?",
		).get(ref) as {id: number; agent: string; native_id: string} | undefined;
		if (session === undefined) return;
		const line = {
			at: new Date().toISOString(),
			agent: session.agent,
			id: session.native_id,
			...change,
		};
		const group = createWriteGroup(database, Date.now);
		group.run(0, () => {
			applyMark(database, line);
			if (change.title !== undefined) retitleSession(group, session.id);
			// Last, so that neither place has the mark when the other could not take it.
			appendMark(folder, line);
		});
		group.end();
	});
