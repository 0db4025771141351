/** Counts per value under a query: how many rows of the list have each agent, project, branch, model, tool or date. */
import type {FacetName, FacetValue, PageRequest} from '../library.js';
import type {Database} from '../open.js';
import {allRows} from '../search/answer.js';
import {readDate} from '../search/dates.js';
import {andAll, listed, planSearch} from '../search/plan.js';
import {prepared} from '../statements.js';

/** Value, label, and what has to be joined to `session` (`s`) for them. */
type Columns = readonly [value: string, label: string, join: string];

const COLUMNS: Readonly<Record<Exclude<FacetName, 'date'>, Columns>> = {
	agent: ['s.agent', 's.agent', ''],
	project: ['p.path', 'p.label', 'JOIN project p ON p.id = s.project_id'],
	branch: ['s.branch', 's.branch', ''],
	model: ['s.model', 's.model', ''],
	tool: ['t.name', 't.name', 'JOIN session_tool t ON t.session_id = s.id'],
};

export const facetOf = (
	database: Database,
	name: FacetName,
	request: PageRequest,
): readonly FacetValue[] => {
	const rows = rowsUnder(database, name, request);
	return name === 'date'
		? datesOf(database, rows, request.nowMs)
		: valuesOf(database, rows, COLUMNS[name]);
};

interface Rows {
	readonly sql: string;
	readonly values: readonly (string | number)[];
}

const valuesOf = (
	database: Database,
	rows: Rows,
	[value, label, join]: Columns,
): readonly FacetValue[] =>
	prepared(database)(
		`SELECT ${value} AS value, ${label} AS label, count(*) AS count FROM session s ${join}
		WHERE ${value} IS NOT NULL AND ${rows.sql} GROUP BY ${value} ORDER BY count DESC, ${value}`,
	).all(...rows.values) as FacetValue[];

const RECENT: readonly (readonly [value: string, label: string])[] = [
	['today', 'today'],
	['yesterday', 'yesterday'],
	['7d', 'the last 7 days'],
	['30d', 'the last 30 days'],
	['90d', 'the last 90 days'],
	['365d', 'the last year'],
];

/** What `date:` takes: days and spans up to now, then the months that have sessions, the newest first. */
const datesOf = (database: Database, rows: Rows, nowMs: number): readonly FacetValue[] => {
	const times = prepared(database)(
		`SELECT s.updated_at FROM session s WHERE s.updated_at IS NOT NULL AND ${rows.sql} ORDER BY s.updated_at DESC`,
	)
		.pluck()
		.all(...rows.values) as number[];
	const months = [...new Set(times.map(monthOf))].map(month => [month, month] as const);
	return [...RECENT, ...months]
		.map(([value, label]) => ({value, label, count: times.filter(isWithin(value, nowMs)).length}))
		.filter(({count}) => count > 0);
};

const monthOf = (atMs: number): string => {
	const date = new Date(atMs);
	return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
};

const isWithin = (value: string, nowMs: number): ((atMs: number) => boolean) => {
	const date = readDate(value, nowMs);
	if (date === undefined) return () => false;
	return date.kind === 'point'
		? atMs => atMs >= date.atMs
		: atMs => atMs >= date.fromMs && atMs < date.toMs;
};

/** The rows that the list would have without the facet's own filter. */
const rowsUnder = (database: Database, name: FacetName, request: PageRequest): Rows => {
	const plan = planSearch(
		database,
		{...request, isTyping: false},
		{
			heads: ['title', 'prompt', 'project'],
			isFolded: true,
			omit: OWN_FILTERS[name],
			isRanked: false,
		},
	);
	if (plan.groups.length === 0)
		return {
			sql: `${listed(plan)} AND ${andAll(plan.conditions)}`,
			values: plan.conditions.flatMap(({values}) => values),
		};
	const ids = allRows(database, plan).map(({session}) => session);
	return {sql: 's.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)]};
};

const OWN_FILTERS = {
	agent: ['agent'],
	project: ['project'],
	branch: ['branch'],
	model: ['model'],
	tool: ['tool'],
	date: ['date', 'after', 'before', 'until'],
} as const;
