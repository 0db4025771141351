import * as v from 'valibot';
import {EVENT_KINDS} from '../../adapters/model.js';

/**
 * The archive: one JSON document that holds one session, documented in docs/archive-format.md. Whatever changes the meaning of a field
 * raises the schema version; new optional fields do not.
 */
export const ARCHIVE_FORMAT = 'backscroll-archive';
export const ARCHIVE_VERSION = 1;
export const ARCHIVE_BYTES = 16 * 1024 * 1024;
const ARCHIVE_MESSAGES = 50_000;

const text = v.string('expected a text');
const textOrNull = v.nullable(text, null);
const count = v.pipe(v.number('expected a number'), v.minValue(0, 'expected no negative number'));
const countOrNull = v.nullable(count, null);
const time = v.pipe(text, v.isoTimestamp('expected an ISO 8601 time'));
const timeOrNull = v.nullable(time, null);

const tool = v.object({
	name: textOrNull,
	callId: textOrNull,
	isError: v.optional(v.boolean('expected true or false'), false),
	subject: textOrNull,
	files: v.optional(
		v.array(
			v.object({
				path: text,
				change: v.picklist(['read', 'edit', 'write', 'create', 'delete', 'move']),
			}),
		),
		[],
	),
	exitCode: v.nullable(v.number(), null),
	durationMs: countOrNull,
	patch: textOrNull,
});

const event = v.object({
	key: v.pipe(text, v.minLength(1, 'expected a key'), v.maxLength(512, 'expected a shorter key')),
	kind: v.picklist(EVENT_KINDS, `expected ${EVENT_KINDS.join(', ')}`),
	role: v.nullable(v.picklist(['user', 'assistant'], 'expected user or assistant'), null),
	at: timeOrNull,
	isUndone: v.optional(v.boolean(), false),
	input: v.nullable(v.picklist(['typed', 'command', 'local', 'headless']), null),
	messageId: textOrNull,
	model: textOrNull,
	text,
	tool: v.nullable(tool, null),
	raw: v.optional(text),
});

const provenance = v.object({
	agent: v.pipe(text, v.regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, 'expected the id of an agent')),
	agentVersion: textOrNull,
	originalId: text,
	sourcePath: textOrNull,
	sha256: textOrNull,
	createdAt: timeOrNull,
	updatedAt: timeOrNull,
	forkOf: v.nullable(text, null),
});

const session = v.object({
	title: text,
	cwd: textOrNull,
	branch: textOrNull,
	model: textOrNull,
	tokens: v.nullable(
		v.object({
			input: count,
			output: count,
			cacheRead: count,
			cacheWrite: count,
			reasoning: count,
		}),
		null,
	),
	costUsd: countOrNull,
});

const archiveSchema = v.object({
	format: v.literal(ARCHIVE_FORMAT, 'not an archive of backscroll'),
	schemaVersion: v.literal(ARCHIVE_VERSION, 'made by a newer backscroll'),
	revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
	exportedAt: time,
	exporter: text,
	isMasked: v.boolean(),
	provenance,
	session,
	events: v.array(event, 'expected a list of events'),
});

export type Archive = v.InferOutput<typeof archiveSchema>;
export type ArchiveEvent = Archive['events'][number];

/** Checks a document. @returns the archive, or the first thing that is wrong with it */
export const parseArchive = (
	document: unknown,
): {readonly archive: Archive} | {readonly problem: string} => {
	const result = v.safeParse(archiveSchema, document, {abortEarly: true});
	if (!result.success) {
		const [issue] = result.issues;
		return {problem: `${v.getDotPath(issue) ?? 'the document'}: ${issue.message}`};
	}
	const problem = archiveLimit(result.output);
	return problem === undefined ? {archive: result.output} : {problem};
};

/** What makes it too large; undefined when it is not. */
export const archiveLimit = ({events}: Pick<Archive, 'events'>): string | undefined => {
	const messages = events.filter(({kind}) => kind === 'message').length;
	return messages > ARCHIVE_MESSAGES
		? `${messages} messages: an archive holds at most ${ARCHIVE_MESSAGES}`
		: undefined;
};

export const isArchive = (document: unknown): boolean =>
	typeof document === 'object' &&
	document !== null &&
	'format' in document &&
	document.format === ARCHIVE_FORMAT;
