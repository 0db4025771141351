/**
 * Which rows of a transcript are in sight, and where a scroll or a jump leads. Pure, over the events that are loaded: a session
 * may have 100,000 events, of which some pages around the viewport are there. Whatever walks beyond them stops at their edge.
 */
import type {EventView} from '../../store/types.js';
import type {Line} from '../terminal/spans.js';
import {cutLine} from '../terminal/width.js';
import {type LayoutOptions, layoutEvent, layoutRewound} from '../transcript/layout.js';
import {hasTerm, queryTerms} from './query-marks.js';
import type {Fold, Place, ReaderState} from './state.js';
import {
	childOf,
	eventAt,
	HEAD,
	headOf,
	isPaired,
	isShown,
	isTask,
	neighbour,
	pageOf,
	resultOf,
	rewoundSteps,
	totalOf,
} from './transcript-events.js';

export interface View {
	readonly columns: number;
	readonly rows: number;
	readonly isUnicode: boolean;
}

/** A row of the transcript and the event that it belongs to. */
export interface WindowRow extends Place {
	readonly content: Line;
}

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
		cwd: reader.transcript?.session.cwd,
		fullText: reader.fullTexts[event.ref] ?? undefined,
		result,
		fullResultText: (result && reader.fullTexts[result.ref]) ?? undefined,
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
		const rows = head.map(text => cutLine([{text, style: 'link'}], view.columns));
		return rows.length === 0 ? [] : [...rows, []];
	}
	const event = eventAt(reader, index);
	if (!event) return undefined;
	if (!isShown(reader, event)) return [];
	if (event.state === 'undone' && !reader.hasUndone)
		return layoutRewound(rewoundSteps(reader, event), view);
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
	// Each block has a row at least: mostly that is enough to know, and nothing has to be laid out.
	const rowsOf = (index: number): number => linesOf(reader, index, view)?.length ?? 1;
	if (!isEdgeNear(reader, {step, view, rowsOf: () => 1})) return undefined;
	if (!isEdgeNear(reader, {step, view, rowsOf})) return undefined;
	const start = pageOf(reader.position.index);
	for (let page = start; Math.abs(page - start) <= reachPages; page += step)
		if (!reader.pages[page]) return page;
	return undefined;
};

interface Look {
	readonly step: 1 | -1;
	readonly view: View;
	readonly rowsOf: (index: number) => number;
}

/** Whether events that are not loaded come before there are two more screenfuls. */
const isEdgeNear = (reader: ReaderState, {step, view, rowsOf}: Look): boolean => {
	let {index} = reader.position;
	for (let rows = 0; rows < 2 * view.rows; rows += rowsOf(index)) {
		const next = neighbour(reader, index, step);
		if (typeof next !== 'number') return next === 'edge';
		index = next;
	}
	return false;
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
	const terms = queryTerms(reader.find?.query ?? '');
	const lines = linesOf(reader, index, view) ?? [];
	return lines.flatMap((line, at) => (hasTerm(line, terms) ? [at] : []));
};
