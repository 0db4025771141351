/**
 * Sessions of OpenCode and its forks: a session has messages, a message has parts. The same records lie in the tables `session`,
 * `message` and `part`, and in the JSON documents that OpenCode wrote before 1.2.0.
 */

import type {Locator, Problem, Usage} from '../../model.js';
import {isRecord, recordOf} from '../narrow.js';
import {parseRecord} from '../records.js';

export type Json = Readonly<Record<string, unknown>>;

/** A part of a message, such as a text, a tool call or a file. */
export interface StoredPart {
	readonly id: string;
	readonly data: Json;
	readonly locator: Locator;
}

export interface StoredMessage {
	readonly id: string;
	readonly locator: Locator;
	/** Where the record has no time of its own. */
	readonly createdAt: unknown;
	/** Read when it is needed; undefined when it is damaged, which has been reported then. */
	data(): Json | undefined;
	parts(): Iterable<StoredPart>;
}

export interface StoredSession {
	readonly id: string;
	/** Columns of `session`; fields of a document under the same names. */
	readonly row: Json;
	/** Main checkout of the project. */
	readonly worktree: string | undefined;
	/** In order. */
	readonly messages: readonly StoredMessage[];
	readonly extras: Extras;
}

/** What an agent keeps of a session in further tables. */
export interface Extras {
	/** Instead of what the messages say. */
	readonly usage?: readonly Usage[];
	/** Messages that hold the summary of a compaction. */
	readonly summaryIds?: ReadonlySet<string>;
	readonly parentId?: string | undefined;
	/** Call of the parent that started a sub-agent. */
	readonly callId?: string | undefined;
}

export type Report = (problem: Problem) => void;

/** A column with JSON in it, or a field of a document. */
export const jsonOf = (value: unknown): Json =>
	typeof value === 'string' ? (parseRecord(value) ?? {}) : recordOf(value);

/** The JSON object in a row; what is none is reported. */
export const rowData = (value: unknown, where: string, report: Report): Json | undefined => {
	const text = value instanceof Uint8Array ? Buffer.from(value).toString() : value;
	const data = typeof text === 'string' ? parseRecord(text) : text;
	if (isRecord(data)) return data;
	report({code: 'bad-record', where, detail: 'no JSON object'});
	return undefined;
};
