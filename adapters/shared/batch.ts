/** Collects what an adapter reads into batches of a bounded size. */

import type {AdapterEvent, Problem, SessionFacts, Usage} from '../model.js';
import {BATCH_CHARS, BATCH_EVENTS, type Batch, type Cursor} from '../types.js';

/** Nothing goes on from here: the source is always read whole. */
export const END: Cursor = {offset: 0, lineNumber: 0, state: null};

export interface BatchBuilder {
	/** For formats that state the session id only in a record. */
	setSession(id: string): void;
	/** Later values replace earlier ones field by field; `null` takes a value back. */
	patch(facts: SessionFacts): void;
	/** All facts by now, for `Cursor.state`. */
	facts(): SessionFacts;
	event(event: AdapterEvent): void;
	usage(usage: Usage): void;
	problem(problem: Problem): void;
	/** Counts a record kind that is not known. */
	unknown(kind: string): void;
	/** Marks the events from `fromKey` up to `toKey` (exclusive; absent = all so far) as undone. */
	undo(fromKey: string, toKey?: string): void;
	/** Time to `take`. */
	isFull(): boolean;
	/** Hands over what was collected and starts anew; session id and facts stay. */
	take(cursor: Cursor): Batch;
}

interface Collected {
	readonly events: AdapterEvent[];
	readonly usage: Usage[];
	readonly problems: Problem[];
	readonly unknown: Map<string, number>;
	readonly undo: {readonly fromKey: string; readonly toKey?: string}[];
	chars: number;
}

const nothing = (): Collected => ({
	events: [],
	usage: [],
	problems: [],
	unknown: new Map(),
	undo: [],
	chars: 0,
});

const charsOf = (event: AdapterEvent): number =>
	event.text.length + (event.tool?.patch?.length ?? 0) + (event.tool?.subject?.length ?? 0);

const isFull = (now: Collected): boolean =>
	now.chars >= BATCH_CHARS ||
	[now.events, now.usage, now.problems, now.undo].some(list => list.length >= BATCH_EVENTS);

export const createBatch = (sessionId: string): BatchBuilder => {
	let session = sessionId;
	let facts: SessionFacts = {};
	let now = nothing();
	return {
		setSession(id) {
			session = id;
		},
		patch(change) {
			facts = {...facts, ...change};
		},
		facts: () => facts,
		event(event) {
			now.events.push(event);
			now.chars += charsOf(event);
		},
		usage(usage) {
			now.usage.push(usage);
		},
		problem(problem) {
			now.problems.push(problem);
		},
		unknown(kind) {
			now.unknown.set(kind, (now.unknown.get(kind) ?? 0) + 1);
		},
		undo(fromKey, toKey) {
			now.undo.push(toKey === undefined ? {fromKey} : {fromKey, toKey});
		},
		isFull: () => isFull(now),
		take(cursor) {
			const {events, usage, problems, unknown, undo} = now;
			now = nothing();
			return {
				sessionId: session,
				facts,
				events,
				usage,
				problems,
				unknown: Object.fromEntries(unknown),
				undo,
				cursor,
			};
		},
	};
};
