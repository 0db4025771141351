/** What could not be read, and why a source is not in the list. */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {ProblemView, RootView} from '../types.js';

export const problemsOf = (database: Database, agent?: string): readonly ProblemView[] =>
	prepared(database)(
		`SELECT coalesce(source.agent, root.agent) AS agent, coalesce(source.path, root.path) AS source, code, count,
		place AS "where", detail FROM problem LEFT JOIN source ON source.id = source_id LEFT JOIN root ON root.id = -source_id
		WHERE @agent IS NULL OR coalesce(source.agent, root.agent) = @agent ORDER BY 1, 2, code`,
	).all({agent: agent ?? null}) as ProblemView[];

interface RootRow {
	readonly id: number;
	readonly agent: string;
	readonly path: string;
	readonly state: RootView['state'];
	readonly sources: number;
	readonly shown: number;
	readonly problems: number;
	readonly firstProblem: string | null;
	readonly agentVersion: string | null;
	readonly lastSyncMs: number | null;
	readonly is_unused: number;
}

export const rootViews = (database: Database): readonly RootView[] => {
	const sql = prepared(database);
	const rows = sql(
		`SELECT root.id, root.agent, root.path, root.state, root.sources, root.last_sync AS lastSyncMs,
		(SELECT count(DISTINCT session.id) FROM source JOIN session ON session.id = session_id
			WHERE root_id = root.id AND hidden_by IS NULL) AS shown,
		(SELECT coalesce(sum(source.problems), 0) FROM source WHERE root_id = root.id)
			+ (SELECT coalesce(sum(count), 0) FROM problem WHERE source_id = -root.id) AS problems,
		coalesce((SELECT detail FROM problem WHERE source_id = -root.id LIMIT 1), (SELECT coalesce(error, detail) FROM source LEFT JOIN problem ON source_id = source.id
			WHERE root_id = root.id AND coalesce(error, detail) IS NOT NULL ORDER BY source.id LIMIT 1)) AS firstProblem,
		(SELECT agent_version FROM source JOIN session ON session.id = session_id
			WHERE root_id = root.id AND agent_version IS NOT NULL ORDER BY updated_at DESC LIMIT 1) AS agentVersion,
		state = 'absent' AND origin = 'default' AND NOT EXISTS (SELECT 1 FROM source WHERE root_id = root.id) AS is_unused
		FROM root WHERE origin <> 'import' ORDER BY root.agent, root.path`,
	).all() as RootRow[];
	return rows.map(({id, is_unused, ...row}) => ({
		...row,
		hidden: hiddenSources(database, id),
		isUnused: is_unused === 1,
	}));
};

/** Sources that are in no list, by rule; one that gave no session at all is as empty as a header without messages. */
const hiddenSources = (database: Database, root: number): Readonly<Record<string, number>> => {
	const rows = prepared(database)(
		`SELECT coalesce(hidden_by, 'empty') AS rule, count(*) AS count
		FROM source LEFT JOIN session ON session.id = session_id
		WHERE root_id = ? AND source.state = 'present' AND error IS NULL AND (session.id IS NULL OR hidden_by IS NOT NULL)
		GROUP BY rule ORDER BY rule`,
	).all(root) as {rule: string; count: number}[];
	return Object.fromEntries(rows.map(({rule, count}) => [rule, count]));
};

/** Record kinds that no adapter knows, counted by agent. */
export const unknownKindsOf = (
	database: Database,
): Readonly<Record<string, Readonly<Record<string, number>>>> => {
	const rows = prepared(database)(
		`SELECT agent, kind.key AS kind, sum(kind.value) AS count FROM source, json_each(source.unknown) kind
		WHERE source.unknown <> '{}' GROUP BY agent, kind.key ORDER BY agent, kind.key`,
	).all() as {agent: string; kind: string; count: number}[];
	const kinds: Record<string, Record<string, number>> = {};
	for (const {agent, kind, count} of rows) {
		kinds[agent] ??= {};
		(kinds[agent] as Record<string, number>)[kind] = count;
	}
	return kinds;
};
