/** What has to be remembered between two lines, and therefore between two reads: the `state` of the cursor. */

import type {AdapterEvent, Locator, SessionFacts} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {isRecord} from '../shared/narrow.js';

/** A part of a reply that came in pieces. */
export interface Piece {
	readonly kind: 'text' | 'reasoning' | 'call';
	readonly index: number;
	readonly text: string;
	readonly id?: string;
	readonly name?: string;
}

/** The pieces of one step; they count only if no whole message follows. */
interface Pending {
	readonly step: string;
	readonly key: string;
	readonly atMs?: number;
	readonly locator: Locator;
	readonly pieces: readonly Piece[];
}

/** What the first line says. */
export interface Header {
	readonly id: string;
	readonly isSubagent: boolean;
	readonly facts: SessionFacts;
}

export interface State {
	header: Header | null;
	title: string | null;
	model: string | null;
	task: string | null;
	calls: readonly (readonly [id: string, name: string])[];
	pending: Pending | null;
}

const MAX_CALLS = 200;

export const restoreState = (state: unknown): State => ({
	header: null,
	title: null,
	model: null,
	task: null,
	calls: [],
	pending: null,
	// Written by this parser version (another one reads from the start), so its shape is known.
	...(isRecord(state) ? (state as Partial<State>) : {}),
});

export const nameOf = (state: State, id: string | undefined): string | undefined =>
	state.calls.find(([known]) => known === id)?.[1];

export const rememberCall = (state: State, id: string | undefined, name: string): void => {
	if (id === undefined) return;
	state.calls = [
		...state.calls.filter(([known]) => known !== id).slice(-MAX_CALLS + 1),
		[id, name],
	];
};

/** One read in progress. */
export interface Reading {
	readonly sessionId: string;
	readonly batch: BatchBuilder;
	readonly state: State;
}

/** An event line on its way to its handler. */
export interface Row {
	readonly data: Record<string, unknown>;
	readonly key: string;
	readonly atMs?: number;
	readonly locator: Locator;
}

export type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;
