/** What is remembered of a transcript while it is read on and on: small, plain JSON, kept in the cursor. */

import {oneLine} from '../shared/content.js';
import {recordOf} from '../shared/narrow.js';
import {type Pair, rememberIn} from '../shared/pairs.js';

/** Mutable on purpose: one record after the other is folded into it. */
export interface Progress {
	customTitle?: string;
	autoTitle?: string;
	cwd?: string;
	directories: string[];
	branch?: string;
	model?: string;
	version?: string;
	bornAtMs?: number;
	forkedFrom?: string;
	/** The session that asked for this one. */
	spawnedBy?: string;
	/** Begun by the scheduler, by the agent's own mark. */
	isScheduled?: boolean;
	/** First lines of a sub-agent's task. */
	task?: string;
	/** A command that was sent to the model: the next user record holds what it stands for. */
	sentCommand?: string;
	/** A prompt as it was typed: the next user record holds it with the files that it names. */
	typedText?: string;
	/** [call id, tool name] of the newest calls. */
	calls: Pair[];
	/** [tool name, ''] of calls without an id that have no result yet. */
	namelessCalls: Pair[];
	/** Key of the first event of all. */
	firstKey?: string;
	/** [uuid, key of its first event; '' if there is none] of the newest records. */
	rows: Pair[];
	/** [uuid of the record before, key] of user records: where rewinds lead to. */
	turns: Pair[];
	/** [uuid of a note that hangs elsewhere, uuid of what it hangs on]. */
	notes: Pair[];
	/** Everything from this event on is on a branch that was left, up to the next event. */
	cutFrom?: string;
}

const LIMITS = {
	calls: 128,
	namelessCalls: 32,
	rows: 256,
	turns: 2000,
	notes: 64,
} as const;

export const remember = rememberIn(LIMITS);

/** A sub-agent's first text is its task. */
export const noteTask = (progress: Progress, text: string): void => {
	const task = oneLine(text, 200);
	if (progress.task === undefined && task !== '') progress.task = task;
};

const startProgress = (): Progress => ({
	directories: [],
	calls: [],
	namelessCalls: [],
	rows: [],
	turns: [],
	notes: [],
});

export const progressFrom = (state: unknown): Progress =>
	structuredClone({...startProgress(), ...recordOf(state)}) as Progress;

export const stateOf = (progress: Progress): unknown => structuredClone(progress);
