/** The first line of a rollout: who the session is, where it worked, and what it hangs on. */

import type {ParentLink, SessionFacts} from '../model.js';
import {at, isRecord, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Header} from './state.js';

/** Sub-agents that work behind the scenes, by the word in `source.subagent`; `{"other": …}` is one of them too. */
const HIDDEN_SUBAGENTS: readonly string[] = ['compact', 'memory_consolidation', 'guardian'];

interface SubagentMark {
	readonly parentId?: string | undefined;
	readonly hiddenBy?: string | undefined;
}

/** `{"subagent": "review" | "compact" | … | {"thread_spawn": {…}} | {"other": "guardian"}}`; both spellings occur. */
const subagentMark = (payload: Record<string, unknown>): SubagentMark | undefined => {
	const source = recordOf(payload['source']);
	const mark = source['subagent'] ?? source['subAgent'];
	const parentId = textOf(payload['parent_thread_id']);
	if (typeof mark === 'string') {
		return {parentId, hiddenBy: HIDDEN_SUBAGENTS.includes(mark) ? mark : undefined};
	}
	if (isRecord(mark)) {
		const spawnedBy = textOf(at(mark, 'thread_spawn', 'parent_thread_id'));
		return {parentId: parentId ?? spawnedBy, hiddenBy: textOf(mark['other'])};
	}
	return payload['thread_source'] === 'subagent' || parentId !== undefined ? {parentId} : undefined;
};

/** A fork since 0.171 holds nothing of its parent, only the ordinal from which the parent is not meant. */
const forkLink = (payload: Record<string, unknown>): ParentLink | undefined => {
	const id = textOf(payload['forked_from_id']);
	if (id === undefined) return undefined;
	const ordinal =
		numberOf(payload['forked_from_ordinal_exclusive']) ??
		numberOf(at(payload, 'history_base', 'end_ordinal_exclusive'));
	const before = ordinal === undefined ? {} : {beforeKey: `o${ordinal}`};
	return {id, relation: 'fork', certainty: 'exact', ...before};
};

const relationFacts = (payload: Record<string, unknown>): SessionFacts => {
	const mark = subagentMark(payload);
	if (mark === undefined) {
		const parent = forkLink(payload);
		return parent === undefined ? {} : {parent};
	}
	// The group of a sub-agent is its root session; newer files only.
	const group = textOf(payload['session_id']);
	const parentId = mark.parentId ?? (group === textOf(payload['id']) ? undefined : group);
	return {
		isSubagent: true,
		...(parentId === undefined
			? {}
			: {parent: {id: parentId, relation: 'subagent', certainty: 'exact'}}),
		...(mark.hiddenBy === undefined ? {} : {hiddenBy: mark.hiddenBy}),
	};
};

/** Reads a header; `lineAtMs` is the time of its line. */
export const headerOf = (payload: Record<string, unknown>, lineAtMs?: number): Header => {
	const id = textOf(payload['id']);
	const cwd = textOf(payload['cwd']);
	const branch = textOf(at(payload, 'git', 'branch'));
	const remote = textOf(at(payload, 'git', 'repository_url'));
	const agentVersion = textOf(payload['cli_version']);
	const bornAtMs = timeMs(payload['timestamp']) ?? lineAtMs;
	return {
		...(id === undefined ? {} : {id}),
		isExec: stringOf(payload['source']) === 'exec',
		facts: {
			...(cwd === undefined ? {} : {cwd}),
			...(branch === undefined ? {} : {branch}),
			...(remote === undefined ? {} : {resumeHint: {remote}}),
			...(agentVersion === undefined ? {} : {agentVersion}),
			...(bornAtMs === undefined ? {} : {bornAtMs, createdAtMs: bornAtMs}),
			...relationFacts(payload),
		},
	};
};
