import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {Writer} from './write-group.js';

/**
 * Several forms of one session (Cursor's transcript, chat database, editor database; DESIGN section 2): only the form of the
 * highest rank that was ever read is shown. A poorer one is shown until then, and its rows go when a richer one is read.
 */

/** True when the session has events of a form with a higher rank than this source's. */
export const hasRicherForm = (database: Database, sessionId: number, rank: number): boolean =>
	prepared(database)(
		`SELECT 1 FROM source WHERE session_id = ? AND rank > ? AND id IN (SELECT source_id FROM event WHERE session_id = source.session_id) LIMIT 1`,
	).get(sessionId, rank) !== undefined;

/** Takes the rows of poorer forms away. Their usage goes as well: it counts under other keys what the richer form counts again. */
export const removePoorerForms = (
	{database, index}: Writer,
	sessionId: number,
	rank: number,
): void => {
	const sql = prepared(database);
	if (!sql('SELECT 1 FROM source WHERE session_id = ? AND rank < ? LIMIT 1').get(sessionId, rank))
		return;
	const rows = sql(
		`SELECT event.id, kind FROM event JOIN source ON source.id = source_id
		WHERE event.session_id = ? AND source.rank < ?`,
	).all(sessionId, rank) as {id: number; kind: string}[];
	if (rows.length === 0) return;
	for (const {id, kind} of rows) {
		index.remove(id, kind);
		sql('DELETE FROM event_file WHERE session_id = ? AND event_id = ?').run(sessionId, id);
		sql('DELETE FROM event_alias WHERE session_id = ? AND event_id = ?').run(sessionId, id);
		sql('DELETE FROM event WHERE id = ?').run(id);
	}
	sql('DELETE FROM usage WHERE session_id = ?').run(sessionId);
};
