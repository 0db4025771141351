/** What the history adds up to: each session, prompt and model message once, whatever forks and sub-agents share. */
import type {Stats, StatsRow} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {SessionKind} from '../types.js';

/** Sessions that were shown to somebody; sub-agents belong to the one that started them. */
const COUNTED = `s.hidden_by IS NULL AND s.kind <> 'subagent'`;

/** Local days, as everywhere in the program. */
const DAY = (column: string): string => `date(${column} / 1000, 'unixepoch', 'localtime')`;

interface Group {
	/** What the rows are told apart by, over `session` (`s`) and, for usage, `usage` (`u`). */
	readonly ofSession: string;
	readonly ofUsage: string;
	readonly label: string;
}

const GROUPS = {
	byAgent: {ofSession: 's.agent', ofUsage: 's.agent', label: 's.agent'},
	byProject: {ofSession: 'p.path', ofUsage: 'p.path', label: 'p.label'},
	byModel: {
		ofSession: 's.model',
		ofUsage: 'coalesce(u.model, s.model)',
		label: 'coalesce(u.model, s.model)',
	},
	byDay: {
		ofSession: DAY('s.updated_at'),
		ofUsage: DAY('coalesce(u.at, s.updated_at)'),
		label: DAY('coalesce(u.at, s.updated_at)'),
	},
} as const satisfies Readonly<Record<string, Group>>;

type MutableRow = {-readonly [K in keyof StatsRow]: StatsRow[K]};

const emptyRow = (value: string, label: string): MutableRow => ({
	value,
	label,
	sessions: 0,
	prompts: 0,
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	costUsd: null,
});

interface SessionSums {
	readonly value: string | null;
	readonly label: string | null;
	readonly sessions: number;
	readonly prompts: number;
}

interface UsageSums {
	readonly value: string | null;
	readonly label: string | null;
	readonly input: number;
	readonly output: number;
	readonly cache_read: number;
	readonly cache_write: number;
	readonly cost: number | null;
}

const FROM_SESSION = 'FROM session s LEFT JOIN project p ON p.id = s.project_id';

const rowsOf = (database: Database, group: Group, sinceMs: number): readonly StatsRow[] => {
	const rows = new Map<string, MutableRow>();
	const rowFor = (value: string | null, label: string | null): MutableRow => {
		const key = value ?? '';
		const known = rows.get(key) ?? emptyRow(key, label ?? key);
		rows.set(key, known);
		return known;
	};
	const sessions = prepared(database)(
		`SELECT ${group.ofSession} AS value, ${group.label.includes('u.') ? group.ofSession : group.label} AS label,
		count(*) AS sessions, sum(s.prompts) AS prompts
		${FROM_SESSION} WHERE ${COUNTED} AND coalesce(s.updated_at, 0) >= ? GROUP BY value`,
	).all(sinceMs) as SessionSums[];
	for (const {value, label, sessions: count, prompts} of sessions) {
		const row = rowFor(value, label);
		row.sessions += count;
		row.prompts += prompts;
	}
	// State `copied`: the message is counted at the session that it was copied from.
	const usage = prepared(database)(
		`SELECT ${group.ofUsage} AS value, ${group.label} AS label, sum(u.input) AS input, sum(u.output) AS output,
		sum(u.cache_read) AS cache_read, sum(u.cache_write) AS cache_write, sum(u.cost_usd) AS cost
		FROM usage u JOIN session s ON s.id = u.session_id LEFT JOIN project p ON p.id = s.project_id
		WHERE u.state <> 'copied' AND s.hidden_by IS NULL AND coalesce(u.at, s.updated_at, 0) >= ? GROUP BY value`,
	).all(sinceMs) as UsageSums[];
	for (const {value, label, input, output, cache_read, cache_write, cost} of usage) {
		const row = rowFor(value, label);
		row.input += input;
		row.output += output;
		row.cacheRead += cache_read;
		row.cacheWrite += cache_write;
		if (cost !== null) row.costUsd = (row.costUsd ?? 0) + cost;
	}
	return [...rows.values()];
};

/** The fullest first, days in their order. */
const byWeight = (a: StatsRow, b: StatsRow): number =>
	b.output + b.input - (a.output + a.input) || b.sessions - a.sessions;

const byValue = (a: StatsRow, b: StatsRow): number => (a.value < b.value ? -1 : 1);

const total = (rows: readonly StatsRow[]): StatsRow => {
	const sum = emptyRow('', 'all');
	for (const row of rows) {
		sum.sessions += row.sessions;
		sum.prompts += row.prompts;
		sum.input += row.input;
		sum.output += row.output;
		sum.cacheRead += row.cacheRead;
		sum.cacheWrite += row.cacheWrite;
		if (row.costUsd !== null) sum.costUsd = (sum.costUsd ?? 0) + row.costUsd;
	}
	return sum;
};

/** From a moment on; of a session that began before it, what was said and spent since then. */
export const statsOf = (database: Database, sinceMs: number): Stats => {
	const byAgent = rowsOf(database, GROUPS.byAgent, sinceMs);
	const ofKind = (kind: SessionKind): number =>
		prepared(database)(
			'SELECT count(*) FROM session WHERE hidden_by IS NULL AND kind = ? AND coalesce(updated_at, 0) >= ?',
		)
			.pluck()
			.get(kind, sinceMs) as number;
	return {
		total: total(byAgent),
		automated: ofKind('automated'),
		subagents: ofKind('subagent'),
		byDay: rowsOf(database, GROUPS.byDay, sinceMs)
			.filter(({value}) => value !== '')
			.toSorted(byValue),
		byAgent: byAgent.toSorted(byWeight),
		byProject: rowsOf(database, GROUPS.byProject, sinceMs).toSorted(byWeight),
		byModel: rowsOf(database, GROUPS.byModel, sinceMs).toSorted(byWeight),
	};
};
