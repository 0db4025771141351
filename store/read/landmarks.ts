/** Places of a session that keys jump to, over the whole of it: the reader has only some pages of events at hand. */
import type {FileEntry, Landmarks} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';

const SHOWN = `state IN ('live', 'gone')`;

export const landmarksOf = (database: Database, session: number): Landmarks => {
	const positions = (condition: string): readonly number[] =>
		prepared(database)(
			`SELECT position FROM event WHERE session_id = ? AND ${SHOWN} AND ${condition} ORDER BY position`,
		)
			.pluck()
			.all(session) as number[];
	return {
		errors: positions('(is_error = 1 OR exit_code <> 0)'),
		code: positions(`kind = 'message' AND has_code = 1`),
	};
};

interface FileRow {
	readonly path: string;
	readonly reads: number;
	readonly changes: number;
	readonly first_read: number | null;
	readonly first_change: number | null;
}

/** Changed files first, each in the order in which it was first touched. A call and its result count once. */
export const filesOf = (database: Database, session: number): readonly FileEntry[] => {
	const rows = prepared(database)(
		`WITH touch AS (
			SELECT f.path, f.change = 'read' AS is_read, e.position, coalesce(e.call_id, e.id) AS call
			FROM event_file f JOIN event e ON e.id = f.event_id
			WHERE f.session_id = ? AND e.${SHOWN})
		SELECT path,
			count(DISTINCT iif(is_read, call, NULL)) AS reads,
			count(DISTINCT iif(is_read, NULL, call)) AS changes,
			min(iif(is_read, position, NULL)) AS first_read,
			min(iif(is_read, NULL, position)) AS first_change
		FROM touch GROUP BY path ORDER BY first_change IS NULL, coalesce(first_change, first_read)`,
	).all(session) as FileRow[];
	return rows.map(({path, reads, changes, first_read, first_change}) => ({
		path,
		reads,
		changes,
		index: first_change ?? first_read ?? 0,
	}));
};
