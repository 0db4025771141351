/** What is remembered of a transcript while it is read on and on: small, plain JSON, kept in the cursor. */

import {recordOf} from '../shared/narrow.js';
import {type Pair, rememberIn} from '../shared/pairs.js';

/** Mutable on purpose: one record after the other is folded into it. */
export interface Progress {
	sessionId?: string;
	title?: string;
	/** The user gave it. */
	hasOwnTitle?: boolean;
	cwd?: string;
	lastCwd?: string;
	model?: string;
	createdAtMs?: number;
	bornAtMs?: number;
	/** The session whose `Task` call started this one, and that call. */
	callerId?: string;
	callId?: string;
	/** What this session was copied from. */
	parentId?: string;
	/** Started by another session, by its own mark: nobody types here. */
	isChild?: boolean;
	/** Begin of the first prompt or task. */
	firstText?: string;
	/** Begin of the last answer: saved output repeats it at the end. */
	lastText?: string;
	/** [call id, tool name] of the newest calls. */
	calls: Pair[];
	/** [call id, event key] of the newest results. */
	results: Pair[];
	/** [id of the record before, event key] of prompts: where the talk may branch. */
	prompts: Pair[];
}

const LIMITS = {calls: 128, results: 128, prompts: 2000} as const;

export const remember = rememberIn(LIMITS);

export const progressFrom = (state: unknown): Progress =>
	structuredClone({calls: [], results: [], prompts: [], ...recordOf(state)}) as Progress;

export const stateOf = (progress: Progress): unknown => structuredClone(progress);
