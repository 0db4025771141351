/** Times as stores write them: ISO text, or numbers in seconds, milliseconds, microseconds or nanoseconds. */

// Anything outside is no time of a coding agent: zero values, counters, clocks that were never set.
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

// Upper bound of the magnitude, and what to multiply with and divide by: 1e-6 is no exact double.
const SCALES = [
	[1e11, 1000, 1],
	[1e14, 1, 1],
	[1e17, 1, 1000],
	[1e20, 1, 1_000_000],
] as const;

const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,9}))?\d*)? ?(?:(Z)|([+-]\d\d):?(\d\d)?|UTC)?$/i;
const DIGITS = /^\d{9,20}(?:\.\d+)?$/;

const plausible = (ms: number): number | undefined =>
	ms >= EARLIEST_MS && ms < LATEST_MS ? Math.round(ms) : undefined;

const fromNumber = (value: number): number | undefined => {
	const scale = SCALES.find(([bound]) => value < bound);
	return scale === undefined ? undefined : plausible((value * scale[1]) / scale[2]);
};

const fromText = (text: string): number | undefined => {
	const trimmed = text.trim();
	if (DIGITS.test(trimmed)) return fromNumber(Number(trimmed));
	const match = ISO.exec(trimmed);
	if (match === null) return undefined;
	const [, day, minutes = '00:00', seconds = ':00', fraction = '', , hourShift, minuteShift] =
		match;
	const zone = hourShift === undefined ? 'Z' : `${hourShift}:${minuteShift ?? '00'}`;
	return plausible(
		Date.parse(`${day}T${minutes}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`),
	);
};

/**
 * UTC epoch milliseconds of a time in any of the forms above, the unit told by magnitude; nonsense gives undefined. A text
 * without a zone counts as UTC, as SQLite's own functions write it.
 */
export const timeMs = (value: unknown): number | undefined => {
	if (typeof value === 'string') return fromText(value);
	if (typeof value === 'number' || typeof value === 'bigint') return fromNumber(Number(value));
	return undefined;
};

const NAIVE = /^\s*(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*$/;

/** The same for agents that write the clock of the wall: a text without a zone is in the zone of this machine. */
export const localTimeMs = (value: unknown): number | undefined => {
	const match = typeof value === 'string' ? NAIVE.exec(value) : null;
	if (match === null) return timeMs(value);
	const [year = 0, month = 0, day, hours, minutes, seconds = 0] = match
		.slice(1, 7)
		.map(part => (part === undefined ? undefined : Number(part)));
	const fraction = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
	return plausible(new Date(year, month - 1, day, hours, minutes, seconds, fraction).getTime());
};
