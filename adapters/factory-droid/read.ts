/** Reads a transcript from a cursor on, and the settings beside it. */

import type {SessionFacts} from '../model.js';
import {createBatch} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {type JsonDocument, readJsonFile} from '../shared/json-file.js';
import {type LinePosition, readJsonLines} from '../shared/jsonl.js';
import {logBatches} from '../shared/log-batches.js';
import {isRecord, numberOf, recordOf, textOf} from '../shared/narrow.js';
import type {Batch, Cursor, Source} from '../types.js';
import type {Place} from './discover.js';
import {type Progress, progressFrom, stateOf} from './progress.js';
import {readRecord} from './records.js';
import {rowOf} from './row.js';

const SETTINGS_BYTES = 4 * 1024 * 1024;

const readSettings = (source: Source): JsonDocument | undefined => {
	const path = source.files[1]?.path;
	return path === undefined ? undefined : readJsonFile(path, SETTINGS_BYTES);
};

/** Running totals of the session; there are none of single messages. */
const tokensOf = (usage: unknown): SessionFacts['tokens'] | undefined => {
	if (!isRecord(usage)) return undefined;
	const count = (name: string): number => numberOf(usage[name]) ?? 0;
	return compact({
		input: count('inputTokens'),
		output: count('outputTokens'),
		cacheRead: count('cacheReadTokens'),
		cacheWrite: count('cacheCreationTokens'),
		reasoning: numberOf(usage['thinkingTokens']),
	});
};

const UNNAMED = 'New Session';

/** A title that is only the begin of the first prompt is none. */
const titleFacts = ({title, hasOwnTitle, firstText, isChild}: Progress): SessionFacts => {
	const named = title === UNNAMED ? undefined : title;
	if (isChild === true) return compact({description: named ?? firstText});
	if (named === undefined) return {};
	if (hasOwnTitle === true) return {customTitle: named};
	const start = named.trim().replace(/(?:…|\.{3})$/, '');
	return firstText?.startsWith(start) === true ? {} : {generatedTitle: named};
};

const parentOf = ({callerId, callId, parentId}: Progress): SessionFacts['parent'] | undefined => {
	const certainty = 'exact' as const;
	if (callerId !== undefined) {
		return compact({id: callerId, relation: 'subagent' as const, certainty, callId});
	}
	return parentId === undefined ? undefined : {id: parentId, relation: 'fork', certainty};
};

const factsOf = (progress: Progress, settings: unknown): SessionFacts => {
	const {cwd, lastCwd, isChild, bornAtMs, createdAtMs} = progress;
	const known = recordOf(settings);
	return compact({
		...titleFacts(progress),
		cwd,
		directories: lastCwd === undefined || lastCwd === cwd ? undefined : [lastCwd],
		model: progress.model ?? textOf(known['model']),
		isSubagent: isChild === true ? true : undefined,
		parent: parentOf(progress),
		tokens: tokensOf(known['tokenUsage']),
		bornAtMs,
		createdAtMs,
	});
};

export function* read(source: Source, from?: Cursor): Generator<Batch> {
	const {name} = recordOf(source.extra) as unknown as Place;
	const progress = progressFrom(from?.state);
	const batch = createBatch(name);
	// Written at any time, and after the transcript; one that is half written is read again on the next pass.
	const settings = readSettings(source);
	if (from === undefined && settings?.problem !== undefined) batch.problem(settings.problem);
	const take = (position: LinePosition): Batch => {
		batch.setSession(progress.sessionId ?? name);
		batch.patch(factsOf(progress, settings?.value));
		return batch.take({...position, state: stateOf(progress)});
	};
	yield* logBatches(readJsonLines(source.path, from), {
		batch,
		take,
		read: line => readRecord(rowOf(line, {progress, batch})),
	});
}
