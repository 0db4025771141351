/** Reads a thread: its messages, what they cost, and its name and place. */

import {basename} from 'node:path';
import {eventKey, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {fileUriPath} from '../shared/file-uri.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {timeMs} from '../shared/time.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {blockEvents, type Message, promptEvents} from './messages.js';

/** Older documents have snake_case names. */
const count = (usage: Record<string, unknown>, name: string): number => {
	const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
	const stated = numberOf(usage[name] ?? usage[snake]) ?? 0;
	return Number.isSafeInteger(stated) ? Math.max(0, stated) : 0;
};

const usageOf = (stated: unknown, {key, atMs, model}: Message): Usage | undefined =>
	isRecord(stated)
		? compact({
				key: eventKey(key),
				input: count(stated, 'inputTokens'),
				output: count(stated, 'outputTokens'),
				cacheRead: count(stated, 'cacheReadInputTokens'),
				cacheWrite: count(stated, 'cacheCreationInputTokens'),
				model,
				atMs,
			})
		: undefined;

/** Messages have a number; the old form has none. */
const keyOf = (record: Record<string, unknown>, index: number, taken: Set<string>): string => {
	const id = record['messageId'];
	const stated = typeof id === 'number' || textOf(id) !== undefined ? `m${id}` : `n${index}`;
	const key = taken.has(stated) ? `n${index}` : stated;
	taken.add(key);
	return key;
};

const BRANCH = /^refs\/heads\//;

const factsOf = (thread: Record<string, unknown>): SessionFacts => {
	const initial = at(thread, 'env', 'initial');
	const trees = listOf(at(initial, 'trees'));
	const [cwd, ...others] = trees.map(tree => fileUriPath(at(tree, 'uri')));
	const directories = others.filter(path => path !== undefined);
	const ends = listOf(at(thread, 'meta', 'traces'))
		.map(trace => timeMs(at(trace, 'endTime')))
		.filter(end => end !== undefined);
	return compact({
		generatedTitle: textOf(thread['title']),
		cwd,
		directories: directories.length === 0 ? undefined : directories,
		branch: textOf(at(trees[0], 'repository', 'ref'))?.replace(BRANCH, ''),
		agentVersion: textOf(at(initial, 'platform', 'clientVersion')),
		createdAtMs: timeMs(thread['created']),
		updatedAtMs: ends.length === 0 ? undefined : ends.reduce((a, b) => Math.max(a, b)),
	});
};

const threadOf = (source: Source): Record<string, unknown> => {
	const document = readJsonFile(source.path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `gone: ${source.path}`);
	const {problem, value} = document;
	// Half written: what was read before stays, and the next change is looked at.
	if (problem !== undefined) throw new SourceUnreadable(problem.code, problem.detail);
	if (!isRecord(value) || !Array.isArray(value['messages'])) {
		throw new SourceUnreadable('unsupported-schema', 'no list of messages');
	}
	return value;
};

export function* read(source: Source): Generator<Batch> {
	const thread = threadOf(source);
	const batch = createBatch(source.sessionId ?? basename(source.path, '.json'));
	batch.patch(factsOf(thread));
	const names = new Map<string, string>();
	const taken = new Set<string>();
	let last = timeMs(thread['created']);
	const cursor = END;
	for (const [index, value] of listOf(thread['messages']).entries()) {
		if (batch.isFull()) yield batch.take(cursor);
		const record = recordOf(value);
		const role = stringOf(record['role']) ?? 'none';
		if (role !== 'user' && role !== 'assistant') {
			batch.unknown(`role/${role.slice(0, 80)}`);
			continue;
		}
		const usage = record['usage'];
		const sentAt = timeMs(at(record, 'meta', 'sentAt'));
		last = sentAt ?? timeMs(at(usage, 'timestamp')) ?? timeMs(record['createdAt']) ?? last;
		const {content, text} = record;
		const plain = stringOf(content) ?? stringOf(text);
		const message: Message = {
			role,
			blocks: plain === undefined ? listOf(content) : [{type: 'text', text: plain}],
			key: keyOf(record, index, taken),
			atMs: last,
			locator: {path: source.path, pointer: `/messages/${index}`},
			model: textOf(at(usage, 'model')),
			isSent: sentAt !== undefined,
			names,
		};
		if (message.model !== undefined) batch.patch({model: message.model});
		for (const event of [
			...(role === 'user' ? promptEvents(message) : []),
			...blockEvents(message, kind => batch.unknown(kind)),
		]) {
			batch.event(event);
		}
		const counted = usageOf(usage, message);
		if (counted !== undefined) batch.usage(counted);
	}
	yield batch.take(cursor);
}
