import type {AdapterEvent} from '../../adapters/model.js';
import {createBatch} from '../../adapters/shared/batch.js';
import {compact} from '../../adapters/shared/compact.js';
import type {Batch} from '../../adapters/types.js';
import type {Archive, ArchiveEvent} from '../archive/format.js';

const timeOf = (iso: string | null): number | undefined =>
	iso === null ? undefined : Date.parse(iso);

/** The session of an archive, as an adapter would tell it. `path`: where its raw records lie. */
export const archiveBatches = (archive: Archive, path: string): readonly Batch[] => {
	const {provenance, session, events} = archive;
	const batch = createBatch(provenance.originalId);
	const {cwd, branch, model, tokens, costUsd} = session;
	batch.patch(
		compact({
			customTitle: session.title,
			cwd,
			branch,
			model,
			agentVersion: provenance.agentVersion,
			tokens,
			costUsd,
			createdAtMs: timeOf(provenance.createdAt),
			updatedAtMs: timeOf(provenance.updatedAt),
		}),
	);
	const seen = new Set<string>();
	for (const [index, event] of events.entries()) {
		if (seen.has(event.key)) {
			batch.problem({
				code: 'bad-record',
				where: `event ${index}`,
				detail: `the key ${event.key} occurs twice: only the first one is kept`,
			});
			continue;
		}
		seen.add(event.key);
		batch.event(eventOf(event, path, index));
	}
	return [batch.take({offset: 0, lineNumber: 0, state: null})];
};

const eventOf = (event: ArchiveEvent, path: string, index: number): AdapterEvent => {
	const {key, kind, role, text, input, messageId, model, tool, isUndone, raw} = event;
	return compact({
		key: key.replaceAll(':', '%3A'),
		kind,
		role: kind === 'message' ? (role ?? 'user') : undefined,
		atMs: timeOf(event.at),
		text,
		input: input ?? undefined,
		messageId: messageId ?? undefined,
		model: model ?? undefined,
		tool: tool === null ? undefined : toolOf(tool),
		state: isUndone ? ('undone' as const) : undefined,
		locator: {path, pointer: raw === undefined ? `/events/${index}` : `/events/${index}/raw`},
	});
};

const toolOf = (tool: NonNullable<ArchiveEvent['tool']>): NonNullable<AdapterEvent['tool']> => {
	const {name, callId, isError, subject, files, exitCode, durationMs, patch} = tool;
	return compact({
		name: name ?? undefined,
		callId: callId ?? undefined,
		isError: isError || undefined,
		subject: subject ?? undefined,
		files: files.length === 0 ? undefined : files,
		exitCode: exitCode ?? undefined,
		durationMs: durationMs ?? undefined,
		patch: patch ?? undefined,
	});
};
