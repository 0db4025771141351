/** Reads one session: `<id>.messages.json`, with what manifest and catalogue say of it. */

import {eventKey, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {readJsonFile} from '../shared/json-file.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {
	messageEvents,
	messageKey,
	modelOf,
	roleOf,
	type TaskMessage,
} from '../shared/task-folder/blocks.js';
import {isPromptStart, spokenIn} from '../shared/task-folder/prompts.js';
import {timeMs} from '../shared/time.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {type Entry, entryOf} from './catalogue.js';

const documentOf = (path: string): Record<string, unknown> => {
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `gone: ${path}`);
	const {problem, value} = document;
	// Half written: what was read before stays, and the next change is looked at.
	if (problem !== undefined) throw new SourceUnreadable(problem.code, problem.detail);
	if (!isRecord(value) || !Array.isArray(value['messages'])) {
		throw new SourceUnreadable('unsupported-schema', 'no list of messages');
	}
	return value;
};

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) && stated > 0 ? stated : 0;
};

const usageOf = ({record, key, atMs, model}: TaskMessage): Usage | undefined => {
	const {metrics} = record;
	if (!isRecord(metrics)) return undefined;
	return compact({
		key: eventKey(key),
		input: count(metrics['inputTokens']),
		output: count(metrics['outputTokens']),
		cacheRead: count(metrics['cacheReadTokens']),
		cacheWrite: count(metrics['cacheWriteTokens']),
		costUsd: numberOf(metrics['cost']),
		model,
		atMs,
	});
};

interface Known {
	/** Catalogue over manifest. A sub-agent has the place of its parent's manifest, and nothing else of it. */
	readonly entry: Entry;
	readonly parentId: string | undefined;
	readonly version: string | undefined;
}

const knownOf = (source: Source, document: unknown): Known => {
	const manifest = entryOf(readJsonFile(source.files[1]?.path ?? '')?.value);
	const catalogued = recordOf(source.extra) as Entry;
	const isSubagent = catalogued.isSubagent ?? at(document, 'agent') === 'subagent';
	const {cwd, branch} = manifest;
	const base = isSubagent ? compact({cwd, branch, isSubagent: true}) : manifest;
	const entry = {...base, ...catalogued};
	return {
		entry,
		parentId: entry.parentId ?? textOf(at(document, 'origin', 'parentThreadId')),
		version: textOf(at(document, 'origin', 'version')) ?? entry.version,
	};
};

const parentOf = ({entry, parentId}: Known): SessionFacts['parent'] => {
	const certainty = 'exact';
	if (parentId !== undefined && entry.isSubagent === true) {
		return {id: parentId, relation: 'subagent', certainty};
	}
	if (entry.forkedFrom !== undefined) return {id: entry.forkedFrom, relation: 'fork', certainty};
	return undefined;
};

const factsOf = (known: Known, updatedAt: unknown): SessionFacts => {
	const {entry, version} = known;
	return compact({
		cwd: entry.cwd,
		branch: entry.branch,
		model: entry.model,
		agentVersion: version,
		isSubagent: entry.isSubagent,
		parent: parentOf(known),
		createdAtMs: timeMs(entry.startedAt),
		updatedAtMs: timeMs(updatedAt),
	});
};

/** Titles begin as the first prompt; only another one says more. */
const titleFacts = ({entry}: Known, prompt: string | undefined): SessionFacts => {
	const title = entry.title ?? (entry.prompt && (spokenIn(entry.prompt) ?? entry.prompt));
	if (title === undefined) return {};
	if (entry.isSubagent === true) return {description: title};
	return {generatedTitle: isPromptStart(title, prompt) ? null : title};
};

const messageOf = (
	value: unknown,
	index: number,
	shared: {
		readonly path: string;
		readonly taken: Set<string>;
		readonly names: Map<string, string>;
		readonly isTask: boolean;
	},
): TaskMessage | undefined => {
	const role = roleOf(value);
	if (role === undefined) return undefined;
	const record = recordOf(value);
	return {
		record,
		role,
		key: messageKey(record, index, shared.taken),
		atMs: timeMs(record['ts']),
		locator: {path: shared.path, pointer: `/messages/${index}`},
		model: modelOf(record),
		isTask: shared.isTask,
		names: shared.names,
	};
};

export function* readSession(source: Source): Generator<Batch> {
	const document = documentOf(source.path);
	const known = knownOf(source, document);
	const batch = createBatch(source.sessionId ?? textOf(document['sessionId']) ?? '');
	batch.patch({...factsOf(known, document['updated_at']), ...titleFacts(known, undefined)});
	const shared = {path: source.path, taken: new Set<string>(), names: new Map<string, string>()};
	let isTask = known.entry.isSubagent === true;
	let hasPrompt = false;
	for (const [index, value] of listOf(document['messages']).entries()) {
		if (batch.isFull()) yield batch.take(END);
		const message = messageOf(value, index, {...shared, isTask});
		if (message === undefined) {
			batch.unknown(`role/${(stringOf(at(value, 'role')) ?? 'none').slice(0, 80)}`);
			continue;
		}
		isTask &&= message.role !== 'user';
		for (const event of messageEvents(message, kind => batch.unknown(kind))) {
			batch.event(event);
			if (hasPrompt || event.role !== 'user') continue;
			hasPrompt = true;
			batch.patch(titleFacts(known, event.text));
		}
		const usage = usageOf(message);
		if (usage !== undefined) batch.usage(usage);
		if (message.model !== undefined) batch.patch({model: message.model});
	}
	yield batch.take(END);
}
