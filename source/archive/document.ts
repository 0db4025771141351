import type {EventView, SessionView} from '../../store/types.js';
import {AppError} from '../errors.js';
import {
	ARCHIVE_BYTES,
	ARCHIVE_FORMAT,
	ARCHIVE_VERSION,
	type Archive,
	type ArchiveEvent,
	archiveLimit,
} from './format.js';

export interface ArchiveParts {
	readonly session: SessionView;
	readonly events: Iterable<EventView>;
	/** Text of an event without the store's cap. */
	textOf(event: EventView): string;
	/** Absent: without raw records. */
	readonly rawOf?: (event: EventView) => string | undefined;
	/** Masks secrets; absent: everything as it is. */
	readonly mask?: ((text: string) => string) | undefined;
	/** Of the source's bytes; null when it is gone. */
	readonly sha256: string | null;
	readonly exporter: string;
	readonly nowMs: number;
	/** Of a fork: the event or session that it was made from. */
	readonly forkOf?: string;
}

const iso = (atMs: number | null): string | null =>
	atMs === null ? null : new Date(atMs).toISOString();

/** A session as an archive document, revision 1. */
export const archiveDocument = (parts: ArchiveParts): Archive => {
	const {session, mask = text => text} = parts;
	return {
		format: ARCHIVE_FORMAT,
		schemaVersion: ARCHIVE_VERSION,
		revision: 1,
		exportedAt: new Date(parts.nowMs).toISOString(),
		exporter: parts.exporter,
		isMasked: parts.mask !== undefined,
		provenance: {
			agent: session.agent,
			agentVersion: session.agentVersion,
			originalId: session.id,
			sourcePath: session.location === '' ? null : session.location,
			sha256: parts.sha256,
			createdAt: iso(session.createdAtMs),
			updatedAt: iso(session.updatedAtMs),
			forkOf: parts.forkOf ?? null,
		},
		session: {
			title: mask(session.title),
			cwd: session.cwd,
			branch: session.branch,
			model: session.model,
			tokens: session.tokens,
			costUsd: session.costUsd,
		},
		events: withUniqueKeys([...parts.events].map(event => archiveEvent(event, parts, mask))),
	};
};

/** A fork with its parents may hold a key twice, where keys are places in a file. */
const withUniqueKeys = (events: readonly ArchiveEvent[]): ArchiveEvent[] => {
	const uses = new Map<string, number>();
	return events.map(event => {
		const before = uses.get(event.key) ?? 0;
		uses.set(event.key, before + 1);
		return before === 0 ? event : {...event, key: `${event.key}~${before + 1}`};
	});
};

const archiveEvent = (
	event: EventView,
	{textOf, rawOf}: ArchiveParts,
	mask: (text: string) => string,
): ArchiveEvent => {
	const {tool} = event;
	const masked = (text: string | null): string | null => (text === null ? null : mask(text));
	const raw = rawOf?.(event);
	return {
		key: event.key,
		kind: event.kind,
		role: event.role,
		at: iso(event.atMs),
		isUndone: event.state === 'undone',
		input: event.input,
		messageId: event.messageId,
		model: event.model,
		text: mask(textOf(event)),
		tool: tool && {
			name: tool.name,
			callId: tool.callId,
			isError: tool.isError,
			subject: masked(tool.subject),
			files: [...tool.files],
			exitCode: tool.exitCode,
			durationMs: tool.durationMs,
			patch: masked(tool.patch),
		},
		...(raw !== undefined && {raw: mask(raw)}),
	};
};

/** @throws AppError when it is larger than archives may be */
export const archiveText = (archive: Archive): string => {
	const text = `${JSON.stringify(archive, null, '\t')}\n`;
	const limit =
		archiveLimit(archive) ??
		(Buffer.byteLength(text) > ARCHIVE_BYTES
			? `${Math.ceil(Buffer.byteLength(text) / 1024 / 1024)} MB: an archive takes at most 16 MB`
			: undefined);
	if (limit !== undefined) throw new AppError(`this session is too large for an archive: ${limit}`);
	return text;
};
