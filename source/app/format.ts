/** Numbers and times as rows and headers show them; local days, no locale data. */

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `1,596` */
export const count = (value: number): string =>
	String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 session`, `2,000 sessions` */
export const counted = (value: number, noun: string): string =>
	`${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `now`, `5 min`, `2 h`, `3 d`, `12 Oct`, `2025` */
export const age = (atMs: number | null, nowMs: number): string => {
	if (atMs === null) return '';
	const passedMs = nowMs - atMs;
	if (passedMs < minuteMs) return 'now';
	if (passedMs < hourMs) return `${Math.floor(passedMs / minuteMs)} min`;
	if (passedMs < dayMs) return `${Math.floor(passedMs / hourMs)} h`;
	if (passedMs < 10 * dayMs) return `${Math.floor(passedMs / dayMs)} d`;
	const at = new Date(atMs);
	return at.getFullYear() === new Date(nowMs).getFullYear()
		? `${at.getDate()} ${months[at.getMonth()]}`
		: String(at.getFullYear());
};

/** `just now`, `2 min ago`, `on 12 Oct` */
export const ago = (atMs: number, nowMs: number): string => {
	const text = age(atMs, nowMs);
	if (text === 'now') return 'just now';
	if (/^\d{4}$/.test(text)) return `in ${text}`;
	return /(min|h|d)$/.test(text) ? `${text} ago` : `on ${text}`;
};

const clock = (at: Date): string =>
	`${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;

/** `09:05` */
export const clockOf = (atMs: number): string => clock(new Date(atMs));

/** `12 Oct` */
export const shortDay = (atMs: number): string => {
	const at = new Date(atMs);
	return `${at.getDate()} ${months[at.getMonth()]}`;
};

const midnight = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0);

export const isSameDay = (aMs: number, bMs: number): boolean => midnight(aMs) === midnight(bMs);

/** `41 s`, `38 min`, `2 h 5 min`, `3 d` */
export const duration = (ms: number): string => {
	if (ms < minuteMs) return `${Math.max(0, Math.round(ms / 1000))} s`;
	if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
	if (ms >= dayMs) return `${Math.floor(ms / dayMs)} d`;
	const minutes = Math.floor((ms % hourMs) / minuteMs);
	return `${Math.floor(ms / hourMs)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
};

/** `today`, `yesterday`, `12 Oct`, `12 Oct 2025` */
export const dayName = (atMs: number, nowMs: number): string => {
	const days = Math.round((midnight(nowMs) - midnight(atMs)) / dayMs);
	if (days === 0) return 'today';
	if (days === 1) return 'yesterday';
	const at = new Date(atMs);
	const year = at.getFullYear() === new Date(nowMs).getFullYear() ? '' : ` ${at.getFullYear()}`;
	return `${at.getDate()} ${months[at.getMonth()]}${year}`;
};

/** `today 10:04` */
export const moment = (atMs: number, nowMs: number): string =>
	`${dayName(atMs, nowMs)} ${clock(new Date(atMs))}`;

/** `today 10:04 – 11:41`, `12 Oct 09:00 – 14 Oct 10:12` */
export const period = (fromMs: number, toMs: number, nowMs: number): string => {
	const from = moment(fromMs, nowMs);
	const to = moment(toMs, nowMs);
	if (from === to) return from;
	return midnight(fromMs) === midnight(toMs)
		? `${from} – ${clock(new Date(toMs))}`
		: `${from} – ${to}`;
};

/** `41 MB`, `0.4 MB` */
export const megabytes = (sizeBytes: number): string => {
	const mb = sizeBytes / 1_000_000;
	return mb < 10 ? mb.toFixed(1) : count(mb);
};

/** `~/code` for a path below the home folder. */
export const shortPath = (path: string, home: string): string =>
	home !== '' && home !== '/' && (path === home || path.startsWith(`${home}/`))
		? `~${path.slice(home.length)}`
		: path;
