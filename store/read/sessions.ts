/** Session rows as views. */
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {
	ParentView,
	SessionKind,
	SessionRef,
	SessionView,
	SourceState,
	TitleFrom,
} from '../types.js';

interface SessionRow {
	readonly id: number;
	readonly agent: string;
	readonly native_id: string;
	readonly title: string;
	readonly title_from: TitleFrom;
	readonly project: string | null;
	readonly project_path: string | null;
	readonly cwd: string | null;
	readonly branch: string | null;
	readonly model: string | null;
	readonly agent_version: string | null;
	readonly kind: SessionKind;
	readonly created_at: number | null;
	readonly updated_at: number | null;
	readonly prompts: number;
	readonly replies: number;
	readonly tool_calls: number;
	readonly events: number;
	readonly input_tokens: number | null;
	readonly output_tokens: number | null;
	readonly cache_read_tokens: number | null;
	readonly cache_write_tokens: number | null;
	readonly reasoning_tokens: number | null;
	readonly cost_usd: number | null;
	readonly parent_native: string | null;
	readonly parent_relation: ParentView['relation'] | null;
	readonly parent_certainty: ParentView['certainty'] | null;
	readonly parent_id: number | null;
	readonly parent_key: string | null;
	readonly children: number;
	readonly starred: number | null;
	readonly tags: string | null;
	readonly note: string | null;
	readonly source_state: SourceState;
	readonly location: string;
	readonly problems: number;
	readonly resume_env: string;
	readonly resume_hint: string;
	readonly is_running: number;
	readonly continued_in: string | null;
}

const FROM = `FROM session s LEFT JOIN project p ON p.id = s.project_id
	LEFT JOIN mark m ON m.agent = s.agent AND m.native_id = s.native_id
	LEFT JOIN event pe ON pe.id = s.parent_event`;
const SELECT = `SELECT s.*, p.label AS project, p.path AS project_path, m.starred, m.tags, m.note, pe.key AS parent_key`;

export const refOf = (agent: string, nativeId: string): SessionRef => `${agent}:${nativeId}`;

/** Views of the given rows, by row id. */
export const sessionViews = (
	database: Database,
	ids: readonly number[],
): ReadonlyMap<number, SessionView> => {
	const rows = prepared(database)(
		`${SELECT} ${FROM} WHERE s.id IN (SELECT value FROM json_each(?))`,
	).all(JSON.stringify(ids)) as SessionRow[];
	return new Map(rows.map(row => [row.id, viewOf(row)]));
};

export const sessionView = (database: Database, id: number): SessionView | undefined =>
	sessionViews(database, [id]).get(id);

/** Direct sub-agents, oldest first. */
export const childrenOf = (database: Database, id: number): readonly SessionView[] =>
	relatives(
		database,
		`${SELECT} ${FROM} WHERE s.parent_id = ? AND s.parent_relation = 'subagent' AND s.hidden_by IS NULL
		ORDER BY s.created_at, s.id`,
		id,
	);

/** Forks and continuations, oldest first. */
export const followersOf = (database: Database, id: number): readonly SessionView[] =>
	relatives(
		database,
		`${SELECT} ${FROM} WHERE s.parent_id = ? AND s.parent_relation IN ('fork', 'continuation') AND s.hidden_by IS NULL
		ORDER BY s.created_at, s.id`,
		id,
	);

const relatives = (database: Database, sql: string, id: number): readonly SessionView[] =>
	(prepared(database)(sql).all(id) as SessionRow[]).map(viewOf);

/** Row id of a reference as we print it. An agent id holds no colon, a native id may. */
export const sessionRowId = (database: Database, ref: SessionRef): number | undefined => {
	const colon = ref.indexOf(':');
	if (colon < 0) return undefined;
	const row = prepared(database)(
		'SELECT id FROM session WHERE agent = ? AND native_id = ? AND hidden_by IS NULL',
	).get(ref.slice(0, colon), ref.slice(colon + 1)) as {id: number} | undefined;
	return row?.id;
};

export const countSessions = (database: Database) => {
	const row = prepared(database)(
		`SELECT count(*) AS sessions, count(DISTINCT agent) AS agents, (SELECT max(last_sync) FROM root) AS lastSync
		FROM session WHERE hidden_by IS NULL AND kind IN ('main', 'imported')`,
	).get() as {sessions: number; agents: number; lastSync: number | null};
	return {sessions: row.sessions, agents: row.agents, lastSyncMs: row.lastSync};
};

const viewOf = (row: SessionRow): SessionView => ({
	rowId: row.id,
	ref: refOf(row.agent, row.native_id),
	agent: row.agent,
	id: row.native_id,
	title: row.title,
	titleFrom: row.title_from,
	project: row.project,
	projectDir: row.project_path,
	cwd: row.cwd,
	branch: row.branch,
	model: row.model,
	agentVersion: row.agent_version,
	kind: row.kind,
	createdAtMs: row.created_at,
	updatedAtMs: row.updated_at,
	prompts: row.prompts,
	replies: row.replies,
	messages: row.prompts + row.replies,
	toolCalls: row.tool_calls,
	events: row.events,
	tokens: tokensOf(row),
	costUsd: row.cost_usd,
	parent: parentOf(row),
	children: row.children,
	starred: row.starred === 1,
	tags: JSON.parse(row.tags ?? '[]') as string[],
	note: row.note,
	sourceState: row.source_state,
	location: row.location,
	problems: row.problems,
	resumeEnv: JSON.parse(row.resume_env) as Record<string, string>,
	resumeHint: JSON.parse(row.resume_hint) as Record<string, string>,
	isRunning: row.is_running === 1,
	continuedIn: row.continued_in,
});

const tokensOf = (row: SessionRow): SessionView['tokens'] => {
	if (row.input_tokens === null && row.output_tokens === null) return null;
	return {
		input: row.input_tokens ?? 0,
		output: row.output_tokens ?? 0,
		cacheRead: row.cache_read_tokens ?? 0,
		cacheWrite: row.cache_write_tokens ?? 0,
		reasoning: row.reasoning_tokens ?? 0,
	};
};

const parentOf = (row: SessionRow): ParentView | null => {
	if (row.parent_native === null || row.parent_relation === null) return null;
	const ref = refOf(row.agent, row.parent_native);
	return {
		ref,
		relation: row.parent_relation,
		certainty: row.parent_certainty ?? 'unknown',
		event: row.parent_key === null ? null : `${ref}:${row.parent_key}`,
		isKnown: row.parent_id !== null,
	};
};
