/**
 * What has to be remembered between two lines of a rollout, and therefore between two reads: it is the `state` of the cursor,
 * so everything in it is JSON and bounded.
 */

import type {Locator, SessionFacts} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {isRecord} from '../shared/narrow.js';
import type {Source} from '../types.js';

/** What the first header says. Later headers of a file are copies from the session that it was forked from. */
export interface Header {
	readonly id?: string;
	readonly facts: SessionFacts;
	/** Started by `codex exec`. Stays when the session is continued by hand. */
	readonly isExec: boolean;
}

/** Token counts as Codex states them: `input` with cached tokens, `output` with reasoning tokens. */
export interface TokenTotals {
	readonly input: number;
	readonly cached: number;
	readonly cacheWrite: number;
	readonly output: number;
	readonly reasoning: number;
}

export interface ReaderState {
	header: Header | null;
	/** Directories of copied headers: where the parent worked says nothing of the fork. */
	copiedCwds: readonly string[];
	/** From the first environment block, for headers without a directory (before 2025-08). */
	environmentCwd: string | null;
	directories: readonly string[];
	model: string | null;
	/** The task of a sub-agent. */
	task: string | null;
	threadName: string | null;
	/** Heads of the typed prompts, see `names.ts`. */
	promptHeads: readonly string[];
	lastAtMs: number | null;
	/** Who started the turn (`user`, `exec`); null where the version does not say. */
	trigger: string | null;
	/** `none`: no turn is open, or the version marks none; `open`: nothing was typed in it yet. */
	turn: 'none' | 'open' | 'prompted';
	/** Keys of the prompts that began the turns which are still live. */
	turnStarts: readonly string[];
	/** Name per call id of calls without a result. */
	openCalls: readonly (readonly [callId: string, name: string])[];
	/** A message was seen as a response item: `event_msg` texts only repeat. */
	hasItemMessages: boolean;
	hasUsageRecords: boolean;
	totals: TokenTotals | null;
}

export const initialState = (): ReaderState => ({
	header: null,
	copiedCwds: [],
	environmentCwd: null,
	directories: [],
	model: null,
	task: null,
	threadName: null,
	promptHeads: [],
	lastAtMs: null,
	trigger: null,
	turn: 'none',
	turnStarts: [],
	openCalls: [],
	hasItemMessages: false,
	hasUsageRecords: false,
	totals: null,
});

/** The state of a cursor. It was written by this parser version (another one reads from the start), so its shape is known. */
export const restoreState = (state: unknown): ReaderState => ({
	...initialState(),
	...(isRecord(state) ? (state as Partial<ReaderState>) : {}),
});

/** Appends to a bounded list; the oldest entries give way. */
export const pushBounded = <T>(list: readonly T[], entry: T, max: number): readonly T[] => [
	...list.slice(Math.max(0, list.length + 1 - max)),
	entry,
];

/** One read in progress. */
export interface Reading {
	readonly source: Source;
	readonly batch: BatchBuilder;
	readonly state: ReaderState;
	/** No message lies here as a response item, so the texts of `event_msg` lines are all there is. */
	readonly isFallback: boolean;
	/** Something was undone: what follows must not come into the same batch, or it would be undone as well. */
	mustTake: boolean;
}

/** A line on its way to the handlers. */
export interface Line {
	/** The payload, or the record itself where there is no envelope (before 2025-08). */
	readonly payload: Record<string, unknown>;
	readonly metadata: Record<string, unknown>;
	readonly key: string;
	readonly atMs?: number;
	readonly locator: Locator;
	/** Length of the line when only its head could be loaded. */
	readonly cutLength?: number;
}

export type LineHandler = (reading: Reading, line: Line) => void;
