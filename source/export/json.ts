import type {EventView, SessionView, ToolView} from '../../store/types.js';
import type {ResumeDecision} from '../resume/plan.js';
import {sanitizeForFile, sanitizeLine} from '../terminal/sanitize.js';

/** What scripts get of a session and an event: names and order of the documentation, times as ISO 8601 in UTC. */
export const SCHEMA_VERSION = 1;

const iso = (atMs: number | null): string | null =>
	atMs === null ? null : new Date(atMs).toISOString();

const clean = (text: string | null): string | null =>
	text === null ? null : sanitizeForFile(text);

const line = (text: string | null): string | null => (text === null ? null : sanitizeLine(text));

const cleanRecord = (record: Readonly<Record<string, string>>): Record<string, string> =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, sanitizeForFile(value)]));

export interface MatchJson {
	readonly event: string;
	readonly snippet: string;
}

const resumeJson = (decision: ResumeDecision) =>
	'reason' in decision
		? {reason: sanitizeLine(decision.reason)}
		: {
				argv: decision.argv.map(sanitizeForFile),
				cwd: clean(decision.cwd),
				env: cleanRecord(decision.env),
			};

export type SessionJson = ReturnType<typeof sessionJson>;

/** The session object of the command line. */
export const sessionJson = (
	session: SessionView,
	resume: ResumeDecision,
	match: MatchJson | null = null,
) => ({
	ref: sanitizeForFile(session.ref),
	agent: session.agent,
	id: sanitizeForFile(session.id),
	title: sanitizeLine(session.title),
	titleFrom: session.titleFrom,
	project: line(session.project),
	projectDir: clean(session.projectDir),
	cwd: clean(session.cwd),
	branch: line(session.branch),
	model: line(session.model),
	agentVersion: line(session.agentVersion),
	kind: session.kind,
	createdAt: iso(session.createdAtMs),
	updatedAt: iso(session.updatedAtMs),
	prompts: session.prompts,
	replies: session.replies,
	messages: session.messages,
	toolCalls: session.toolCalls,
	events: session.events,
	tokens: session.tokens,
	costUsd: session.costUsd,
	parent: session.parent && {
		ref: sanitizeForFile(session.parent.ref),
		relation: session.parent.relation,
		certainty: session.parent.certainty,
	},
	children: session.children,
	starred: session.starred,
	tags: session.tags.map(sanitizeLine),
	note: clean(session.note),
	sourceState: session.sourceState,
	location: sanitizeForFile(session.location),
	problems: session.problems,
	match: match && {
		event: sanitizeForFile(match.event),
		snippet: sanitizeLine(match.snippet),
	},
	resume: resumeJson(resume),
});

const toolJson = (tool: ToolView) => ({
	name: line(tool.name),
	callId: clean(tool.callId),
	isError: tool.isError,
	subject: line(tool.subject),
	files: tool.files.map(({path, change}) => ({path: sanitizeForFile(path), change})),
	exitCode: tool.exitCode,
	durationMs: tool.durationMs,
	patch: clean(tool.patch),
});

export type EventJson = ReturnType<typeof eventJson>;

/** The event object of the command line. */
export const eventJson = (event: EventView) => ({
	ref: sanitizeForFile(event.ref),
	session: sanitizeForFile(event.session),
	index: event.index,
	kind: event.kind,
	role: event.role,
	at: iso(event.atMs),
	state: event.state,
	text: sanitizeForFile(event.text),
	truncated: event.truncated,
	fullLength: event.fullLength,
	tool: event.tool && toolJson(event.tool),
	model: line(event.model),
});

/** Every string inside of a JSON value, keys aside. */
const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map(item => mapStrings(item, change));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]),
	);
};

export interface JsonExport {
	readonly session: SessionView;
	readonly resume: ResumeDecision;
	readonly events: Iterable<EventView>;
	/** Masks secrets; absent: everything as it is. */
	readonly mask?: ((text: string) => string) | undefined;
}

/** One JSON document: `{schemaVersion, session, events}`. */
export const exportJson = ({session, resume, events, mask}: JsonExport): string => {
	const document = {
		schemaVersion: SCHEMA_VERSION,
		session: sessionJson(session, resume),
		events: [...events].map(eventJson),
	};
	const shown = mask ? mapStrings(document, mask) : document;
	return `${JSON.stringify(shown, null, '\t')}\n`;
};
