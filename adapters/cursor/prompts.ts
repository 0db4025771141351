/** Typed text stands in `<user_query>`, behind a time tag and context that the agent adds. */

/** Sections of context; each seen in user records without a query as well. */
const CONTEXT_TAGS = [
	'user_info',
	'rules',
	'git_status',
	'project_layout',
	'open_and_recently_viewed_files',
	'attached_files',
	'additional_data',
	'agent_skills',
	'agent_transcripts',
	'cursor_commands',
	'image_files',
	'mcp_file_system',
	'system_reminder',
	'system-reminder',
	'timestamp',
] as const;
const OPEN_QUERY = '<user_query>';
const CLOSE_QUERY = '</user_query>';
/** Texts that the agent puts in place of history that it has compacted. */
const SUMMARY = /^<(?:[a-z]+_)*summary>/;
const WORKSPACE = /^Workspace Path: *(\S.*?) *$/m;
const TIME_TAG = /<timestamp>([^<]{1,100})<\/timestamp>/;

export interface Told {
	readonly kind: 'prompt' | 'summary' | 'context';
	readonly text: string;
}

/** Some builds write the brackets of the first record escaped. */
const unescaped = (text: string): string =>
	text.startsWith('\\u003c') ? text.replaceAll('\\u003c', '<').replaceAll('\\u003e', '>') : text;

export const hasQuery = (text: string): boolean => unescaped(text).includes(OPEN_QUERY);

/** Text with the sections of some tags taken out, and these; one that is not closed stays. */
const takeSections = (
	text: string,
	tags: readonly string[],
): {readonly rest: string; readonly sections: readonly string[]} => {
	let rest = text;
	const sections: string[] = [];
	for (const tag of tags) {
		const [open, close] = [`<${tag}>`, `</${tag}>`];
		let from = 0;
		let kept = '';
		for (let start = rest.indexOf(open); start !== -1; start = rest.indexOf(open, from)) {
			const end = rest.indexOf(close, start);
			if (end === -1) break;
			kept += rest.slice(from, start);
			from = end + close.length;
			sections.push(rest.slice(start, from));
		}
		rest = kept + rest.slice(from);
	}
	return {rest: rest.trim(), sections};
};

const contextOf = (text: string): readonly Told[] => {
	const bare = takeSections(text, ['timestamp']).rest;
	return bare === '' ? [] : [{kind: 'context', text: bare}];
};

const queryOf = (text: string): readonly Told[] => {
	const start = text.indexOf(OPEN_QUERY);
	const close = text.indexOf(CLOSE_QUERY, start);
	const end = close === -1 ? text.length : close;
	const query = text.slice(start + OPEN_QUERY.length, end).trim();
	const around = `${text.slice(0, start)}${text.slice(end + CLOSE_QUERY.length)}`;
	return [...contextOf(around), ...(query === '' ? [] : [{kind: 'prompt', text: query} as const])];
};

/** What a text of a user record holds. `isQueried`: a text of the record has a query, so that all else in it is context. */
export const readUserText = (stored: string, isQueried: boolean): readonly Told[] => {
	const text = unescaped(stored);
	if (text.includes(OPEN_QUERY)) return queryOf(text);
	const lead = text.trimStart();
	if (isQueried || lead.startsWith('<user_info>')) return contextOf(text);
	if (SUMMARY.test(lead)) return [{kind: 'summary', text}];
	const {rest, sections} = takeSections(text, CONTEXT_TAGS);
	return [
		...contextOf(sections.join('\n')),
		...(rest === '' ? [] : [{kind: 'prompt', text: rest} as const]),
	];
};

/** The directory that the context names. */
export const workspaceOf = (context: string): string | undefined => WORKSPACE.exec(context)?.[1];

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const TIME =
	/^\w+, (\w{3})\w* (\d{1,2}), (\d{4}), (\d{1,2}):(\d\d)(?::(\d\d))? ([AP])M \(UTC(?:([+-]\d{1,2})(?::?(\d\d))?)?\)$/;

/** `Sunday, Jul 26, 2026, 1:06 PM (UTC+3)`, the only time in a transcript. */
export const parseTimeTag = (text: string): number | undefined => {
	const [, name = '', day, year, hour, minute, second, half, zone, zoneMinute] =
		TIME.exec(text.trim()) ?? [];
	const month = MONTHS.indexOf(name) / 3;
	if (name.length !== 3 || !Number.isInteger(month) || month < 0) return undefined;
	const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
	const shift = Number(zone ?? 0) * 60 + Number(zoneMinute ?? 0) * (zone?.startsWith('-') ? -1 : 1);
	return (
		Date.UTC(Number(year), month, Number(day), hours, Number(minute), Number(second ?? 0)) -
		shift * 60_000
	);
};

/** The time that a user record states in its text, outside of what was typed. */
export const timeTagOf = (stored: string): number | undefined => {
	const text = unescaped(stored);
	const start = text.indexOf(OPEN_QUERY);
	const tag = TIME_TAG.exec(start === -1 ? text : text.slice(0, start))?.[1];
	return tag === undefined ? undefined : parseTimeTag(tag);
};

const REDACTED = '[REDACTED]';

/** Text without the line that stands for hidden reasoning. */
export const withoutRedacted = (text: string): string => {
	const trimmed = text.trimEnd();
	return trimmed === REDACTED || trimmed.endsWith(`\n${REDACTED}`)
		? trimmed.slice(0, -REDACTED.length).trimEnd()
		: text;
};
