import {recordOf, textOf} from '../shared/narrow.js';
import type {FileStamp, Source} from '../types.js';
import type {Place} from './discover.js';

/** A transcript that lies anywhere: its messages have `parts` where those of Claude Code have `content`. */
export const foreign = (
	file: FileStamp,
	head: readonly Readonly<Record<string, unknown>>[],
): Source | undefined => {
	const message = head.find(record => Array.isArray(recordOf(record['message'])['parts']));
	const rootId = textOf(message?.['sessionId']);
	if (rootId === undefined || textOf(message?.['uuid']) === undefined) return undefined;
	const place: Place = {rootId};
	return {
		key: file.path,
		path: file.path,
		files: [file],
		mode: 'append',
		sessionId: rootId,
		extra: place,
	};
};
