import type {Database} from '../open.js';
import {prepared} from '../statements.js';

export interface DueSessions {
	/** Sessions of a root whose files were all last written before a time. */
	readonly due: number;
	/** Of these, those that the mirror has as they are now. */
	readonly mirrored: number;
}

/** Sessions that an agent's clean-up reaches. Sub-agents go with their parents and are not counted. */
export const dueSessions = (
	database: Database,
	{
		agent,
		root,
		beforeMs,
	}: {readonly agent: string; readonly root: string; readonly beforeMs: number},
): DueSessions =>
	prepared(database)(
		`SELECT count(*) AS due, coalesce(sum(is_mirrored), 0) AS mirrored FROM (
			SELECT min(mirrored IS coalesce(source.mark, source.stamps)) AS is_mirrored FROM source JOIN root ON root.id = root_id
			JOIN session ON session.id = session_id
			WHERE root.agent = ? AND root.path = ? AND source.state = 'present' AND hidden_by IS NULL AND is_subagent = 0
			GROUP BY session_id HAVING max(source.mtime) < ?)`,
	).get(agent, root, beforeMs) as DueSessions;
