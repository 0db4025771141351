/** Reads a session: its items, what they cost, and its name and place. */

import {createHash} from 'node:crypto';
import {eventKey, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readDocument} from '../shared/document.js';
import {fileUriPath} from '../shared/file-uri.js';
import {at, countOf, isRecord, listOf, numberOf, textOf} from '../shared/narrow.js';
import type {Place} from '../shared/rows/events.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {callIdOf, hasResult, type Item, isRewritten, itemEvents} from './items.js';

const UNNAMED = new Set(['New Session', 'Untitled Session']);

/**
 * Items have no ids. Those behind a compaction take the places of others: with its mark in their keys, what was read before stays.
 */
const keyPrefix = (first: unknown): string =>
	isRewritten(first)
		? `${createHash('sha256')
				.update(String(at(first, 'conversationSummary')))
				.digest('hex')
				.slice(0, 8)}-`
		: '';

const usageOf = ({message, place}: Item): Usage | undefined => {
	const usage = at(message, 'usage');
	if (!isRecord(usage)) return undefined;
	return {
		key: eventKey(place.key),
		input: countOf(usage['prompt_tokens']),
		output: countOf(usage['completion_tokens']),
		cacheRead: 0,
		cacheWrite: 0,
		...compact({model: place.model}),
	};
};

/** Of the session's own part: a fork copies the counts of single replies, but begins this one anew (1.5.47). */
const totalsOf = (usage: unknown): SessionFacts => {
	const [cacheRead, cacheWrite] = ['cachedTokens', 'cacheWriteTokens'].map(name =>
		countOf(at(usage, 'promptTokensDetails', name)),
	) as [number, number];
	const input = Math.max(0, countOf(at(usage, 'promptTokens')) - cacheRead - cacheWrite);
	const output = countOf(at(usage, 'completionTokens'));
	const costUsd = numberOf(at(usage, 'totalCost'));
	return compact({tokens: {input, output, cacheRead, cacheWrite}, costUsd});
};

const factsOf = (document: Readonly<Record<string, unknown>>, source: Source): SessionFacts => {
	const {title, workspaceDirectory, chatModelTitle, usage} = document;
	const name = textOf(title);
	return compact({
		generatedTitle: name === undefined || UNNAMED.has(name) ? undefined : name,
		cwd: fileUriPath(workspaceDirectory) ?? textOf(workspaceDirectory),
		model: textOf(chatModelTitle),
		updatedAtMs: source.files[0]?.mtimeMs,
		...(isRecord(usage) ? totalsOf(usage) : {}),
	});
};

export function* read(source: Source): Generator<Batch> {
	const document = readDocument(source.path);
	const history = listOf(document['history']);
	const batch = createBatch(source.sessionId ?? textOf(document['sessionId']) ?? '');
	batch.patch(factsOf(document, source));
	const prefix = keyPrefix(history[0]);
	const states = history.flatMap(value => listOf(at(value, 'toolCallStates')));
	const answered = new Set(states.filter(hasResult).flatMap(state => callIdOf(state) ?? []));
	const names = new Map<string, string>();
	for (const [index, value] of history.entries()) {
		const message = at(value, 'message');
		const model = textOf(at(message, 'usage', 'model'));
		const place: Place = {
			key: `${prefix}${index}`,
			atMs: timeMs(at(value, 'reasoning', 'startAt')),
			locator: {path: source.path, pointer: `/history/${index}`},
			model,
		};
		const item = {value, message, place, names, answered};
		if (model !== undefined) batch.patch({model});
		for (const event of itemEvents(item)) batch.event(event);
		const usage = isRecord(document['usage']) ? undefined : usageOf(item);
		if (usage !== undefined) batch.usage(usage);
	}
	yield batch.take(END);
}
