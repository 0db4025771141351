/**
 * Which rows of a transcript are in sight, and where a scroll or a jump leads. Pure, over the events that are loaded: a session
 * may have 100,000 events, of which some pages around the viewport are there. Whatever walks beyond them stops at their edge.
 */
import type {EventView} from '../../store/types.js';
import type {Line} from '../terminal/spans.js';
import {cutLine} from '../terminal/width.js';
import {isVisible, type LayoutOptions, layoutEvent} from '../transcript/layout.js';
import {findWords} from '../transcript/matches.js';
import {queryWords} from './query-words.js';
import type {Fold, Place, ReaderState} from './state.js';

export const PAGE_EVENTS = 200;

export interface View {
	readonly columns: number;
	readonly rows: number;
	readonly isUnicode: boolean;
}

/** A row of the transcript and the event that it belongs to. */
export interface WindowRow extends Place {
	readonly content: Line;
}

export const pageOf = (index: number): number => Math.floor(Math.max(0, index) / PAGE_EVENTS);

export const eventAt = ({pages}: ReaderState, index: number): EventView | undefined =>
	pages[pageOf(index)]?.[index % PAGE_EVENTS];

export const totalOf = (reader: ReaderState): number => reader.transcript?.total ?? 0;

/** Calls and results of the loaded pages by call id. */
interface Pairs {
	readonly results: ReadonlyMap<string, EventView>;
	readonly calls: ReadonlySet<string>;
}

const pairsCache = new WeakMap<ReaderState['pages'], Pairs>();

const pairsOf = (pages: ReaderState['pages']): Pairs => {
	const known = pairsCache.get(pages);
	if (known) return known;
	const results = new Map<string, EventView>();
	const calls = new Set<string>();
	for (const page of Object.values(pages))
		for (const event of page) {
			const callId = event.tool?.callId;
			if (!callId || event.state === 'copied') continue;
			if (event.kind === 'tool_use') calls.add(callId);
			else if (event.kind === 'tool_result' && !results.has(callId)) results.set(callId, event);
		}
	const pairs = {results, calls};
	pairsCache.set(pages, pairs);
	return pairs;
};

/** The first meta record of a sub-agent is its task. */
const isTask = (reader: ReaderState, event: EventView): boolean =>
	event.kind === 'meta' &&
	reader.transcript?.session.kind === 'subagent' &&
	reader.pages[0]?.find(({kind}) => kind === 'meta') === event;

const isPaired = (reader: ReaderState, event: EventView): boolean => {
	const callId = event.tool?.callId;
	if (event.kind !== 'tool_result' || !callId) return false;
	const {results, calls} = pairsOf(reader.pages);
	return calls.has(callId) && results.get(callId) === event;
};

const isShown = (reader: ReaderState, event: EventView): boolean =>
	isVisible(event, {
		tools: reader.tools,
		hasMeta: reader.hasMeta,
		isTask: isTask(reader, event),
		isPaired: isPaired(reader, event),
	});

/** The result that is laid out with a call. */
export const resultOf = (reader: ReaderState, event: EventView): EventView | undefined =>
	event.kind === 'tool_use' && event.tool?.callId
		? pairsOf(reader.pages).results.get(event.tool.callId)
		: undefined;

/** Sub-agent that a call started; some agents say so in the result only. */
export const childOf = (reader: ReaderState, event: EventView): string | null =>
	event.tool?.child ?? resultOf(reader, event)?.tool?.child ?? null;

/** The event whose block shows this one: of a paired result its call. */
export const blockOf = (reader: ReaderState, index: number): number => {
	const event = eventAt(reader, index);
	if (!event || !isPaired(reader, event)) return index;
	for (let at = index - 1; at >= 0; at--) {
		const candidate = eventAt(reader, at);
		if (!candidate) return index;
		if (candidate.kind === 'tool_use' && candidate.tool?.callId === event.tool?.callId) return at;
	}
	return index;
};

type Neighbour = number | 'edge' | null;

/** Next event that has rows; `edge`: that is not loaded, null: there is none. */
const neighbour = (reader: ReaderState, from: number, step: 1 | -1): Neighbour => {
	const total = totalOf(reader);
	for (let index = from + step; index < total; index += step) {
		if (index < 0) return index === HEAD && headOf(reader) !== null ? HEAD : null;
		const event = eventAt(reader, index);
		if (!event) return 'edge';
		if (isShown(reader, event)) return index;
	}
	return null;
};

/** The line above the first event, of forks, continuations and sub-agents. */
export const HEAD = -1;

const relations = {
	fork: 'forked from',
	continuation: 'continues',
	subagent: 'sub-agent of',
} as const;

const headOf = ({transcript}: ReaderState): string | null => {
	const parent = transcript?.session.parent;
	if (!parent) return null;
	const title = transcript.parentTitle ?? parent.ref;
	const way = parent.isKnown ? 'Enter opens it' : 'never seen by backscroll';
	return `${relations[parent.relation]} ${title} · ${way}`;
};

const layoutCache = new WeakMap<EventView, Map<string, readonly Line[]>>();

const foldOf = ({folds}: ReaderState, index: number): Fold => folds[index] ?? 'folded';

const optionsFor = (reader: ReaderState, event: EventView, view: View): LayoutOptions => {
	const above = neighbour(reader, event.index, -1);
	const previous = typeof above === 'number' && above !== HEAD ? eventAt(reader, above) : undefined;
	const result = resultOf(reader, event);
	return {
		columns: view.columns,
		tools: reader.tools,
		hasReasoning: reader.hasReasoning,
		hasMeta: reader.hasMeta,
		fold: foldOf(reader, event.index),
		isTask: isTask(reader, event),
		isPaired: isPaired(reader, event),
		isUnicode: view.isUnicode,
		fullText: reader.fullTexts[event.ref],
		result,
		fullResultText: result && reader.fullTexts[result.ref],
		previousAtMs: previous?.atMs ?? null,
		previousKind: above === 'edge' ? undefined : (previous?.kind ?? null),
	};
};

const cacheKey = (options: LayoutOptions): string =>
	JSON.stringify({
		...options,
		fullText: options.fullText?.length,
		fullResultText: options.fullResultText?.length,
		result: options.result?.rowId,
	});

/** Rows of an event; undefined while it is not loaded. The find marks are not in them: see `windowRows`. */
export const linesOf = (
	reader: ReaderState,
	index: number,
	view: View,
): readonly Line[] | undefined => {
	if (index === HEAD) {
		const head = headOf(reader);
		return head === null ? [] : [cutLine([{text: head, style: 'link'}], view.columns), []];
	}
	const event = eventAt(reader, index);
	if (!event) return undefined;
	if (!isShown(reader, event)) return [];
	const options = optionsFor(reader, event, view);
	const key = cacheKey(options);
	const known = layoutCache.get(event);
	const cached = known?.get(key);
	if (cached) return cached;
	const child = childOf(reader, event);
	const shown = event.tool && child !== null ? {...event, tool: {...event.tool, child}} : event;
	const lines = layoutEvent(shown, options);
	// The few newest forms of an event are enough: a resize or a fold makes the older ones worthless.
	if (known && known.size < 8) known.set(key, lines);
	else layoutCache.set(event, new Map([[key, lines]]));
	return lines;
};

/** Rows above the content of a block: a blank one, the line of a pause. A jump shows the block from its content on. */
export const leadOf = (lines: readonly Line[]): number => {
	const last = lines.findIndex(line =>
		line.some(({text, style}) => text.trim() && style !== 'rule'),
	);
	return Math.max(0, last);
};

/** Rows from a place down, at most as many as the view has. */
export const windowRows = (reader: ReaderState, view: View): readonly WindowRow[] => {
	const rows: WindowRow[] = [];
	let {index, line} = reader.position;
	while (rows.length < view.rows) {
		const lines = linesOf(reader, index, view);
		if (!lines) break;
		for (; line < lines.length && rows.length < view.rows; line++)
			rows.push({index, line, content: lines[line] ?? []});
		const next = neighbour(reader, index, 1);
		if (typeof next !== 'number') break;
		index = next;
		line = 0;
	}
	return rows;
};

interface Move {
	readonly from: Place;
	/** Rows down; up when negative. */
	readonly by: number;
}

/** Moves a place by rows. Where events are not loaded it stops, with the rows that are left to go. */
export const walk = (
	reader: ReaderState,
	{from, by}: Move,
	view: View,
): {readonly place: Place; readonly left: number} => {
	const step = by > 0 ? 1 : -1;
	let {index, line} = from;
	let left = Math.abs(by);
	for (;;) {
		const length = linesOf(reader, index, view)?.length ?? 0;
		const room = step > 0 ? Math.max(0, length - 1 - line) : line;
		if (left <= room) return {place: {index, line: line + step * left}, left: 0};
		const next = neighbour(reader, index, step);
		if (typeof next !== 'number') {
			const place = {index, line: step > 0 ? Math.max(0, length - 1) : 0};
			return {place, left: next === 'edge' ? step * (left - room) : 0};
		}
		left -= room + 1;
		index = next;
		line = step > 0 ? 0 : Math.max(0, (linesOf(reader, index, view)?.length ?? 1) - 1);
	}
};

export const movePlace = (reader: ReaderState, move: Move, view: View): Place =>
	walk(reader, move, view).place;

/** The last place from which the view is filled; undefined while the end is not loaded. */
export const lastPlace = (reader: ReaderState, view: View): Place | undefined => {
	const last = neighbour(reader, totalOf(reader), -1);
	if (last === 'edge') return undefined;
	if (last === null) return {index: 0, line: 0};
	const lines = linesOf(reader, last, view)?.length ?? 1;
	return movePlace(reader, {from: {index: last, line: lines - 1}, by: 1 - view.rows}, view);
};

export const isBefore = (a: Place, b: Place): boolean =>
	a.index < b.index || (a.index === b.index && a.line < b.line);

/** A place is on a row that exists, and leaves no empty rows below the end. */
export const settlePlace = (reader: ReaderState, place: Place, view: View): Place => {
	const lines = linesOf(reader, place.index, view);
	if (!lines) return place;
	let settled = {index: place.index, line: Math.min(place.line, Math.max(0, lines.length - 1))};
	if (lines.length === 0) {
		const next = neighbour(reader, place.index, 1);
		const other = next === null ? neighbour(reader, place.index, -1) : next;
		if (typeof other !== 'number') return settled;
		settled = {index: other, line: 0};
	}
	const last = lastPlace(reader, view);
	return last && isBefore(last, settled) ? last : settled;
};

/** The block next to one; the same one when there is none in reach. */
export const blockBeside = (reader: ReaderState, from: number, step: 1 | -1): number => {
	const next = neighbour(reader, from, step);
	return typeof next === 'number' ? next : from;
};

/** The event, or the nearest one with rows; undefined while that is not loaded. */
export const nearestShown = (reader: ReaderState, index: number): number | undefined => {
	const own = blockOf(reader, index);
	const event = eventAt(reader, own);
	if (!event) return undefined;
	if (isShown(reader, event)) return own;
	const next = neighbour(reader, own, 1);
	if (typeof next === 'number') return next;
	const previous = neighbour(reader, own, -1);
	return typeof previous === 'number' ? previous : own;
};

/** Farther than this, hidden events are not walked for more rows: the keys that jump lead past them. */
const reachPages = 40;
const keptPages = 2 * reachPages + 10;

/** First page that is missing for the rows in sight and a screenful above and below, nearest first. */
export const missingPage = (reader: ReaderState, view: View): number | undefined => {
	if (!reader.transcript) return undefined;
	const goalIndex = goalIndexOf(reader);
	if (goalIndex !== undefined) {
		const page = pageOf(goalIndex);
		if (!reader.pages[page]) return page;
	}
	const page = pageOf(reader.position.index);
	if (!reader.pages[page]) return totalOf(reader) > 0 ? page : undefined;
	return missingFrom(reader, view, 1) ?? missingFrom(reader, view, -1);
};

const missingFrom = (reader: ReaderState, view: View, step: 1 | -1): number | undefined => {
	const start = pageOf(reader.position.index);
	let {index} = reader.position;
	for (let rows = 0; rows < 2 * view.rows; ) {
		const next = neighbour(reader, index, step);
		if (next === null) return undefined;
		if (next === 'edge') {
			for (let page = start; Math.abs(page - start) <= reachPages; page += step)
				if (!reader.pages[page]) return page;
			return undefined;
		}
		index = next;
		rows += linesOf(reader, index, view)?.length ?? 1;
	}
	return undefined;
};

/** Where the goal of the reader lies, as far as it is known. */
export const goalIndexOf = (reader: ReaderState): number | undefined => {
	const {goal, find} = reader;
	if (goal?.kind === 'bottom') return Math.max(0, totalOf(reader) - 1);
	if (goal?.kind === 'event') return goal.index;
	if (goal?.kind === 'find') return find?.matches?.[goal.at];
	return undefined;
};

/** The pages with a new one; those farthest away go. */
export const withPage = (
	{pages, position}: ReaderState,
	page: number,
	events: readonly EventView[],
): ReaderState['pages'] => {
	const all = {...pages, [page]: events};
	const numbers = Object.keys(all).map(Number);
	if (numbers.length <= keptPages) return all;
	const here = pageOf(position.index);
	const kept = numbers
		.sort((a, b) => Math.abs(a - here) - Math.abs(b - here))
		.slice(0, keptPages)
		.concat(page);
	return Object.fromEntries(kept.map(number => [number, all[number] ?? []]));
};

/** Rows of an event that hold a word of the query. */
export const matchingLines = (
	reader: ReaderState,
	index: number,
	view: View,
): readonly number[] => {
	const words = queryWords(reader.find?.query ?? '');
	const lines = linesOf(reader, index, view) ?? [];
	return lines.flatMap((line, at) =>
		findWords(line.map(({text}) => text).join(''), words).length > 0 ? [at] : [],
	);
};

export const hasRows = (reader: ReaderState, index: number): boolean =>
	index === HEAD ? headOf(reader) !== null : nearestShown(reader, index) === index;
