/** Gathers the places of a scan by session: one hit each, with the best event and the number of others. */
import type {Adapter} from '../../adapters/types.js';
import type {SearchRequest} from '../../store/library.js';
import type {Database} from '../../store/open.js';
import {eventView, eventViews} from '../../store/read/events.js';
import type {EventPlace} from '../../store/read/scan-sources.js';
import {sessionView} from '../../store/read/sessions.js';
import {WEIGHTS} from '../../store/search/fts.js';
import {parseQuery} from '../../store/search/query.js';
import {EVENT_COLUMNS, type EventColumn, scopeOf} from '../../store/search/scope.js';
import {type Snippet, snippetAt} from '../../store/search/snippet.js';
import {indexColumn} from '../../store/sync/text.js';
import type {EventView, SearchHit} from '../../store/types.js';
import {readRawEvent} from '../raw-event.js';
import {stringsIn} from '../whole-text.js';
import type {LiteralPattern} from './literal.js';

export interface Collector {
	/** Sessions that a later `finish` speaks of; once for each time. */
	expect(sessions: readonly number[]): void;
	/** A record with the text. `isInside`: not a record behind these events of which nothing is shown. */
	add(
		events: readonly EventPlace[],
		place: {readonly around: string; readonly isInside: boolean},
	): void;
	/** Of these sessions nothing more will come: the hits of those that are through. */
	finish(sessions: readonly number[]): Iterable<SearchHit>;
	/** What was found for sessions that nobody finished. */
	rest(): Iterable<SearchHit>;
}

interface Found {
	readonly events: Set<number>;
	best: {readonly event: number; readonly weight: number; readonly around: string};
}

interface CollectorOptions {
	readonly adapters: readonly Adapter[];
	readonly pattern: LiteralPattern;
	readonly request: SearchRequest;
}

export const createCollector = (
	database: Database,
	{adapters, pattern, request}: CollectorOptions,
): Collector => {
	const found = new Map<number, Found>();
	const expected = new Map<number, number>();
	const given = new Set<number>();
	const weightOf = weightsOf(request);

	const hitOf = (session: number): readonly SearchHit[] => {
		const places = found.get(session);
		found.delete(session);
		given.add(session);
		const view = places && sessionView(database, session);
		const event = places && eventView(database, places.best.event);
		if (!places || !view || !event) return [];
		return [
			{
				session: view,
				event: event.ref,
				eventIndex: event.index,
				kind: event.kind,
				role: event.role,
				atMs: event.atMs,
				...snippetOf(textsOf(event, places.best.around), pattern),
				score: 0,
				more: places.events.size - 1,
			},
		];
	};
	/** Of an event: its text, what is known of it, its whole record, what stands at the place. */
	function* textsOf(event: EventView, around: string): Generator<string> {
		yield event.text;
		yield event.tool?.subject ?? '';
		const raw = readRawEvent(database, adapters, event.rowId) ?? '';
		yield* recordStrings(raw);
		yield raw;
		yield around;
	}
	/** Of several events of one record, the one that shows the text. */
	const shown = (events: readonly EventPlace[]): EventPlace | undefined => {
		if (events.length < 2) return events[0];
		const views = eventViews(
			database,
			events.map(({event}) => event),
		);
		return (
			events.find(({event}) => {
				const view = views.get(event);
				return view && placeIn(`${view.text}\n${view.tool?.subject ?? ''}`, pattern);
			}) ?? events[0]
		);
	};

	return {
		expect(sessions) {
			for (const session of sessions) expected.set(session, (expected.get(session) ?? 0) + 1);
		},
		add(events, {around, isInside}) {
			const place = isInside ? shown(events) : events.at(-1);
			const weight = place && weightOf(place, isInside);
			if (place === undefined || weight === undefined || given.has(place.session)) return;
			const best = {event: place.event, weight, around};
			const known = found.get(place.session);
			if (known === undefined) found.set(place.session, {events: new Set([place.event]), best});
			else {
				known.events.add(place.event);
				if (weight > known.best.weight) known.best = best;
			}
		},
		*finish(sessions) {
			for (const session of sessions) {
				const left = (expected.get(session) ?? 1) - 1;
				expected.set(session, left);
				if (left <= 0) yield* hitOf(session);
			}
		},
		*rest() {
			for (const session of [...found.keys()]) yield* hitOf(session);
		},
	};
};

/** What an event is worth by its kind; undefined where the query does not look. */
const weightsOf = ({query, nowMs, scope}: SearchRequest) => {
	const {columns, hasMeta} = scopeOf(parseQuery(query, nowMs), [], scope);
	const isOpen = columns.length === EVENT_COLUMNS.length;
	return ({kind, role}: EventPlace, isInside: boolean): number | undefined => {
		// Records of which nothing is shown are of no kind that could be asked for.
		if (!isInside) return isOpen ? 0 : undefined;
		const column = indexColumn({kind, ...(role && {role})});
		if (column === 'meta') return isOpen || hasMeta ? WEIGHTS.output : undefined;
		return (columns as readonly EventColumn[]).includes(column) ? WEIGHTS[column] : undefined;
	};
};

const recordStrings = (raw: string): readonly string[] => {
	try {
		return stringsIn(JSON.parse(raw));
	} catch {
		return []; // no JSON: the record itself is looked at
	}
};

interface Place {
	readonly start: number;
	readonly end: number;
}

const placeIn = (text: string, {inText}: LiteralPattern, from = 0): Place | undefined => {
	inText.lastIndex = from;
	const match = inText.exec(text);
	return match ? {start: match.index, end: match.index + match[0].length} : undefined;
};

// A line shows no more of a text.
const SHOWN_CHARS = 2000;

const snippetOf = (texts: Iterable<string>, pattern: LiteralPattern): Snippet => {
	let last = '';
	for (const text of texts) {
		last = text;
		const first = placeIn(text, pattern);
		if (first === undefined) continue;
		const places: Place[] = [];
		for (
			let place: Place | undefined = first;
			place && place.start < first.start + SHOWN_CHARS;
			place = placeIn(text, pattern, place.end)
		)
			places.push(place);
		return snippetAt(text, first.start, {places});
	}
	return snippetAt(last, undefined, {places: []});
};
