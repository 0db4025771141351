/** What is remembered of a transcript while it is read on and on: small, plain JSON, kept in the cursor. */

import {basename} from 'node:path';
import type {SessionFacts} from '../model.js';
import {compact} from '../shared/compact.js';
import {recordOf} from '../shared/narrow.js';
import {type Pair, rememberIn} from '../shared/pairs.js';
import {folderNameOf} from './discover.js';
import type {Sidecars} from './sidecars.js';

/** Mutable on purpose: one record after the other is folded into it. */
export interface Progress {
	customTitle?: string | null;
	aiTitle?: string;
	/** The newest summary that belongs to this file, and those whose leaf was not seen yet: [leaf uuid, text]. */
	summaryTitle?: string;
	summaries: Pair[];
	cwd?: string;
	relocatedCwd?: string;
	directories: string[];
	checkout?: string;
	branch?: string | null;
	model?: string;
	version?: string;
	forkedFrom?: string;
	derivedFrom?: string;
	requestSessionId?: string;
	continuedIn?: string;
	tag?: string | null;
	costUsd?: number;
	bornAtMs?: number;
	lastPromptMs?: number;
	/** Only side-chain rows so far: not listable (the agent's own picker drops such files). */
	isSideChain?: boolean;
	/** First lines of a sub-agent's task. */
	task?: string;
	isWarmUp?: boolean;
	/** [call id, tool name] of the newest calls. */
	calls: Pair[];
	/** [call id, agent id] as progress rows tell them. */
	agents: Pair[];
	/** [uuid, block of the first event; '' if there is none] of the newest rows. */
	rows: Pair[];
	/** [parent uuid, event key] of typed prompts: two with one parent are a rewind. */
	prompts: Pair[];
	/** Everything from this event on is rewound, up to the next event. */
	cutFrom?: string;
	/** Row behind which was cut last: the agent repeats such records. */
	cutAfter?: string;
}

const LIMITS = {
	summaries: 32,
	calls: 32,
	agents: 32,
	rows: 128,
	prompts: 2000,
} as const;

export const remember = rememberIn(LIMITS);

const startProgress = (): Progress => ({
	summaries: [],
	directories: [],
	calls: [],
	agents: [],
	rows: [],
	prompts: [],
});

export const progressFrom = (state: unknown): Progress =>
	structuredClone({...startProgress(), ...recordOf(state)}) as Progress;

export const stateOf = (progress: Progress): unknown => structuredClone(progress);

/** Which session this is, once known. */
export interface Identity {
	readonly sessionId: string;
	/** The session at the root of the family. */
	readonly rootId: string;
	readonly isSubagent: boolean;
}

const parentOf = (
	{rootId, isSubagent}: Identity,
	progress: Progress,
	sidecars: Sidecars,
): SessionFacts['parent'] => {
	if (isSubagent) {
		const {parentAgentId, callId} = sidecars;
		const id = parentAgentId === undefined ? rootId : `${rootId}/${parentAgentId}`;
		return compact({id, relation: 'subagent' as const, certainty: 'exact' as const, callId});
	}
	const id = progress.forkedFrom ?? progress.derivedFrom ?? progress.requestSessionId;
	return id === undefined ? undefined : {id, relation: 'fork', certainty: 'exact'};
};

const hiddenBy = (progress: Progress): string | undefined => {
	if (progress.isWarmUp) return 'warm-up';
	return progress.isSideChain ? 'side-chain' : undefined;
};

/** A mark that was set after the last prompt: a later prompt takes the session out of the archive. */
const isArchived = ({archivedAtMs}: Sidecars, {lastPromptMs}: Progress): true | undefined =>
	archivedAtMs !== undefined && archivedAtMs >= (lastPromptMs ?? 0) ? true : undefined;

/** Longer names are cut and end in a hash. */
const FOLDER_NAME_CHARS = 200;

/** The folder is that of the directory where the session was begun (of several copies, that one owns it). */
const isAtHome = (folder: string, {cwd}: Progress): true | undefined =>
	cwd !== undefined &&
	basename(folder).slice(0, FOLDER_NAME_CHARS) === folderNameOf(cwd).slice(0, FOLDER_NAME_CHARS)
		? true
		: undefined;

export const factsOf = (
	identity: Identity,
	progress: Progress,
	sidecars: Sidecars,
	folder: string,
): SessionFacts => {
	const cwd = progress.relocatedCwd ?? progress.cwd;
	const directories = progress.directories.filter(directory => directory !== cwd);
	return compact({
		customTitle: progress.customTitle ?? sidecars.customTitle,
		generatedTitle: progress.aiTitle ?? progress.summaryTitle,
		description: identity.isSubagent ? (sidecars.description ?? progress.task) : undefined,
		cwd,
		directories: directories.length === 0 ? undefined : directories,
		checkout: progress.checkout,
		branch: progress.branch,
		model: progress.model,
		agentVersion: progress.version,
		isSubagent: identity.isSubagent ? true : undefined,
		parent: parentOf(identity, progress, sidecars),
		continuedIn: progress.continuedIn,
		archived: isArchived(sidecars, progress),
		hiddenBy: hiddenBy(progress),
		costUsd: progress.costUsd,
		bornAtMs: progress.bornAtMs,
		tag: progress.tag,
		isAtHome: isAtHome(folder, progress),
	});
};
