/** Transcripts of the time before the database: a log, or one document, of the same messages. */

import {basename} from 'node:path';
import type {Locator} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, isRecord, listOf, recordOf, textOf} from '../shared/narrow.js';

import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {createTalk, readMessage, type Talk} from './messages.js';

const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** A time without a zone is a local one. */
const legacyTimeMs = (value: unknown): number | undefined => {
	const text = textOf(value)?.trim();
	if (text === undefined || !text.includes('T') || ZONE.test(text)) return timeMs(value);
	return timeMs(Date.parse(text));
};

/** `20260403_152721_aabbcc.jsonl`, `session_20260403_152721_aabbcc.json`. */
const LEGACY_NAME = /^(?:session_)?([\w-]+)\.jsonl?$/;
export const legacyId = (path: string): string | undefined => {
	const name = basename(path);
	const isTranscript = name.endsWith('.jsonl') || name.startsWith('session_');
	return isTranscript ? LEGACY_NAME.exec(name)?.[1] : undefined;
};

const readRecord = (
	record: Record<string, unknown>,
	{key, locator}: {readonly key: string; readonly locator: Locator},
	talk: Talk,
): void => {
	if (record['role'] === 'session_meta') {
		talk.batch.patch(compact({model: textOf(record['model'])}));
		return;
	}
	const {model} = talk.batch.facts();
	const atMs = legacyTimeMs(record['timestamp']);
	readMessage(record, {key, locator, atMs, model: model ?? undefined}, talk);
};

const startTalk = (sessionId: string): Talk =>
	createTalk(createBatch(sessionId), {isSubagent: false, isHeadless: false});

export function* readLog({path, sessionId = ''}: Source): Generator<Batch> {
	const talk = startTalk(sessionId);
	const {batch} = talk;
	for (const {record, problem, number, offset, length} of readJsonLines(path)) {
		if (problem === undefined) {
			readRecord(record, {key: `L${number}`, locator: {offset, length}}, talk);
		} else batch.problem(problem);
		if (batch.isFull()) yield batch.take(END);
	}
	yield batch.take(END);
}

export function* readDocument({path, sessionId = ''}: Source): Generator<Batch> {
	const document = readJsonFile(path);
	if (document === undefined) return;
	const talk = startTalk(sessionId);
	const {batch} = talk;
	if (document.problem !== undefined) batch.problem(document.problem);
	const value = recordOf(document.value);
	batch.patch(
		compact({
			model: textOf(value['model']),
			createdAtMs: legacyTimeMs(value['session_start']),
			updatedAtMs: legacyTimeMs(value['last_updated']),
		}),
	);
	for (const [index, message] of listOf(at(value, 'messages')).entries()) {
		if (!isRecord(message)) continue;
		const locator = {path, pointer: `/messages/${index}`};
		readRecord(message, {key: `m${index + 1}`, locator}, talk);
		if (batch.isFull()) yield batch.take(END);
	}
	yield batch.take(END);
}
