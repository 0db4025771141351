/** What has to be remembered between two lines, and therefore between two reads: the `state` of the cursor. */

import type {AdapterEvent, Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {isRecord} from '../shared/narrow.js';
import type {Session} from './session.js';

/** A result whose output was not there yet. */
interface Late {
	readonly event: AdapterEvent;
	readonly artifact: string;
}

export interface State {
	lastSeq: number;
	/** Beginning of the first prompt, see `repeatsPrompt`. */
	firstPrompt: string | null;
	model: string | null;
	bornAtMs: number | null;
	late: readonly Late[];
}

export const restoreState = (state: unknown): State => ({
	lastSeq: -1,
	firstPrompt: null,
	model: null,
	bornAtMs: null,
	late: [],
	// Written by this parser version (another one reads from the start), so its shape is known.
	...(isRecord(state) ? (state as Partial<State>) : {}),
});

/** One read in progress. */
export interface Reading {
	readonly folder: string;
	readonly session: Session;
	readonly batch: BatchBuilder;
	readonly state: State;
}

/** A record on its way to events. */
export interface Line {
	readonly key: string;
	readonly atMs?: number;
	readonly locator: Locator;
}
