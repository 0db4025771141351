/** The oldest form (early 2025): one JSON document per session, `{"session": {"id", "timestamp"}, "items": [response items]}`. */

import type {Locator} from '../model.js';
import {readJsonFile} from '../shared/json-file.js';
import {readJsonLines} from '../shared/jsonl.js';
import {at, isRecord, listOf, recordOf} from '../shared/narrow.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {handleRecord} from './lines.js';
import {hasSession, openReading, readLog, takeBatch} from './read.js';
import {initialState} from './state.js';

/** Some builds wrote lines under the same name. */
const holdsLines = (path: string): boolean => {
	for (const {record} of readJsonLines(path)) {
		return record !== undefined && !Array.isArray(record['items']);
	}
	return false;
};

export function* readDocument(source: Source): Generator<Batch> {
	const {path} = source;
	if (holdsLines(path)) return yield* readLog(source);
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `${path} is gone`);
	const reading = openReading(source, initialState(), false);
	if (document.problem !== undefined) reading.batch.problem(document.problem);
	const session = recordOf(at(document.value, 'session'));
	handleRecord(reading, session, {number: 1, locator: {path, pointer: '/session'}});
	for (const [index, item] of listOf(at(document.value, 'items')).entries()) {
		const locator = {path, pointer: `/items/${index}`};
		if (isRecord(item)) handleRecord(reading, item, {number: index + 1, locator});
	}
	const sizeBytes = source.files[0]?.sizeBytes ?? 0;
	if (hasSession(reading)) yield takeBatch(reading, {offset: sizeBytes, lineNumber: 0});
}

/** The item that a locator of a document points to, as JSON. */
export const rawItem = ({
	path,
	pointer,
}: Extract<Locator, {pointer: string}>): string | undefined => {
	const [, list = '', index] = pointer.split('/');
	const item = at(readJsonFile(path)?.value, list, ...(index === undefined ? [] : [Number(index)]));
	return item === undefined ? undefined : JSON.stringify(item, null, 2);
};
