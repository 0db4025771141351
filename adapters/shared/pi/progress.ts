/** What is remembered of a log while it is read on and on: small, plain JSON, kept in the cursor. */

import {oneLine} from '../content.js';
import {entryOf, recordOf, stringOf, textOf} from '../narrow.js';
import {contentText} from './content.js';
import type {Entry} from './entry.js';
import {type Dialect, modelOf} from './events.js';

/** Mutable on purpose: one entry after the other is folded into it. */
export interface Progress {
	/** Id of the last entry. */
	leaf?: string;
	/** Everything from this event on is on a branch that was left, up to the next event. */
	cutFrom?: string;
	/** Given by the user; empty when taken back. */
	name?: string;
	/** oh-my-pi: the last `title_change`. */
	title?: string;
	isTitleOwn?: boolean;
	model?: string;
	/** First line of a sub-agent's task. */
	task?: string;
	/** Agent that the talk was copied from. */
	importedFrom?: string;
}

const TASK_CHARS = 200;

type Note = (progress: Progress, entry: Entry, dialect: Dialect) => void;

const noteTask = (progress: Progress, text: string | undefined): void => {
	const task = oneLine(text ?? '', TASK_CHARS);
	if (task !== '') progress.task ??= task;
};

const NOTES: Readonly<Record<string, Note>> = {
	custom: (progress, {record}) => {
		if (record['customType'] !== 'foreign_session_import') return;
		const source = textOf(recordOf(record['data'])['source']);
		if (source !== undefined) progress.importedFrom = source;
	},
	message: (progress, {message}, dialect) => {
		if (message['role'] === 'user' && dialect.isSubagent) {
			noteTask(progress, dialect.taskOf(contentText(message['content'])));
		}
		const model = modelOf(message);
		const isReply = message['role'] === 'assistant' && !dialect.isSilent('', message);
		if (isReply && model !== undefined) progress.model = model;
	},
	model_change: (progress, {record}) => {
		// oh-my-pi writes `provider/id`.
		const model = textOf(record['modelId']) ?? textOf(record['model'])?.replace(/^[^/]+\//, '');
		if (model !== undefined) progress.model = model;
	},
	session_info: (progress, {record}) => {
		progress.name = stringOf(record['name']) ?? '';
	},
	session_init: (progress, {record}) => noteTask(progress, textOf(record['task'])),
	title_change: (progress, {record}) => {
		progress.title = stringOf(record['title']) ?? '';
		progress.isTitleOwn = record['source'] === 'user';
	},
};

/** Takes from an entry what it says of the session. */
export const noteEntry: Note = (progress, entry, dialect) => {
	progress.leaf = entry.id;
	entryOf(NOTES, entry.type)?.(progress, entry, dialect);
};

export const progressFrom = (state: unknown): Progress =>
	structuredClone(recordOf(state)) as Progress;

export const stateOf = (progress: Progress): unknown => structuredClone(progress);
