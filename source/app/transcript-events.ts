/** Which events of a transcript have rows, and what belongs together: calls and results, calls and their sub-agents. */
import type {EventRef, EventView} from '../../store/types.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {isVisible} from '../transcript/layout.js';
import type {Transcript} from './backend.js';
import type {ReaderState} from './state.js';

export const PAGE_EVENTS = 200;

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
export const isTask = (reader: ReaderState, event: EventView): boolean =>
	event.kind === 'meta' &&
	reader.transcript?.session.kind === 'subagent' &&
	reader.pages[0]?.find(({kind}) => kind === 'meta') === event;

export const isPaired = (reader: ReaderState, event: EventView): boolean => {
	const callId = event.tool?.callId;
	if (event.kind !== 'tool_result' || !callId) return false;
	const {results, calls} = pairsOf(reader.pages);
	return calls.has(callId) && results.get(callId) === event;
};

const isVisibleIn = (reader: ReaderState, event: EventView): boolean =>
	isVisible(event, {
		tools: reader.tools,
		hasMeta: reader.hasMeta,
		isTask: isTask(reader, event),
		isPaired: isPaired(reader, event),
	});

/** What was rewound has one row at its beginning, until it is asked for. */
export const isShown = (reader: ReaderState, event: EventView): boolean =>
	event.state === 'undone' && !reader.hasUndone
		? isRewindHead(reader, event) && rewoundSteps(reader, event) > 0
		: isVisibleIn(reader, event);

/** The first one of events that were rewound together. */
const isRewindHead = (reader: ReaderState, event: EventView): boolean =>
	event.state === 'undone' && eventAt(reader, event.index - 1)?.state !== 'undone';

/** Events that would be shown from here to the end of what was rewound, as far as they are loaded. */
export const rewoundSteps = (reader: ReaderState, head: EventView): number => {
	let steps = 0;
	let event: EventView | undefined = head;
	for (; event?.state === 'undone'; event = eventAt(reader, event.index + 1))
		if (isVisibleIn(reader, event)) steps++;
	return steps;
};

/** The result that is laid out with a call. */
export const resultOf = (reader: ReaderState, event: EventView): EventView | undefined =>
	event.kind === 'tool_use' && event.tool?.callId
		? pairsOf(reader.pages).results.get(event.tool.callId)
		: undefined;

/** A block and the result that is laid out with it, as far as their stored texts are cut. */
const cutParts = (reader: ReaderState, index: number): readonly EventView[] => {
	const event = eventAt(reader, index);
	if (!event) return [];
	return [event, resultOf(reader, event)].flatMap(part => (part?.truncated ? [part] : []));
};

export const isCut = (reader: ReaderState, index: number): boolean =>
	cutParts(reader, index).length > 0;

/** Whole texts that a block unfolded to all of it still waits for. */
export const awaitedTexts = (reader: ReaderState, index: number): readonly EventRef[] =>
	reader.folds[index] === 'whole'
		? cutParts(reader, index).flatMap(({ref}) => (ref in reader.fullTexts ? [] : [ref]))
		: [];

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
export const neighbour = (reader: ReaderState, from: number, step: 1 | -1): Neighbour => {
	const total = totalOf(reader);
	for (let index = from + step; index < total; index += step) {
		if (index < 0) return index === HEAD && headOf(reader).length > 0 ? HEAD : null;
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

const parentLine = (transcript: Transcript): string | null => {
	const {parent} = transcript.session;
	if (!parent) return null;
	const title = transcript.parentTitle ?? parent.ref;
	const way = parent.isKnown ? 'Enter opens it' : 'never seen by backscroll';
	return `${relations[parent.relation]} ${title} · ${way}`;
};

const followerWords = {fork: 'forked into', continuation: 'goes on in', subagent: ''} as const;

const followersLine = ({session, followers}: Transcript): string | null => {
	const [first, ...others] = followers;
	if (!first) return null;
	const way = followerWords[first.parent?.relation ?? 'fork'];
	const more = others.length === 0 ? '' : ` and ${others.length} more`;
	return `${way} ${sanitizeLine(first.title)}${more} · ${session.parent ? 'c' : 'Enter'} opens it`;
};

/** How the session hangs together with others. */
export const headOf = ({transcript}: ReaderState): readonly string[] =>
	transcript === null
		? []
		: [parentLine(transcript), followersLine(transcript)].filter(line => line !== null);

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

/** The block next to one; the same one when there is none in reach. */
export const blockBeside = (reader: ReaderState, from: number, step: 1 | -1): number => {
	const next = neighbour(reader, from, step);
	return typeof next === 'number' ? next : from;
};

export const hasRows = (reader: ReaderState, index: number): boolean =>
	index === HEAD ? headOf(reader).length > 0 : nearestShown(reader, index) === index;

/** A call, a thought or the like shows what it holds. */
export const isOpen = ({folds, tools}: ReaderState, {index}: EventView): boolean =>
	(folds[index] ?? (tools === 'full' ? 'open' : 'folded')) !== 'folded';
