import type {FileStamp, Source} from '../../types.js';
import {textOf} from '../narrow.js';

/** A log or a document of Gemini CLI or a fork: both begin with the session's id and the project's hash. */
export const foreignChat = (
	file: FileStamp,
	head: readonly Readonly<Record<string, unknown>>[],
): Source | undefined => {
	const [first] = head;
	if (textOf(first?.['sessionId']) === undefined || textOf(first?.['startTime']) === undefined)
		return undefined;
	return {key: file.path, path: file.path, files: [file], mode: 'replace'};
};
