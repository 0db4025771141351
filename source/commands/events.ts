import {adapters} from '../../adapters/registry.js';
import type {Library} from '../../store/library.js';
import type {Database} from '../../store/open.js';
import type {EventView, SessionRef, SessionView} from '../../store/types.js';
import {readWholeText} from '../whole-text.js';

const PAGE = 500;

/**
 * A part of a transcript, page by page: a session may be larger than the memory is. What was copied from a parent is left out: it
 * is shown there.
 */
export function* eventsOf(
	library: Library,
	session: SessionRef,
	{from = 0, end = Number.POSITIVE_INFINITY}: {readonly from?: number; readonly end?: number} = {},
): Generator<EventView> {
	for (let next = Math.max(0, from); next < end; next += PAGE) {
		const page = library.events(session, {from: next, count: Math.min(PAGE, end - next)});
		yield* page.filter(({state}) => state !== 'copied');
		if (page.length < PAGE) return;
	}
}

/** A fork with what it goes on from: the parents' events up to where they parted, then its own. */
export function* lineOf(library: Library, session: SessionView): Generator<EventView> {
	for (const {ref, end} of lineage(library, session)) yield* eventsOf(library, ref, {end});
}

interface Stretch {
	readonly ref: SessionRef;
	/** Index after its last event that belongs to the line. */
	readonly end: number;
}

const lineage = (library: Library, session: SessionView): readonly Stretch[] => {
	const line: Stretch[] = [{ref: session.ref, end: Number.POSITIVE_INFINITY}];
	const seen = new Set([session.ref]);
	let {parent} = session;
	while (parent?.isKnown && parent.relation !== 'subagent' && !seen.has(parent.ref)) {
		const last = parent.event === null ? undefined : library.event(parent.event);
		// Where a fork left its parent is not always stated; a continuation goes on from the end.
		if (last === undefined && parent.relation === 'fork') break;
		line.unshift({
			ref: parent.ref,
			end: last === undefined ? Number.POSITIVE_INFINITY : last.index + 1,
		});
		seen.add(parent.ref);
		parent = library.session(parent.ref)?.parent ?? null;
	}
	return line;
};

/** The text of an event without the store's cap, while its source is there. */
export const wholeText = (database: Database, event: EventView): string | undefined =>
	event.truncated ? readWholeText(database, adapters, event) : undefined;
