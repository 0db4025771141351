/** Reads a session, or one of its sub-agents, out of its log and `workspace.yaml`. */

import type {SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import type {Progress} from '../shared/copilot/progress.js';
import {logFacts, readLog} from '../shared/copilot/read.js';
import {recordOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {readWorkspace, type Workspace} from './workspace.js';

/** Until somebody renames it, a session is called like its first prompt, perhaps cut: no title of the agent's making. */
const titleOf = (
	workspace: Workspace,
	{firstPrompt}: Progress,
): Pick<SessionFacts, 'customTitle' | 'generatedTitle'> => {
	const name = textOf(workspace.get('name'));
	if (name === undefined) return {};
	if (workspace.get('user_named') === 'true') return {customTitle: name};
	const start = oneLine(name).replace(/(?:…|\.{3})$/, '');
	return firstPrompt?.startsWith(start) === true ? {} : {generatedTitle: name};
};

/** A worktree is no main checkout, and where that one lies is not stated. */
const checkoutOf = (gitRoot: string | undefined): string | undefined =>
	gitRoot === undefined || /[\\/]\.?worktrees[\\/]/.test(gitRoot) ? undefined : gitRoot;

const sessionFacts = (workspace: Workspace, progress: Progress): SessionFacts => {
	const {cwd, directories = [], ...stated} = logFacts(progress);
	const own = textOf(workspace.get('cwd')) ?? cwd;
	const others = [...new Set([cwd ?? own ?? '', ...directories])].filter(
		directory => directory !== '' && directory !== own,
	);
	return compact({
		...stated,
		cwd: own,
		directories: others.length === 0 ? undefined : others,
		branch: stated.branch ?? textOf(workspace.get('branch')),
		checkout: checkoutOf(progress.gitRoot ?? textOf(workspace.get('git_root'))),
		createdAtMs: timeMs(workspace.get('created_at')),
	});
};

const spawnFacts = ({spawnedBy}: Progress): SessionFacts =>
	spawnedBy === undefined
		? {}
		: {parent: {id: spawnedBy, relation: 'subagent', certainty: 'exact'}};

const subagentFacts = (progress: Progress, rootId: string): SessionFacts => {
	const {description, callId, parentAgentId} = progress;
	const id = parentAgentId === undefined ? rootId : `${rootId}/${parentAgentId}`;
	return compact({
		description,
		isSubagent: true,
		parent: compact({id, relation: 'subagent' as const, certainty: 'exact' as const, callId}),
	});
};

export const read = (source: Source, from?: Cursor): Iterable<Batch> => {
	const {name, agentId} = recordOf(source.extra) as unknown as Place;
	const {workspace, problems} = readWorkspace(source.files[1]?.path);
	const isSubagent = agentId !== undefined;
	return readLog(source, from, {
		sessionId: name,
		agentId,
		problems: isSubagent ? [] : problems,
		facts: (progress, rootId) => ({
			...sessionFacts(workspace, progress),
			...(isSubagent
				? subagentFacts(progress, rootId)
				: {...titleOf(workspace, progress), ...spawnFacts(progress)}),
		}),
	});
};
