import type {SessionFacts} from '../../adapters/model.js';
import type {Database} from '../open.js';
import {indexText} from '../search/normalise.js';
import {prepared} from '../statements.js';
import {type FirstText, titleOf} from './title.js';
import type {Writer} from './write-group.js';

/** How much of the first prompts the heads index holds. */
const HEAD_CHARS = 500;

/** A source as far as a session is derived from it. */
interface SourceFacts {
	readonly id: number;
	readonly path: string;
	readonly state: string;
	readonly rank: number;
	readonly preference: number;
	readonly mtime: number;
	readonly problems: number;
	readonly facts: string | null;
	readonly outside: string | null;
	readonly resume_env: string;
}

type FindProject = (
	cwd: string,
	checkout: string | null,
) => {readonly path: string; readonly label: string; readonly isFound: boolean};

/** The row of a session of our own making, still empty of facts; the id is returned. */
export const ensureSession = (
	database: Database,
	agent: string,
	nativeId: string,
): {readonly id: number; readonly isNew: boolean} => {
	const sql = prepared(database);
	const known = sql('SELECT id FROM session WHERE agent = ? AND native_id = ?').get(
		agent,
		nativeId,
	) as {id: number} | undefined;
	if (known) return {id: known.id, isNew: false};
	const {lastInsertRowid} = sql('INSERT INTO session(agent, native_id) VALUES (?, ?)').run(
		agent,
		nativeId,
	);
	return {id: Number(lastInsertRowid), isNew: true};
};

/**
 * Brings the row of a session in line with its sources and events: merged facts, counts, times, title, state. Returns true when
 * the row changed.
 */
export const deriveSession = (writer: Writer, id: number, findProject: FindProject): boolean => {
	const {database} = writer;
	const sql = prepared(database);
	const before = sql('SELECT * FROM session WHERE id = ?').get(id) as
		| Record<string, unknown>
		| undefined;
	if (before === undefined) return false;
	const sources = orderedSources(database, id);
	const facts = mergeFacts(sources);
	const counts = countEvents(database, id);
	const usage = sumUsage(database, id, facts);
	const isSubagent = facts.isSubagent === true;
	const owner = sources[0];
	const title = titleOf(
		{
			own: ownTitle(database, before),
			custom: facts.customTitle,
			generated: facts.generatedTitle,
			description: isSubagent ? facts.description : null,
		},
		firstTexts(database, id, 'user'),
		firstTexts(database, id, 'assistant'),
	);
	const isEmpty = counts.spoken === 0 && !(isSubagent && counts.events > 0);
	const row = {
		custom_title: facts.customTitle ?? null,
		generated_title: facts.generatedTitle ?? null,
		description: facts.description ?? null,
		cwd: facts.cwd ?? null,
		branch: facts.branch ?? null,
		model: facts.model ?? null,
		agent_version: facts.agentVersion ?? null,
		checkout: facts.checkout ?? null,
		is_subagent: Number(isSubagent),
		continued_in: facts.continuedIn ?? null,
		is_running: Number(facts.running === true),
		born_at: facts.bornAtMs ?? null,
		resume_env: owner?.resume_env ?? (before['resume_env'] as string),
		resume_hint: JSON.stringify(facts.resumeHint ?? {}),
		...projectColumns(database, before, facts, findProject),
		...statedParent(before, facts),
		title: title.text,
		title_from: title.from,
		kind: kindOf(before, facts, counts),
		hidden_by: facts.hiddenBy ?? (isEmpty ? 'empty' : null),
		created_at:
			// A sub-agent begins with its task, which is no message of its own.
			(isSubagent ? counts.first_at : counts.created_at) ??
			counts.first_at ??
			facts.createdAtMs ??
			facts.bornAtMs ??
			owner?.mtime ??
			null,
		updated_at: counts.updated_at ?? counts.last_at ?? facts.updatedAtMs ?? owner?.mtime ?? null,
		prompts: counts.prompts,
		replies: counts.replies,
		tool_calls: counts.tool_calls,
		events: counts.events,
		errors: counts.errors,
		images: counts.images,
		code_blocks: counts.code_blocks,
		...usage,
		problems: sources.reduce((sum, source) => sum + source.problems, 0),
		source_state: sourceState(before, sources, facts),
		location: owner?.path ?? (before['location'] as string),
	};
	const rounded = {
		...row,
		created_at: row.created_at === null ? null : Math.round(row.created_at),
		updated_at: row.updated_at === null ? null : Math.round(row.updated_at),
	};
	const changed = Object.entries(rounded).filter(([name, value]) => before[name] !== value);
	writeDirectories(database, id, facts);
	writeTools(database, id);
	if (changed.length === 0) return false;
	database
		.prepare(
			`UPDATE session SET ${changed.map(([name]) => `${name} = @${name}`).join(', ')} WHERE id = @id`,
		)
		.run({...Object.fromEntries(changed), id});
	writeHead(writer, id);
	return true;
};

/** Brings the title of a session in line with the user's own one. */
export const retitleSession = (writer: Writer, id: number): void => {
	const {database} = writer;
	const sql = prepared(database);
	const session = sql('SELECT * FROM session WHERE id = ?').get(id) as Record<
		string,
		string | null
	>;
	const title = titleOf(
		{
			own: ownTitle(database, session),
			custom: session['custom_title'],
			generated: session['generated_title'],
			description: session['kind'] === 'subagent' ? session['description'] : null,
		},
		firstTexts(database, id, 'user'),
		firstTexts(database, id, 'assistant'),
	);
	sql('UPDATE session SET title = ?, title_from = ? WHERE id = ?').run(title.text, title.from, id);
	writeHead(writer, id);
};

/** The sources of a session, the one that owns it first (DESIGN section 2). */
const orderedSources = (database: Database, id: number): readonly SourceFacts[] => {
	const rows = prepared(database)(
		`SELECT source.id, source.path, source.state, rank, preference, mtime, problems, facts, outside, root.resume_env
		FROM source JOIN root ON root.id = source.root_id WHERE session_id = ?`,
	).all(id) as SourceFacts[];
	const isAtHome = (source: SourceFacts) => Number(factsOf(source).isAtHome === true);
	return rows.toSorted(
		(a, b) =>
			Number(b.state !== 'missing') - Number(a.state !== 'missing') ||
			b.rank - a.rank ||
			isAtHome(b) - isAtHome(a) ||
			a.preference - b.preference ||
			b.mtime - a.mtime ||
			a.id - b.id,
	);
};

const factsOf = (source: SourceFacts): SessionFacts => ({
	...(JSON.parse(source.facts ?? '{}') as SessionFacts),
	...(JSON.parse(source.outside ?? '{}') as SessionFacts),
});

/** The owner's values win; what it does not say comes from the others. Directories add up. */
const mergeFacts = (sources: readonly SourceFacts[]): SessionFacts => {
	const all = sources.map(factsOf);
	const merged: Record<string, unknown> = {};
	for (const facts of all)
		for (const [name, value] of Object.entries(facts))
			if (merged[name] === undefined || merged[name] === null) merged[name] = value;
	// Only the owner knows whether the agent has the session in its archive, and the first copy when it was begun.
	const born = all.flatMap(facts => facts.bornAtMs ?? []);
	return {
		...(merged as SessionFacts),
		...(all[0]?.archived === undefined ? {archived: false} : {archived: all[0].archived}),
		...(born.length > 0 ? {bornAtMs: Math.min(...born)} : {}),
		directories: [...new Set(all.flatMap(facts => facts.directories ?? []))],
	};
};

interface EventCounts {
	readonly events: number;
	readonly spoken: number;
	readonly prompts: number;
	readonly headless: number;
	readonly replies: number;
	readonly tool_calls: number;
	readonly errors: number;
	readonly images: number;
	readonly code_blocks: number;
	/** Of the own real messages. */
	readonly created_at: number | null;
	readonly updated_at: number | null;
	/** Of everything, copies included: the fallback. */
	readonly first_at: number | null;
	readonly last_at: number | null;
}

const COUNTS = `SELECT
	coalesce(sum(own), 0) AS events,
	coalesce(sum(kind NOT IN ('meta', 'summary')), 0) AS spoken,
	coalesce(sum(own AND role = 'user' AND input <> 'local'), 0) AS prompts,
	coalesce(sum(own AND role = 'user' AND input = 'headless'), 0) AS headless,
	count(DISTINCT CASE WHEN own AND role = 'assistant' THEN coalesce(message_id, key) END) AS replies,
	count(DISTINCT CASE WHEN own AND kind = 'tool_use' THEN coalesce(call_id, key) END) AS tool_calls,
	coalesce(sum(own AND is_error = 1), 0) AS errors,
	coalesce(sum(own AND has_image), 0) AS images,
	coalesce(sum(own AND has_code), 0) AS code_blocks,
	min(CASE WHEN own AND real THEN at END) AS created_at,
	max(CASE WHEN own AND real THEN at END) AS updated_at,
	min(at) AS first_at, max(at) AS last_at
FROM (SELECT *, state IN ('live', 'gone') AS own,
	kind NOT IN ('meta', 'summary') AND input IS NOT 'local' AS real FROM event WHERE session_id = ?)`;

const countEvents = (database: Database, id: number): EventCounts =>
	prepared(database)(COUNTS).get(id) as EventCounts;

const kindOf = (
	before: Readonly<Record<string, unknown>>,
	{isSubagent, isAutomated}: SessionFacts,
	{prompts, headless}: EventCounts,
): string => {
	if (before['is_imported'] === 1) return 'imported';
	if (isSubagent === true) return 'subagent';
	if (headless < prompts) return 'main';
	return prompts > 0 || isAutomated === true ? 'automated' : 'main';
};

const sumUsage = (database: Database, id: number, facts: SessionFacts) => {
	const row = prepared(database)(
		`SELECT count(*) AS records, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
		sum(cache_write) AS cache_write, sum(reasoning) AS reasoning, sum(cost_usd) AS cost
		FROM usage WHERE session_id = ? AND state = 'live'`,
	).get(id) as Record<string, number | null>;
	const stated = row['records'] === 0 ? facts.tokens : null;
	return {
		input_tokens: stated?.input ?? row['input'] ?? null,
		output_tokens: stated?.output ?? row['output'] ?? null,
		cache_read_tokens: stated?.cacheRead ?? row['cache_read'] ?? null,
		cache_write_tokens: stated?.cacheWrite ?? row['cache_write'] ?? null,
		reasoning_tokens: stated?.reasoning ?? row['reasoning'] ?? null,
		cost_usd: facts.costUsd ?? row['cost'] ?? null,
	};
};

const ownTitle = (database: Database, session: Readonly<Record<string, unknown>>): string | null =>
	(
		prepared(database)('SELECT title FROM mark WHERE agent = ? AND native_id = ?').get(
			session['agent'],
			session['native_id'],
		) as {title: string | null} | undefined
	)?.title ?? null;

/** The first own messages, enough to find a title among commands; of a fork that was never continued the copied ones. */
const firstTexts = (
	database: Database,
	id: number,
	role: 'user' | 'assistant',
): readonly FirstText[] => {
	const own = textsIn(database, {id, role, states: ['live', 'gone']});
	return own.length > 0 ? own : textsIn(database, {id, role, states: ['copied']});
};

const textsIn = (
	database: Database,
	{
		id,
		role,
		states,
	}: {readonly id: number; readonly role: string; readonly states: readonly string[]},
) =>
	prepared(database)(
		`SELECT substr(text, 1, 4000) AS text, input FROM event WHERE session_id = ? AND role = ?
		AND state IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT 20`,
	).all(id, role, JSON.stringify(states)) as FirstText[];

const projectColumns = (
	database: Database,
	before: Readonly<Record<string, unknown>>,
	facts: SessionFacts,
	findProject: FindProject,
) => {
	if (!facts.cwd) return {project_id: null, project_is_found: 0};
	const project = findProject(facts.cwd, facts.checkout ?? null);
	// Settled while the directory existed: a directory that went away does not move the session to another project.
	if (!project.isFound && before['project_is_found'] === 1 && before['cwd'] === facts.cwd)
		return {project_id: before['project_id'] as number, project_is_found: 1};
	const id = projectId(database, project);
	return {project_id: id, project_is_found: Number(project.isFound)};
};

const projectId = (database: Database, project: ReturnType<FindProject>): number => {
	const sql = prepared(database);
	const known = sql('SELECT id FROM project WHERE path = ?').get(project.path) as
		| {id: number}
		| undefined;
	if (known) return known.id;
	return Number(
		sql('INSERT INTO project(path, label) VALUES (?, ?)').run(project.path, project.label)
			.lastInsertRowid,
	);
};

/** The relation as the store states it. What the links pass found without a pointer stays until one is stated. */
const statedParent = (before: Readonly<Record<string, unknown>>, {parent}: SessionFacts) =>
	parent
		? {
				parent_native: parent.id,
				parent_relation: parent.relation,
				parent_certainty: parent.certainty,
				parent_before_key: parent.beforeKey ?? null,
				parent_call_id: parent.callId ?? null,
			}
		: {parent_native: before['parent_native'] as string | null};

const sourceState = (
	before: Readonly<Record<string, unknown>>,
	sources: readonly SourceFacts[],
	facts: SessionFacts,
): string => {
	if (before['is_imported'] === 1) return 'present';
	if (sources.every(source => source.state === 'missing')) return 'deleted';
	return facts.archived === true ? 'archived' : 'present';
};

const writeDirectories = (database: Database, id: number, facts: SessionFacts): void => {
	const sql = prepared(database);
	for (const path of new Set([facts.cwd, ...(facts.directories ?? [])]))
		if (path) sql('INSERT OR IGNORE INTO session_directory VALUES (?, ?)').run(id, path);
};

const writeTools = (database: Database, id: number): void => {
	const sql = prepared(database);
	sql('DELETE FROM session_tool WHERE session_id = ?').run(id);
	const uses = sql(
		`SELECT tool_name AS name, count(*) AS uses FROM event WHERE session_id = ? AND kind = 'tool_use'
		AND tool_name IS NOT NULL AND state IN ('live', 'gone') GROUP BY tool_name`,
	).all(id) as {name: string; uses: number}[];
	for (const {name, uses: count} of uses)
		sql('INSERT INTO session_tool VALUES (?, ?, ?)').run(id, name, count);
};

/** The row of a session in `head_fts`: title, first prompts, project. */
const writeHead = ({database, index}: Writer, id: number): void => {
	const sql = prepared(database);
	const head = sql(
		`SELECT title, coalesce(project.label || ' ' || project.path, '') AS project FROM session
		LEFT JOIN project ON project.id = project_id WHERE session.id = ?`,
	).get(id) as {title: string; project: string};
	const prompts = firstTexts(database, id, 'user').map(({text}) => text);
	index.head(id, {
		title: indexText(head.title),
		prompt: indexText(prompts.join('\n').slice(0, HEAD_CHARS)),
		project: indexText(head.project),
	});
};
