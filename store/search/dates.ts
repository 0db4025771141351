/** A date as people type it in `after:`, `before:`, `date:`, `--since` and `--until`. */
export type TypedDate =
	/** A local day or month: `today`, `yesterday`, `2026-11-01`, `2026-11`. */
	| {readonly kind: 'span'; readonly fromMs: number; readonly toMs: number}
	/** A point in time: `2d`, `1w`, `3h` before now, or an ISO time. */
	| {readonly kind: 'point'; readonly atMs: number};

const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = {
	h: HOUR_MS,
	d: 24 * HOUR_MS,
	w: 7 * 24 * HOUR_MS,
};

/** Undefined for what is no date, such as one that is half typed. */
export const readDate = (text: string, nowMs: number): TypedDate | undefined => {
	const value = text.toLowerCase();
	if (value === 'today') return day(nowMs, 0);
	if (value === 'yesterday') return day(nowMs, -1);
	const ago = /^(\d{1,5})([hdw])$/.exec(value);
	if (ago) return {kind: 'point', atMs: nowMs - Number(ago[1]) * (UNIT_MS[ago[2] as string] ?? 0)};
	if (/^\d{4}-\d\d-\d\dt\d\d:\d\d/.test(value)) {
		const atMs = Date.parse(text);
		return Number.isNaN(atMs) ? undefined : {kind: 'point', atMs};
	}
	return calendarDate(value);
};

const day = (nowMs: number, offset: number): TypedDate => {
	const now = new Date(nowMs);
	return localSpan(new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset), 'day');
};

const calendarDate = (value: string): TypedDate | undefined => {
	const match = /^(\d{4})-(\d\d?)(?:-(\d\d?))?$/.exec(value);
	if (!match) return undefined;
	const [year, month, date] = [Number(match[1]), Number(match[2]) - 1, Number(match[3] ?? 1)];
	const start = new Date(year, month, date);
	const isReal = start.getMonth() === month && start.getDate() === date && year >= 1970;
	return isReal ? localSpan(start, match[3] ? 'day' : 'month') : undefined;
};

/** The calendar adds the length of the day or month, so that a change of the clock does not shift the end. */
const localSpan = (start: Date, unit: 'day' | 'month'): TypedDate => {
	const end = new Date(start);
	if (unit === 'day') end.setDate(end.getDate() + 1);
	else end.setMonth(end.getMonth() + 1);
	return {kind: 'span', fromMs: start.getTime(), toMs: end.getTime()};
};
