/** What has to be remembered between two lines, and therefore between two reads: the `state` of the cursor. */

import type {AdapterEvent, Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {isRecord} from '../shared/narrow.js';
import type {Session} from './session.js';

export type RunKind = 'user' | 'host' | 'assistant' | 'reasoning';

/** Chunks of one message that follow each other. */
export interface Run {
	readonly kind: RunKind;
	readonly promptIndex: number | null;
	readonly key: string;
	readonly atMs?: number;
	readonly model?: string;
	readonly locator: Locator;
	/** Cut at the limit for texts; `length` goes on counting. */
	text: string;
	length: number;
	/** The last chunk was no text: what follows begins a line. */
	isBlock: boolean;
}

/** A tool call that may still be refined or answered. */
export interface Call {
	readonly name: string | null;
	/** Until it is answered. */
	readonly event: AdapterEvent | null;
	readonly resultKey: string | null;
}

export interface State {
	run: Run | null;
	calls: readonly (readonly [id: string, call: Call])[];
	/** Keys of the prompts that are live, as rewinds count them. */
	promptStarts: readonly string[];
	/** Highest event number seen for each prefix of event ids. */
	counters: Readonly<Record<string, number>>;
	model: string | null;
	summary: string | null;
	bornAtMs: number | null;
}

const MAX_CALLS = 100;

export const restoreState = (state: unknown): State => ({
	run: null,
	calls: [],
	promptStarts: [],
	counters: {},
	model: null,
	summary: null,
	bornAtMs: null,
	// Written by this parser version (another one reads from the start), so its shape is known.
	...(isRecord(state) ? (structuredClone(state) as Partial<State>) : {}),
});

export const callOf = (state: State, id: string): Call | undefined =>
	state.calls.find(([known]) => known === id)?.[1];

/** The oldest calls give way. */
export const rememberCall = (state: State, id: string, call: Call): void => {
	const others = state.calls.filter(([known]) => known !== id);
	state.calls = [...others.slice(-MAX_CALLS + 1), [id, call]];
};

/** One read in progress. */
export interface Reading {
	readonly session: Session;
	readonly batch: BatchBuilder;
	readonly state: State;
	/** Something was undone: what follows must not come into the same batch. */
	mustTake: boolean;
}

/** An update on its way to its handler. */
export interface Line {
	readonly update: Record<string, unknown>;
	/** `_meta` of the update. */
	readonly meta: Record<string, unknown>;
	readonly key: string;
	readonly atMs?: number;
	readonly locator: Locator;
}
