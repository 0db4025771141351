/** Reads the messages of a session from a cursor on, and what `meta.json` says of it. */

import {basename, join} from 'node:path';
import type {Locator, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readDocument} from '../shared/document.js';
import {type JsonDocument, readJsonFile} from '../shared/json-file.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {at, listOf, numberOf, recordOf, textOf} from '../shared/narrow.js';

import {timeMs} from '../shared/time.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {keyOf, type Message, messageEvents} from './messages.js';

const META_BYTES = 16 * 1024 * 1024;

const parentOf = (
	place: Place,
	meta: unknown,
	startsInjected: boolean,
): SessionFacts['parent'] | undefined => {
	const certainty = 'exact' as const;
	const stated = textOf(at(meta, 'parent_session_id'));
	if (place.parentFolder !== undefined) {
		const above = readJsonFile(join(place.parentFolder, 'meta.json'), META_BYTES)?.value;
		const id = stated ?? textOf(at(above, 'session_id')) ?? basename(place.parentFolder);
		return {id, relation: 'subagent', certainty};
	}
	if (stated === undefined) return undefined;
	return {id: stated, relation: startsInjected ? 'continuation' : 'fork', certainty};
};

/** Of the whole session: single messages have no counts. */
const totalsOf = (stats: unknown): SessionFacts => {
	const [input, output] = ['session_prompt_tokens', 'session_completion_tokens'].map(name =>
		numberOf(at(stats, name)),
	);
	if (input === undefined || output === undefined) return {};
	const [inputPrice, outputPrice] = ['input_price_per_million', 'output_price_per_million'].map(
		name => numberOf(at(stats, name)),
	);
	const isPriced = inputPrice !== undefined && outputPrice !== undefined;
	const computed = isPriced ? (input * inputPrice + output * outputPrice) / 1e6 : undefined;
	return compact({
		tokens: {input, output, cacheRead: 0, cacheWrite: 0},
		costUsd: numberOf(at(stats, 'total_cost')) ?? numberOf(at(stats, 'session_cost')) ?? computed,
	});
};

/** `<prefix>_20260704_190500_<id>`: the clock of the wall, taken for UTC as the times of `meta.json` are. */
const NAMED = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_[^_]+$/;
const namedTime = (name: string): number | undefined => {
	const [, year, month, day, hours, minutes, seconds] = NAMED.exec(name) ?? [];
	return timeMs(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
};

const factsOf = (place: Place, meta: unknown, startsInjected: boolean): SessionFacts => {
	const title = textOf(at(meta, 'title'));
	const isOwn = at(meta, 'title_source') === 'manual';
	const isSubagent = place.parentFolder !== undefined;
	return compact({
		customTitle: isOwn ? title : undefined,
		generatedTitle: isOwn ? undefined : title,
		cwd: textOf(at(meta, 'environment', 'working_directory')),
		branch: textOf(at(meta, 'git_branch')),
		model: textOf(at(meta, 'config', 'active_model')),
		createdAtMs: timeMs(at(meta, 'start_time')) ?? namedTime(place.name),
		updatedAtMs: timeMs(at(meta, 'end_time')),
		isSubagent: isSubagent ? true : undefined,
		parent: parentOf(place, meta, startsInjected),
		...totalsOf(at(meta, 'stats')),
	});
};

interface Reading {
	readonly place: Place;
	readonly meta: unknown;
	/** The first message was put there: the talk before it was compacted. */
	startsInjected: boolean;
}

const messageOf = (
	{place, meta, startsInjected}: Reading,
	line: {record: Readonly<Record<string, unknown>>; number: number; locator: Locator},
	unknown: (kind: string) => void,
): Message => ({
	record: line.record,
	place: {
		key: keyOf(line.record, line.number),
		atMs: undefined,
		locator: line.locator,
		model: textOf(at(meta, 'config', 'active_model')),
	},
	isSubagent: place.parentFolder !== undefined,
	isFirstOfContinuation: line.number === 1 && startsInjected,
	unknown,
});

const isContinuation = (meta: unknown, first: unknown): boolean =>
	textOf(at(meta, 'parent_session_id')) !== undefined && at(first, 'injected') === true;

const sessionOf = ({place, meta}: Reading): string => textOf(at(meta, 'session_id')) ?? place.name;

/** 1.x: one document. */
function* readLegacy(source: Source, place: Place): Generator<Batch> {
	const document = readDocument(source.path);
	const messages = listOf(document['messages']);
	const meta = document['metadata'];
	const reading = {place, meta, startsInjected: isContinuation(meta, messages[0])};
	const batch = createBatch(sessionOf(reading));
	batch.patch(factsOf(place, meta, reading.startsInjected));
	for (const [index, value] of messages.entries()) {
		// The prompt of the system is the first message here.
		if (at(value, 'role') === 'system') continue;
		const locator = {path: source.path, pointer: `/messages/${index}`};
		const line = {record: recordOf(value), number: index + 1, locator};
		for (const event of messageEvents(messageOf(reading, line, batch.unknown))) batch.event(event);
	}
	yield batch.take(END);
}

function* readLog(source: Source, place: Place, from?: Cursor): Generator<Batch> {
	const document: JsonDocument | undefined = readJsonFile(source.files[1]?.path ?? '', META_BYTES);
	const meta = document?.value;
	const startsInjected = at(from?.state, 'startsInjected') === true;
	const reading: Reading = {place, meta, startsInjected};
	const batch = createBatch(sessionOf(reading));
	// Written after the messages; one that is half written is read again on the next pass.
	if (from === undefined && document?.problem !== undefined) batch.problem(document.problem);
	const take = (position: LinePosition): Batch => {
		batch.patch(factsOf(place, meta, reading.startsInjected));
		const state = {startsInjected: reading.startsInjected};
		return batch.take(source.mode === 'append' ? {...position, state} : END);
	};
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read({record, number, offset, length}) {
			if (number === 1) reading.startsInjected = isContinuation(meta, record);
			const line = {record, number, locator: {offset, length}};
			for (const event of messageEvents(messageOf(reading, line, batch.unknown)))
				batch.event(event);
		},
	});
}

export const read = (source: Source, from?: Cursor): Generator<Batch> => {
	const place = recordOf(source.extra) as unknown as Place;
	const isLog = source.path.endsWith('.jsonl');
	return isLog ? readLog(source, place, from) : readLegacy(source, place);
};
