/** What is remembered of an event log while it is read on and on: small, plain JSON, kept in the cursor. */

import type {Usage} from '../../model.js';
import {recordOf, textOf} from '../narrow.js';
import {noteDirectory, type Pair, rememberIn} from '../pairs.js';

/** Mutable on purpose: one record after the other is folded into it. */
export interface Progress {
	sessionId?: string;
	cwd?: string;
	directories: string[];
	branch?: string;
	gitRoot?: string;
	model?: string;
	version?: string;
	bornAtMs?: number;
	/** The session that started this one in the background. */
	spawnedBy?: string;
	/** Begin of the first prompt: the agent's name of a session may be no more than that. */
	firstPrompt?: string;
	/** Sub-agents: what the call says of them, the call, and the sub-agent that made it. */
	description?: string;
	callId?: string;
	parentAgentId?: string;
	/** Totals of the last shutdown, for versions that write no usage of single calls. */
	totals?: Omit<Usage, 'key'>;
	/** [call id, tool name] of the newest calls. */
	calls: Pair[];
	/** Call ids without a result yet. */
	open: string[];
	/** [call id, sub-agent that it started]. */
	started: Pair[];
	/** Sub-agents: [call id, sub-agent that made it] of calls by others. */
	callers: Pair[];
	/** Begin of the last reasoning: some versions write it in a record of its own and with the message. */
	reasoning?: string;
}

const LIMITS = {calls: 128, started: 128, callers: 64} as const;
const OPEN_CALLS = 128;

export const remember = rememberIn(LIMITS);

export const openCall = (progress: Progress, callId: string, name: string): void => {
	remember(progress, 'calls', [callId, name]);
	progress.open.push(callId);
	if (progress.open.length > OPEN_CALLS) progress.open.shift();
};

export const closeCall = (progress: Progress, callId: string): void => {
	progress.open = progress.open.filter(open => open !== callId);
};

/** `context` of a start or resume, or a change of it: always whole, so that a missing branch means that there is none. */
export const noteContext = (progress: Progress, value: unknown): void => {
	const context = recordOf(value);
	const cwd = textOf(context['cwd']);
	if (cwd === undefined) return;
	progress.cwd = cwd;
	noteDirectory(progress, cwd);
	const [branch, gitRoot] = [textOf(context['branch']), textOf(context['gitRoot'])];
	delete progress.branch;
	delete progress.gitRoot;
	if (branch !== undefined) progress.branch = branch;
	if (gitRoot !== undefined) progress.gitRoot = gitRoot;
};

const startProgress = (): Progress => ({
	directories: [],
	calls: [],
	open: [],
	started: [],
	callers: [],
});

export const progressFrom = (state: unknown): Progress =>
	structuredClone({...startProgress(), ...recordOf(state)}) as Progress;

export const stateOf = (progress: Progress): unknown => structuredClone(progress);
