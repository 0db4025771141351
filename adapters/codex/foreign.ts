/** A rollout that lies anywhere, recognised by its header. */
import {at, isRecord, recordOf, textOf} from '../shared/narrow.js';
import type {FileStamp, Source} from '../types.js';

type Head = readonly Readonly<Record<string, unknown>>[];

const headerId = (record: Readonly<Record<string, unknown>>): string | undefined => {
	if (record['type'] === 'session_meta') return textOf(recordOf(record['payload'])['id']);
	// Before the envelope (early 2025) the header was the bare first line, or the `session` of a document.
	if (isRecord(record['session']) && Array.isArray(record['items']))
		return textOf(at(record, 'session', 'id'));
	return 'instructions' in record && 'timestamp' in record ? textOf(record['id']) : undefined;
};

export const foreign = (file: FileStamp, head: Head): Source | undefined => {
	const [first] = head;
	const sessionId = first === undefined ? undefined : headerId(first);
	if (first === undefined || sessionId === undefined) return undefined;
	const mode = Array.isArray(first['items']) ? 'replace' : 'append';
	return {key: file.path, path: file.path, files: [file], mode, sessionId};
};
