/** Reads a transcript of the command line from a cursor on. */

import {eventKey, type SessionFacts} from '../model.js';
import {type BatchBuilder, createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {readJsonFile} from '../shared/json-file.js';
import {type JsonLine, type LinePosition, readJsonLines, START} from '../shared/jsonl.js';
import {flushCut, logBatches} from '../shared/log-batches.js';
import {at, entryOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import type {TranscriptPlace} from '../shared/transcript-place.js';
import type {Batch, Cursor, Source} from '../types.js';
import {type Item, keyOf, READERS, usageOf} from './items.js';

type Json = Readonly<Record<string, unknown>>;

const TITLE_CHARS = 200;

/** What is remembered while a transcript is read on and on. Mutable on purpose: record after record is folded into it. */
interface Progress {
	sessionId?: string;
	agentId?: string;
	cwd?: string;
	model?: string;
	bornAtMs?: number;
	customTitle?: string;
	aiTitle?: string;
	topic?: string;
	/** A prompt that was edited: what was said from there on holds no more, up to the next event. */
	cutFrom?: string;
}

interface Reading {
	readonly place: TranscriptPlace;
	readonly progress: Progress;
	readonly batch: BatchBuilder;
}

type Note = (progress: Progress, record: Json) => void;

const field =
	(name: 'customTitle' | 'aiTitle' | 'topic', from: string): Note =>
	(progress, record) => {
		const text = textOf(record[from]);
		if (text !== undefined) progress[name] = oneLine(text, TITLE_CHARS);
	};

const NOTES: Readonly<Record<string, Note>> = {
	'ai-title': field('aiTitle', 'aiTitle'),
	'custom-title': field('customTitle', 'customTitle'),
	'resend-fork-notice': (progress, record) => {
		const id = textOf(record['editedUserItemId']);
		if (id !== undefined) progress.cutFrom = eventKey(id);
	},
	summary: field('topic', 'summary'),
	topic: field('topic', 'topic'),
};

const SILENT = new Set(['file-history-snapshot', 'goal-progress', 'goal-result']);

const noteEnvelope = (progress: Progress, record: Json): void => {
	// What was told first holds; the model is that of the last reply.
	const first = {
		sessionId: textOf(record['sessionId']),
		agentId: textOf(record['agentId']),
		cwd: textOf(record['cwd']),
		bornAtMs: timeMs(record['timestamp']),
	};
	const model = textOf(at(record, 'providerData', 'model'));
	Object.assign(progress, compact(first), {...progress}, compact({model}));
};

const readRecord = (
	reading: Reading,
	{record, number, offset, length}: JsonLine,
	path?: string,
): void => {
	const {progress, batch, place} = reading;
	const known = recordOf(record);
	const type = stringOf(known['type']) ?? 'none';
	const read = entryOf(READERS, type);
	const note = entryOf(NOTES, type);
	noteEnvelope(progress, known);
	note?.(progress, known);
	if (read === undefined) {
		if (note === undefined && !SILENT.has(type)) batch.unknown(oneLine(type, 80));
		return;
	}
	const item: Item = {
		record: known,
		place: {
			key: keyOf(known) ?? `line-${number}`,
			atMs: timeMs(known['timestamp']),
			locator: compact({offset, length, path}),
			model: textOf(at(known, 'providerData', 'model')),
		},
		isSubagent: place.agentId !== undefined,
	};
	for (const event of read(item)) {
		if (progress.cutFrom !== undefined) batch.undo(progress.cutFrom, event.key);
		delete progress.cutFrom;
		batch.event(event);
	}
	const usage = usageOf(item);
	if (usage !== undefined) batch.usage(usage);
};

const parentOf = (
	{id, agentId}: TranscriptPlace,
	beside: unknown,
): SessionFacts['parent'] | undefined => {
	const certainty = 'exact' as const;
	if (agentId !== undefined) {
		const callId = textOf(at(beside, 'toolUseId')) ?? textOf(at(beside, 'callId'));
		return compact({id, relation: 'subagent' as const, certainty, callId});
	}
	const stated = at(beside, 'forkedFrom');
	const origin = textOf(stated) ?? textOf(at(stated, 'sessionId'));
	return origin === undefined ? undefined : {id: origin, relation: 'fork', certainty};
};

const factsOf = ({place, progress}: Reading, beside: unknown): SessionFacts => {
	const {cwd, model, bornAtMs, customTitle, aiTitle, topic} = progress;
	const isSubagent = place.agentId !== undefined;
	return compact({
		customTitle,
		generatedTitle: aiTitle ?? topic,
		description: isSubagent ? textOf(at(beside, 'description')) : undefined,
		cwd,
		model,
		bornAtMs,
		isSubagent: isSubagent ? true : undefined,
		parent: parentOf(place, beside),
	});
};

const sessionOf = (source: Source, {place, progress}: Reading, beside: unknown): string => {
	if (place.agentId === undefined) return source.sessionId ?? progress.sessionId ?? place.id;
	return `${place.id}/${textOf(at(beside, 'agentId')) ?? progress.agentId ?? place.agentId}`;
};

const begin = (source: Source, from?: Cursor) => {
	const reading: Reading = {
		place: recordOf(source.extra) as unknown as TranscriptPlace,
		progress: {...recordOf(from?.state)},
		batch: createBatch(''),
	};
	// Written at any time; one that is half written is read again on the next pass.
	const besides = source.files.filter(({path}) => !path.endsWith('.jsonl'));
	const beside = Object.assign({}, ...besides.map(({path}) => recordOf(readJsonFile(path)?.value)));
	const take = (position: LinePosition): Batch => {
		const {batch, progress} = reading;
		batch.setSession(sessionOf(source, reading, beside));
		batch.patch(factsOf(reading, beside));
		return batch.take({...position, state: {...progress}});
	};
	return {reading, take};
};

interface Placed {
	readonly line: JsonLine;
	readonly path: string;
	readonly atMs: number;
}

/** Lines of one file; one without a time belongs to the one before. */
const placedLines = (path: string): readonly Placed[] => {
	let last = 0;
	return [...readJsonLines(path)].map(line => {
		last = timeMs(line.record?.['timestamp']) ?? last;
		return {line, path, atMs: last};
	});
};

/** The talk of several folders, in the order in which it was had. */
function* readSplit(source: Source): Generator<Batch> {
	const {reading, take} = begin(source);
	const transcripts = source.files.filter(({path}) => path.endsWith('.jsonl'));
	const lines = transcripts.flatMap(({path}) => placedLines(path));
	for (const {line, path} of lines.toSorted((a, b) => a.atMs - b.atMs)) {
		if (line.problem !== undefined) reading.batch.problem(line.problem);
		else readRecord(reading, line, path);
	}
	flushCut(reading);
	yield take(START);
}

export function* readTranscript(source: Source, from?: Cursor): Generator<Batch> {
	if (source.mode === 'replace') {
		yield* readSplit(source);
		return;
	}
	const {reading, take} = begin(source, from);
	yield* logBatches(readJsonLines(source.path, from), {
		batch: reading.batch,
		take,
		read: line => readRecord(reading, line),
		end: () => flushCut(reading),
	});
}
