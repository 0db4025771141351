/** What is remembered of a log while it is read on and on: small, plain JSON, kept in the cursor. */

import {recordOf} from '../shared/narrow.js';
import {type Pair, rememberIn} from '../shared/pairs.js';

/** Mutable on purpose: one record after the other is folded into it. */
export interface Progress {
	cwd?: string;
	model?: string;
	bornAtMs?: number;
	/** First line of a sub-agent's task. */
	task?: string;
	/** What started a sub-agent, once its parent's log says so. */
	spawn?: {readonly callId?: string; readonly description?: string};
	/** Copied from another session, and nothing was said since. */
	isCopy?: boolean;
	/** The current step: its records are one reply. */
	step?: string;
	/** Key and kind of origin of a prompt whose message is still to come. */
	openPrompt?: Pair;
	/** The newest token counts: they are written twice, in either order. */
	openUsage?: {readonly key: string; readonly from: string; readonly numbers: string};
	/** A call whose arguments are still coming (legacy). */
	openCall?: {readonly key: string; readonly callId: string; readonly name: string; text: string};
	/** [key of the prompt, ''] of the newest turns. */
	turns: Pair[];
	/** [call id, tool name] of the newest calls. */
	calls: Pair[];
	/** [call id, agent id] of sub-agents. */
	agents: Pair[];
	/** Everything from this event on is taken back, up to the next event. */
	cutFrom?: string;
}

const LIMITS = {turns: 256, calls: 128, agents: 64} as const;

export const remember = rememberIn(LIMITS);

export const progressFrom = (state: unknown): Progress =>
	structuredClone({turns: [], calls: [], agents: [], ...recordOf(state)}) as Progress;

export const stateOf = (progress: Progress): unknown => structuredClone(progress);
