/** Filters of the query text and of the command line as SQL conditions on `session` rows (alias `s`). */
import {statSync} from 'node:fs';
import type {Filters} from '../library.js';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {checkoutAround, normalisedPath} from '../sync/project.js';
import {readDate} from './dates.js';
import {HAS_VALUES, type HasValue, IS_VALUES, type IsValue} from './filter-values.js';
import type {FilterName, Query} from './query.js';
import {SCOPE_VALUES} from './scope.js';
import {fold} from './words.js';

export interface Condition {
	readonly sql: string;
	readonly values: readonly (string | number)[];
}

export interface SessionFilter {
	readonly conditions: readonly Condition[];
	/** Sub-agents or automated sessions are asked for by name: they are rows of their own. */
	readonly isByKind: boolean;
	/** What was typed as a filter but means none. */
	readonly notes: readonly string[];
}

interface Surroundings {
	readonly database: Database;
	readonly nowMs: number;
	/** What stands in the column `text` of a statement's rows, each statement run once. */
	readonly texts: (sql: string) => readonly string[];
}

/** `omit`: filters that do not count, such as the one whose values are to be counted. */
export const sessionFilter = (
	database: Database,
	query: Query,
	{filters, omit}: {readonly filters: Filters; readonly omit: readonly FilterWord[]},
): SessionFilter => {
	const around = {database, nowMs: query.nowMs, texts: createTexts(database)};
	const notes: string[] = [];
	const conditions: Condition[] = [];
	const {kept, isCut} = bounded(mergedParts(query));
	const parts = [...flagParts(filters), ...kept].filter(
		({name}) => !omit.some(omitted => omitted === name),
	);
	if (isCut) notes.push(`Only the first ${MAX_VALUES} filters count.`);
	for (const {name, values, isNegated} of parts) {
		const read = values.map(value => ({value, condition: FILTERS[name](value, around)}));
		const understood = read.flatMap(({condition}) => condition ?? []);
		for (const {value, condition} of read)
			if (!condition) notes.push(`${name}:${value} is no filter${EXPECTED[name] ?? ''}.`);
		if (understood.length > 0)
			conditions.push(isNegated ? negated(any(understood)) : any(understood));
	}
	if (filters.here !== undefined) conditions.push(here(database, filters.here));
	return {conditions, isByKind: filters.isAll === true || asksForKind(query), notes};
};

/** A filter on sessions: `in:` limits words, `until` is a flag only. */
export type FilterWord = Exclude<FilterName, 'in'> | 'until';

interface FilterPart {
	readonly name: FilterWord;
	readonly values: readonly string[];
	readonly isNegated: boolean;
}

const flagParts = ({agents, project, since, until}: Filters): readonly FilterPart[] => {
	const flags = [
		['agent', agents],
		['project', project],
		['after', since],
		['until', until],
	] as const;
	return flags.flatMap(([name, value]) =>
		value === undefined || value.length === 0
			? []
			: {name, values: typeof value === 'string' ? [value] : value, isNegated: false},
	);
};

// A session has one of each: two filters of the name can only be meant as a choice.
const CHOICES: readonly FilterName[] = ['agent', 'project', 'branch', 'model', 'id'];

/** What was typed once more counts once; `-agent:x -agent:y` is `-agent:x,y`. */
const mergedParts = (query: Query): readonly FilterPart[] => {
	const parts: FilterPart[] = [];
	for (const part of query.parts) {
		if (part.kind !== 'filter' || part.name === 'in') continue;
		const {name, isNegated} = part;
		const values = [...new Set(part.values)];
		const isSame = (known: FilterPart): boolean =>
			known.name === name &&
			known.isNegated === isNegated &&
			(isNegated || CHOICES.includes(name) || known.values.join() === values.join());
		const at = parts.findIndex(isSame);
		const known = parts[at];
		if (known) parts[at] = {...known, values: [...new Set([...known.values, ...values])]};
		else parts.push({name, values, isNegated});
	}
	return parts;
};

// Each costs a look at the sessions, and SQLite takes no expression of a thousand ORs.
const MAX_VALUES = 32;

const bounded = (
	parts: readonly FilterPart[],
): {readonly kept: readonly FilterPart[]; readonly isCut: boolean} => {
	let left = MAX_VALUES;
	let isCut = false;
	const kept = parts.flatMap(part => {
		const values = part.values.slice(0, left);
		left -= values.length;
		isCut ||= values.length < part.values.length;
		return values.length > 0 ? [{...part, values}] : [];
	});
	return {kept, isCut};
};

const asksForKind = (query: Query): boolean =>
	query.parts.some(
		part =>
			part.kind === 'filter' &&
			part.name === 'is' &&
			!part.isNegated &&
			part.values.some(value => /^(?:subagent|automated)$/i.test(value)),
	);

const condition = (sql: string, ...values: (string | number)[]): Condition => ({sql, values});

const any = (conditions: readonly Condition[]): Condition => ({
	sql: `(${conditions.map(({sql}) => sql).join(' OR ')})`,
	values: conditions.flatMap(({values}) => values),
});

const negated = ({sql, values}: Condition): Condition => ({
	sql: `NOT coalesce(${sql}, 0)`,
	values,
});

const oneOf = (column: string, values: readonly (string | number)[]): Condition =>
	condition(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));

type ReadFilter = (value: string, around: Surroundings) => Condition | undefined;

const FILTERS: Readonly<Record<FilterWord, ReadFilter>> = {
	agent: (value, {texts}) => {
		const known = texts('SELECT DISTINCT agent AS text FROM session');
		return oneOf('s.agent', exactOrBeginning(known, value));
	},
	project: (value, {database}) => project(database, value),
	branch: (value, {texts}) => {
		const known = texts('SELECT DISTINCT branch AS text FROM session WHERE branch IS NOT NULL');
		return oneOf('s.branch', exactOrPart(known, value));
	},
	model: (value, {texts}) => {
		const known = texts('SELECT DISTINCT model AS text FROM session WHERE model IS NOT NULL');
		return oneOf('s.model', exactOrPart(known, value));
	},
	tool: (value, {texts}) => {
		const known = texts('SELECT DISTINCT name AS text FROM session_tool');
		const names = JSON.stringify(exactOrPart(known, value));
		return condition(
			's.id IN (SELECT session_id FROM session_tool WHERE name IN (SELECT value FROM json_each(?)))',
			names,
		);
	},
	file: value =>
		condition(
			`s.id IN (SELECT session_id FROM event_file WHERE '/' || replace(path, '\\', '/') LIKE ? ESCAPE '\\')`,
			filePattern(value),
		),
	after: (value, {nowMs}) => {
		const date = readDate(value, nowMs);
		return date && condition('s.updated_at >= ?', date.kind === 'span' ? date.fromMs : date.atMs);
	},
	before: (value, {nowMs}) => {
		const date = readDate(value, nowMs);
		return date && condition('s.updated_at < ?', date.kind === 'span' ? date.fromMs : date.atMs);
	},
	/** `--until 2026-11-01` means with that day, `before:2026-11-01` without it. */
	until: (value, {nowMs}) => {
		const date = readDate(value, nowMs);
		return date && condition('s.updated_at < ?', date.kind === 'span' ? date.toMs : date.atMs);
	},
	date: (value, {nowMs}) => {
		const date = readDate(value, nowMs);
		if (date?.kind === 'point') return condition('s.updated_at >= ?', date.atMs);
		return date && condition('s.updated_at >= ? AND s.updated_at < ?', date.fromMs, date.toMs);
	},
	is: (value, around) => {
		const known = IS_VALUES.find(name => name === value.toLowerCase());
		return known && IS[known](around);
	},
	has: value => {
		const known = HAS_VALUES.find(name => name === value.toLowerCase());
		return known && condition(`s.${HAS[known]} > 0`);
	},
	id: value =>
		condition(
			`(substr(s.native_id, 1, length(?)) = ? OR substr(s.agent || ':' || s.native_id, 1, length(?)) = ?
			OR instr(s.native_id, '/' || ?) > 0)`,
			...Array<string>(5).fill(value),
		),
};

const LIVE_MS = 5 * 60_000;

const IS: Readonly<Record<IsValue, (around: Surroundings) => Condition>> = {
	starred: () =>
		condition('(s.agent, s.native_id) IN (SELECT agent, native_id FROM mark WHERE starred = 1)'),
	deleted: () => condition("s.source_state = 'deleted'"),
	archived: () => condition("s.source_state = 'archived'"),
	subagent: () => condition("s.kind = 'subagent'"),
	automated: () => condition("s.kind = 'automated'"),
	imported: () => condition("s.kind = 'imported'"),
	live: ({nowMs}) => condition('(s.is_running = 1 OR s.updated_at >= ?)', nowMs - LIVE_MS),
	'missing-dir': ({texts}) => {
		const used = texts(
			'SELECT DISTINCT cwd AS text FROM session WHERE cwd IS NOT NULL AND hidden_by IS NULL',
		);
		return oneOf(
			's.cwd',
			used.filter(path => !isDirectory(path)),
		);
	},
};

const HAS: Readonly<Record<HasValue, string>> = {
	error: 'errors',
	image: 'images',
	code: 'code_blocks',
};

const DATES = ': 2d, 1w, today, yesterday, 2026-11-01 or 2026-11';
const EXPECTED: Readonly<Partial<Record<FilterWord, string>>> = {
	after: DATES,
	before: DATES,
	until: DATES,
	date: DATES,
	is: `: ${IS_VALUES.join(', ')}`,
	has: `: ${HAS_VALUES.join(', ')}`,
};

/** Unknown values of `in:`, which limits the words and not the sessions. */
export const scopeNotes = (query: Query): readonly string[] =>
	query.parts
		.flatMap(part => (part.kind === 'filter' && part.name === 'in' ? part.values : []))
		.filter(value => !SCOPE_VALUES.includes(value.toLowerCase()))
		.map(value => `in:${value} is no filter: ${SCOPE_VALUES.join(', ')}.`);

const createTexts = (database: Database): Surroundings['texts'] => {
	const known = new Map<string, readonly string[]>();
	return sql => {
		const texts =
			known.get(sql) ?? (prepared(database)(sql).all() as {text: string}[]).map(({text}) => text);
		known.set(sql, texts);
		return texts;
	};
};

/** `pi` is the agent of that name although others begin with it; `claude` is short for `claude-code`. */
const exactOrBeginning = (known: readonly string[], value: string): readonly string[] => {
	const wanted = fold(value);
	const exact = known.filter(name => fold(name) === wanted);
	return exact.length > 0 ? exact : known.filter(name => fold(name).startsWith(wanted));
};

const exactOrPart = (known: readonly string[], value: string): readonly string[] => {
	const wanted = fold(value);
	const exact = known.filter(name => fold(name) === wanted);
	return exact.length > 0 ? exact : known.filter(name => fold(name).includes(wanted));
};

interface ProjectRow {
	readonly id: number;
	readonly path: string;
	readonly label: string;
}

const projects = (database: Database): readonly ProjectRow[] =>
	prepared(database)('SELECT id, path, label FROM project').all() as ProjectRow[];

const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/;

const project = (database: Database, value: string): Condition => {
	const known = projects(database);
	if (!ABSOLUTE.test(value)) {
		const wanted = fold(value);
		const fitting = known.filter(({label}) => fold(label).includes(wanted));
		return oneOf(
			's.project_id',
			fitting.map(({id}) => id),
		);
	}
	const folder = normalisedPath(value);
	const inside = known.filter(({path}) => isInside(path, folder)).map(({id}) => id);
	return any([oneOf('s.project_id', inside), workedIn(folder)]);
};

/** Sessions of the directory's project, its worktrees included, and those that worked in or below it. */
const here = (database: Database, directory: string): Condition => {
	const folder = normalisedPath(directory);
	const known = projects(database);
	// A folder of projects, such as the home directory, is not the project of what lies in it.
	const isProject = ({path}: ProjectRow) =>
		path === folder ||
		known.filter(other => other.path !== path && isInside(other.path, path)).length < 2;
	const around = known
		.filter(candidate => isInside(folder, candidate.path) && isProject(candidate))
		.toSorted((a, b) => b.path.length - a.path.length)[0];
	const worktree = prepared(database)(
		'SELECT DISTINCT project_id AS id FROM session WHERE cwd = ? AND project_id IS NOT NULL',
	).all(folder) as {id: number}[];
	const checkout = checkoutAround(folder);
	const repository = known.filter(({path}) => path === checkout);
	const ids = [...(around ? [around] : []), ...repository, ...worktree].map(({id}) => id);
	return any([oneOf('s.project_id', ids), workedIn(folder)]);
};

const workedIn = (folder: string): Condition => {
	const base = folder.replace(/[\\/]$/, '');
	return condition(
		`s.id IN (SELECT session_id FROM session_directory
		WHERE path = ? OR substr(path, 1, length(?) + 1) IN (? || '/', ? || '\\'))`,
		folder,
		base,
		base,
		base,
	);
};

const isInside = (path: string, folder: string): boolean => {
	const base = folder.replace(/[\\/]$/, '');
	return path === folder || path.startsWith(`${base}/`) || path.startsWith(`${base}\\`);
};

/** `src/a.ts` fits at the border of a path segment and may go on, `.ts` stands at the end, `*` is anything. */
const filePattern = (value: string): string => {
	const text = value
		.replaceAll('\\', '/')
		.replace(/^\.\//, '')
		.replace(/[%_]/g, '\\$&')
		.replaceAll('*', '%');
	if (text.startsWith('.') && !text.includes('/')) return `%${text}`;
	return text.startsWith('/') ? `/${text}%` : `%/${text}%`;
};

const isDirectory = (path: string): boolean => {
	try {
		return statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
	} catch {
		return false; // not to be entered, or no path at all: nobody can go on working there
	}
};
