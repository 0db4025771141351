/** What has to be remembered between two records, and therefore between two reads: the `state` of the cursor. */

import type {AdapterEvent, Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {isRecord} from '../shared/narrow.js';

/** A prompt of a run that was shown by now. */
export interface Shown {
	readonly runId: string;
	readonly event: AdapterEvent;
	/** Its text is the one that the program shows instead of the prompt. */
	readonly isDisplay: boolean;
}

export interface Call {
	readonly id: string;
	readonly name: string;
	/** Message that the call stands in, and its place there. */
	readonly batch: string;
	readonly index: number;
}

export interface State {
	/** Directory by the kind of record that states it. */
	directories: Readonly<Record<string, string>>;
	branch: string | null;
	name: string | null;
	model: string | null;
	bornAtMs: number | null;
	task: string | null;
	/** Accepted input that no run has begun with. */
	intent: AdapterEvent | null;
	shown: readonly Shown[];
	calls: readonly Call[];
}

const MAX_CALLS = 200;
const MAX_SHOWN = 20;

export const restoreState = (state: unknown): State => ({
	directories: {},
	branch: null,
	name: null,
	model: null,
	bornAtMs: null,
	task: null,
	intent: null,
	shown: [],
	calls: [],
	// Written by this parser version (another one reads from the start), so its shape is known.
	...(isRecord(state) ? (state as Partial<State>) : {}),
});

export const rememberCall = (state: State, call: Call): void => {
	state.calls = [...state.calls.filter(({id}) => id !== call.id).slice(-MAX_CALLS + 1), call];
};

export const rememberShown = (state: State, shown: Shown): void => {
	const others = state.shown.filter(({runId}) => runId !== shown.runId);
	state.shown = [...others.slice(-MAX_SHOWN + 1), shown];
};

/** One read in progress. */
export interface Reading {
	readonly sessionId: string;
	readonly parentId: string | undefined;
	readonly batch: BatchBuilder;
	readonly state: State;
}

/** A record on its way to its handler. */
export interface Row {
	readonly payload: Record<string, unknown>;
	/** What happened, where the payload is the envelope of it. */
	readonly event: Record<string, unknown>;
	readonly runId?: string;
	readonly key: string;
	readonly atMs?: number;
	readonly locator: Locator;
}
