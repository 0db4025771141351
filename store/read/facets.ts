/** Counts per value under a query: how many rows of the list have each agent, project, branch, model or tool. */
import type {FacetName, FacetValue, PageRequest} from '../library.js';
import type {Database} from '../open.js';
import {findRows} from '../search/answer.js';
import {andAll, listed, planSearch} from '../search/plan.js';
import {prepared} from '../statements.js';

/** Value, label, and what has to be joined to `session` (`s`) for them. */
const SOURCES: Readonly<Record<FacetName, readonly [value: string, label: string, join: string]>> =
	{
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
	const [value, label, join] = SOURCES[name];
	const rows = rowsUnder(database, name, request);
	return prepared(database)(
		`SELECT ${value} AS value, ${label} AS label, count(*) AS count FROM session s ${join}
		WHERE ${value} IS NOT NULL AND ${rows.sql} GROUP BY ${value} ORDER BY count DESC, ${value}`,
	).all(...rows.values) as FacetValue[];
};

/** The rows that the list would have without the facet's own filter. */
const rowsUnder = (database: Database, name: FacetName, request: PageRequest) => {
	const plan = planSearch(
		database,
		{...request, isTyping: false},
		{heads: ['title', 'prompt', 'project'], isFolded: true, omit: name},
	);
	if (plan.groups.length === 0)
		return {
			sql: `${listed(plan)} AND ${andAll(plan.conditions)}`,
			values: plan.conditions.flatMap(({values}) => values),
		};
	const ids = findRows(database, plan).map(({session}) => session);
	return {sql: 's.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)]};
};
