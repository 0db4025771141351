import type {AdapterEvent, EventKind} from '../../adapters/model.js';

/** Caps of what a row shows (DESIGN section 2); the index gets the text up to `INDEX_CHARS` all the same. */
const CAPS: Readonly<Partial<Record<EventKind, readonly [head: number, tail: number]>>> = {
	tool_use: [2000, 0],
	tool_result: [2600, 1400],
	reasoning: [20_000, 0],
	meta: [4000, 0],
};
const INDEX_CHARS = 256 * 1024;

/** The text that a row keeps: for tool results also the end, because errors stand there. `…` on a line of its own marks the cut. */
export const cappedText = (kind: EventKind, text: string): string => {
	const [head, tail] = CAPS[kind] ?? [INDEX_CHARS, 0];
	if (text.length <= head + tail) return text;
	return tail === 0
		? wellFormedSlice(text, 0, head)
		: `${wellFormedSlice(text, 0, head)}\n…\n${wellFormedSlice(text, text.length - tail)}`;
};

/** A slice that does not begin or end inside of a surrogate pair. */
const wellFormedSlice = (text: string, from: number, to = text.length): string => {
	const start = isLowSurrogate(text.charCodeAt(from)) && from > 0 ? from + 1 : from;
	const end = isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
	return text.slice(start, end);
};
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Column of `event_fts` per kind; a message's column is that of its role. */
export type IndexColumn = 'prompt' | 'reply' | 'tool' | 'output' | 'thought' | 'meta';

export const indexColumn = (event: Pick<AdapterEvent, 'kind' | 'role'>): IndexColumn => {
	if (event.kind === 'message') return event.role === 'user' ? 'prompt' : 'reply';
	return (
		{
			tool_use: 'tool',
			tool_result: 'output',
			reasoning: 'thought',
			summary: 'thought',
			meta: 'meta',
		} as const
	)[event.kind];
};

/** What the full-text index gets to see of an event. */
export const searchableText = (event: AdapterEvent): string => {
	const text = event.text.length > INDEX_CHARS ? event.text.slice(0, INDEX_CHARS) : event.text;
	if (event.kind !== 'tool_use') return text;
	const subject = event.tool?.subject ?? '';
	const head = `${event.tool?.name ?? ''} ${text.includes(subject) ? '' : subject}`.trim();
	return `${head}\n${text}`;
};

/**
 * 53-bit hash of what an event says, to recognise the same record under another key. Not cryptographic: equal hashes are only
 * ever compared inside of one session or family.
 */
export const eventHash = (event: AdapterEvent): number => {
	const text = `${event.kind} ${event.role ?? ''} ${event.text.length > 65_536 ? event.text.slice(0, 65_536) : event.text}`;
	let low = 0xdeadbeef ^ event.text.length;
	let high = 0x41c6ce57;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		low = Math.imul(low ^ code, 2654435761);
		high = Math.imul(high ^ code, 1597334677);
	}
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	return (high >>> 11) * 2 ** 32 + (low >>> 0);
};
