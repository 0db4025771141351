/** What is said of a session: by its side file, by its log, by the index. */

import type {ParentLink, SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {at, listOf, recordOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {Json} from './content.js';
import type {Place} from './discover.js';
import type {Progress} from './progress.js';

interface Titles {
	readonly custom?: string | undefined;
	readonly generated?: string | undefined;
}

/**
 * A replaceable title is the first prompt, or `Fork: <id>`: the only name of a fork that has no prompt of its own. Version 1 only says whether the title is the user's; the legacy
 * agent has a field for that one alone.
 */
const titlesOf = (state: Json, {isCopy = false}: Progress): Titles => {
	const [title, kind] = [textOf(state['title']), state['titleKind']];
	const legacy = textOf(state['custom_title']);
	if (legacy !== undefined) {
		return state['title_generated'] === true ? {generated: legacy} : {custom: legacy};
	}
	if (title === undefined) return {};
	if (kind === 'custom' || state['isCustomTitle'] === true) return {custom: title};
	const isPlaceholder = kind === 'replaceable' || title.startsWith('Fork: ');
	return isPlaceholder && !isCopy ? {} : {generated: title};
};

const MAIN_AGENT = 'main';

const subagentParent = (
	{rootId, agentId}: Place,
	state: Json,
	{spawn}: Progress,
): ParentLink | undefined => {
	if (agentId === undefined) return undefined;
	const parent = textOf(at(state, 'agents', agentId, 'parentAgentId')) ?? MAIN_AGENT;
	return compact({
		id: parent === MAIN_AGENT ? rootId : `${rootId}/${parent}`,
		relation: 'subagent' as const,
		certainty: 'exact' as const,
		callId: spawn?.callId,
	});
};

/** A fork, or a session that was taken over from the legacy agent under a new id. */
const originOf = ({rootId}: Place, state: Json): ParentLink | undefined => {
	const fork = textOf(state['forkedFrom']);
	if (fork !== undefined) return {id: fork, relation: 'fork', certainty: 'exact'};
	const custom = recordOf(state['custom']);
	const legacy = textOf(custom['kimi_cli_session_id']);
	if (custom['imported_from_kimi_cli'] !== true || legacy === undefined || legacy === rootId) {
		return undefined;
	}
	return {id: legacy, relation: 'continuation', certainty: 'exact'};
};

/** `sidecar` is the session's `state.json`, or a legacy sub-agent's `meta.json`. */
export const factsOf = (place: Place, sidecar: Json, progress: Progress): SessionFacts => {
	const isSubagent = place.agentId !== undefined;
	const titles = isSubagent ? {} : titlesOf(sidecar, progress);
	const directories = [sidecar['additionalDirs'], sidecar['additional_dirs']].flatMap(list =>
		listOf(list).flatMap(path => textOf(path) ?? []),
	);
	const [createdAtMs, updatedAtMs] = [sidecar['createdAt'], sidecar['updatedAt']].map(timeMs);
	const stated = textOf(sidecar['cwd']) ?? textOf(sidecar['workDir']);
	return compact({
		customTitle: titles.custom ?? null,
		generatedTitle: titles.generated ?? null,
		description: isSubagent
			? (progress.spawn?.description ?? textOf(sidecar['description']) ?? progress.task)
			: undefined,
		cwd: stated ?? place.workDir ?? progress.cwd ?? null,
		directories: directories.length === 0 ? undefined : directories,
		model: progress.model,
		isSubagent: isSubagent ? true : undefined,
		parent: isSubagent ? subagentParent(place, sidecar, progress) : originOf(place, sidecar),
		archived: isSubagent ? undefined : sidecar['archived'] === true,
		bornAtMs: isSubagent ? progress.bornAtMs : (createdAtMs ?? progress.bornAtMs),
		createdAtMs: isSubagent ? undefined : createdAtMs,
		updatedAtMs: isSubagent ? undefined : updatedAtMs,
	});
};
