/** What the row of a session says of it. */

import {basename} from 'node:path';
import type {ParentLink, SessionFacts} from '../../model.js';
import {compact} from '../compact.js';
import {oneLine} from '../content.js';
import {at, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import {type Json, jsonOf, type StoredSession} from './records.js';
import {costOf, sessionTokens} from './usage.js';

/** What only the messages tell. */
export interface Seen {
	readonly model: string | undefined;
	/** Directories that the answers were made in. */
	readonly directories: ReadonlySet<string>;
	/** First text of the task of a sub-agent. */
	readonly task: string | undefined;
	readonly hasUsage: boolean;
}

/** What a session is called before it is named, and its forks are. */
const UNTITLED = /^(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z(?: \(fork #\d+\))?$/;

type Titles = Pick<SessionFacts, 'customTitle' | 'generatedTitle' | 'description'>;

/** Only ZCode tells who gave the title (`title_source`); OpenCode keeps both kinds in one place. */
const titlesOf = (row: Json, isSubagent: boolean, task: string | undefined): Titles => {
	const title = textOf(row['title']);
	const source = row['title_source'];
	const isNone =
		title === undefined ||
		UNTITLED.test(title) ||
		source === 'default' ||
		(source === 'first_input' && !isSubagent);
	if (source === 'custom' && title !== undefined) return {customTitle: oneLine(title)};
	if (!isSubagent) return isNone ? {} : {generatedTitle: oneLine(title)};
	const description = isNone ? task : title;
	return description === undefined ? {} : {description: oneLine(description)};
};

const parentOf = ({row, extras}: StoredSession): ParentLink | undefined => {
	const id = textOf(row['parent_id']) ?? extras.parentId;
	if (id === undefined) return undefined;
	// Forks name their parent in ZCode only.
	const relation = row['task_type'] === 'fork' ? 'fork' : 'subagent';
	return compact({
		id,
		relation,
		certainty: 'exact' as const,
		callId: relation === 'subagent' ? extras.callId : undefined,
	} as const);
};

/** `/` is the worktree of what lies in no repository. */
const checkoutOf = (worktree: string | undefined): string | undefined =>
	worktree === undefined || basename(worktree) === '' ? undefined : worktree;

export const isSubagentSession = (session: StoredSession): boolean =>
	parentOf(session)?.relation === 'subagent';

export const sessionFacts = (session: StoredSession, seen: Seen): SessionFacts => {
	const {row, worktree} = session;
	const parent = parentOf(session);
	const isSubagent = parent?.relation === 'subagent';
	const [firstDirectory] = seen.directories;
	const cwd = textOf(row['directory']) ?? firstDirectory;
	const directories = [...seen.directories].filter(path => path !== cwd);
	const workspace = textOf(row['workspace_id']);
	const tokens = seen.hasUsage ? undefined : sessionTokens(row);
	return compact({
		...titlesOf(row, isSubagent, seen.task),
		cwd,
		directories: directories.length === 0 ? undefined : directories,
		checkout: checkoutOf(worktree),
		model: seen.model ?? textOf(at(jsonOf(row['model']), 'id')),
		agentVersion: textOf(row['version']),
		isSubagent: isSubagent || undefined,
		parent,
		archived: timeMs(row['time_archived']) === undefined ? undefined : true,
		tokens,
		costUsd: seen.hasUsage ? undefined : costOf(row['cost']),
		bornAtMs: timeMs(row['time_created']),
		createdAtMs: timeMs(row['time_created']),
		updatedAtMs: timeMs(row['time_updated']),
		resumeHint: workspace === undefined ? undefined : {workspace},
	});
};
