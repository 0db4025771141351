import {resolve} from 'node:path';
import {adapters} from '../../adapters/registry.js';
import type {Filters, PageRequest} from '../../store/library.js';
import {readCursor} from '../../store/search/cursor.js';
import {readDate} from '../../store/search/dates.js';
import {UsageError} from '../errors.js';
import {expandHome} from '../paths.js';
import type {Invocation} from './command.js';
import type {FlagValues, filterFlags, pageFlags} from './flags.js';
import {agentsOf} from './history.js';

type Filtered = Invocation & {
	readonly flags: FlagValues<typeof filterFlags> & {readonly all?: boolean};
};

/** The filter flags, which the app, `list` and `search` share. */
export const filtersOf = ({flags, host, config}: Filtered): Filters => {
	const {project, since, until, here, all} = flags;
	checkDates({since, until}, host.now());
	const agents = agentsOf(flags.agent) ?? withoutHidden(config.hiddenAgents);
	return {
		...(agents && {agents}),
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
	hidden.length === 0 ? undefined : adapters.map(({id}) => id).filter(id => !hidden.includes(id));

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
