import {resolve} from 'node:path';
import type {Filters, PageRequest} from '../../store/library.js';
import {readCursor} from '../../store/search/cursor.js';
import {readDate} from '../../store/search/dates.js';
import {agents} from '../agents.js';
import {UsageError} from '../errors.js';
import {expandHome} from '../paths.js';
import type {Invocation} from './command.js';
import type {FlagValues, filterFlags, pageFlags} from './flags.js';

type Filtered = Invocation & {
	readonly flags: FlagValues<typeof filterFlags> & {readonly all?: boolean};
};

/** The filter flags, which the app, `list` and `search` share. */
export const filtersOf = ({flags, host, config}: Filtered): Filters => {
	const {project, since, until, here, all} = flags;
	checkDates({since, until}, host.now());
	const chosen = agentsOf(flags.agent) ?? withoutHidden(config.hiddenAgents);
	return {
		...(chosen && {agents: chosen}),
		...(project && {project: projectPath(project, host)}),
		...(since && {since}),
		...(until && {until}),
		...(here && {here: host.cwd}),
		...(all && {isAll: true}),
	};
};

/** In a query a date that cannot be read is a word like others; behind a flag it is a mistake. */
const checkDates = (dates: Readonly<Record<string, string | undefined>>, nowMs: number): void => {
	for (const [name, text] of Object.entries(dates))
		if (text !== undefined && readDate(text, nowMs) === undefined)
			throw new UsageError(
				`--${name} takes a date such as 2d, 1w, today or 2026-11-01, not ${text}`,
			);
};

const withoutHidden = (hidden: readonly string[]): readonly string[] | undefined =>
	hidden.length === 0 ? undefined : agents.map(({id}) => id).filter(id => !hidden.includes(id));

/** What looks like a path becomes an absolute one; anything else is part of a name. */
const projectPath = (text: string, {cwd, home}: Invocation['host']): string =>
	/^(?:\.{1,2}(?:[/\\]|$)|~(?:[/\\]|$))/.test(text) ? resolve(cwd, expandHome(text, home)) : text;

/** Words before and after `--` as one query. */
export const queryOf = ({words, rest}: Pick<Invocation, 'words' | 'rest'>): string =>
	[...words, ...rest].join(' ');

/**
 * The rows that are asked for.
 * @throws UsageError for a cursor that no answer gave: silently beginning again would be worse
 */
export const pageOf = (
	{limit, cursor}: FlagValues<typeof pageFlags>,
	defaultLimit: number,
): Pick<PageRequest, 'limit' | 'cursor'> => {
	if (cursor !== undefined && readCursor(cursor) === undefined)
		throw new UsageError('--cursor takes what an answer gave as nextCursor');
	return {limit: limit ?? defaultLimit, ...(cursor && {cursor})};
};

/**
 * The agents that `--agent` names (`A,B`, also several times); undefined without the flag.
 * @throws UsageError for a name that no agent has
 */
export const agentsOf = (values: readonly string[] | undefined): readonly string[] | undefined => {
	if (values === undefined) return undefined;
	const names = values.flatMap(value => value.split(',')).filter(name => name !== '');
	const known = agents.map(({id}) => id);
	for (const name of names)
		if (!known.includes(name))
			throw new UsageError(`no agent is called ${name}: there are ${known.join(', ')}`);
	return names;
};
