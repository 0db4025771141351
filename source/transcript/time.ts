/** Words for times, in the local zone and without a clock: everything is said relative to what it is given. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A shorter pause is ordinary work and not worth a line. */
const WORTH_NAMING = 15 * MINUTE;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const two = (value: number): string => String(value).padStart(2, '0');

/** `320 ms`, `3.2 s`, `41 s`, `38 min`, `2 h 5 min`, `3 days`. */
export const formatDuration = (ms: number): string => {
	if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
	if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
	if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
	if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
	if (ms < DAY) {
		const minutes = Math.floor((ms % HOUR) / MINUTE);
		const hours = `${Math.floor(ms / HOUR)} h`;
		return minutes === 0 ? hours : `${hours} ${minutes} min`;
	}
	const days = Math.floor(ms / DAY);
	return days === 1 ? '1 day' : `${days} days`;
};

/** `12 Nov 2026` */
export const formatDay = (atMs: number): string => {
	const date = new Date(atMs);
	return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}`;
};

/** `2026-11-12` */
export const isoDay = (atMs: number): string => {
	const date = new Date(atMs);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** `09:05` */
export const formatClock = (atMs: number): string => {
	const date = new Date(atMs);
	return `${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** What is said between two events: a long pause, a new day, or null for neither. */
export const formatGap = (
	previousAtMs: number | null | undefined,
	atMs: number | null,
): string | null => {
	if (previousAtMs === null || previousAtMs === undefined || atMs === null) return null;
	const gap = atMs - previousAtMs;
	const later = gap >= WORTH_NAMING ? `${formatDuration(gap)} later` : null;
	if (gap < 0 || isoDay(previousAtMs) === isoDay(atMs)) return later;
	return later === null ? formatDay(atMs) : `${formatDay(atMs)}, ${later}`;
};
