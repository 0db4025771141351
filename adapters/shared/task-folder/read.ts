/** Reads one task: its messages, else what the panel showed. */

import {basename} from 'node:path';
import type {AdapterEvent, SessionFacts} from '../../model.js';
import {type Batch, type Source, SourceUnreadable} from '../../types.js';
import {type BatchBuilder, createBatch, END} from '../batch.js';
import {compact} from '../compact.js';
import {readJsonFile} from '../json-file.js';
import {at, isRecord, listOf, numberOf, recordOf, stringOf, textOf} from '../narrow.js';
import {subagentFacts} from '../parent.js';
import {timeMs} from '../time.js';
import {messageEvents, messageKey, modelOf, roleOf} from './blocks.js';
import {sideDocument, TALK_FILES} from './discover.js';
import {isPromptStart} from './prompts.js';
import {rowEvents, timesOf, usageOf} from './ui-messages.js';

type Json = Readonly<Record<string, unknown>>;

/** The list of a document; a task whose document is half written keeps what was read before. */
const documentOf = (path: string): readonly unknown[] => {
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `gone: ${path}`);
	const {problem, value} = document;
	if (problem !== undefined) throw new SourceUnreadable(problem.code, problem.detail);
	if (!Array.isArray(value)) {
		throw new SourceUnreadable('unsupported-schema', `${path}: no list of messages`);
	}
	return value;
};

interface Task {
	readonly id: string;
	/** `history_item.json`, else the entry of the list of tasks. */
	readonly item: Json;
	readonly metadata: unknown;
	readonly shown: unknown;
	readonly parentId: string | undefined;
}

const taskOf = (source: Source): Task => {
	const own = sideDocument(source, 'history_item.json');
	const item = isRecord(own) ? own : recordOf(at(source.extra, 'item'));
	return {
		id: source.sessionId ?? basename(source.key),
		item,
		metadata: sideDocument(source, 'task_metadata.json'),
		shown: sideDocument(source, 'ui_messages.json'),
		parentId: textOf(item['parentTaskId']),
	};
};

/** Messages of the models' interface. */
function* messages(batch: BatchBuilder, task: Task, path: string): Generator<AdapterEvent> {
	const times = timesOf(task.shown);
	const taken = new Set<string>();
	const names = new Map<string, string>();
	let last = timeMs(task.id);
	let isTask = task.parentId !== undefined;
	for (const [index, value] of documentOf(path).entries()) {
		const role = roleOf(value);
		if (role === undefined) {
			batch.unknown(`role/${(stringOf(at(value, 'role')) ?? 'none').slice(0, 80)}`);
			continue;
		}
		const record = recordOf(value);
		last = timeMs(record['ts']) ?? times.get(index) ?? last;
		const model = modelOf(record);
		const locator = {path, pointer: `/${index}`};
		const key = messageKey(record, index, taken);
		const message = {record, role, key, atMs: last, locator, model, isTask, names};
		yield* messageEvents(message, kind => batch.unknown(kind));
		if (model !== undefined) batch.patch({model});
		isTask &&= role !== 'user';
	}
}

/** What the panel showed. The first row of a sub-task is what its parent asked for. */
function* shownRows(batch: BatchBuilder, task: Task, path: string): Generator<AdapterEvent> {
	const rows = rowEvents(documentOf(path), path, kind => batch.unknown(kind));
	for (const [index, event] of rows.entries()) {
		const {role, ...rest} = event;
		const isTask = index === 0 && role === 'user' && task.parentId !== undefined;
		yield isTask ? {...rest, kind: 'meta'} : event;
	}
}

const count = (value: unknown): number => {
	const stated = numberOf(value) ?? 0;
	return Number.isSafeInteger(stated) && stated > 0 ? stated : 0;
};

/** The totals of the item include requests whose rows are gone, so they come before those of the rows. */
const tokensOf = ({item}: Task): SessionFacts['tokens'] =>
	numberOf(item['tokensIn']) === undefined
		? undefined
		: {
				input: count(item['tokensIn']),
				output: count(item['tokensOut']),
				cacheRead: count(item['cacheReads']),
				cacheWrite: count(item['cacheWrites']),
			};

const metadataModel = ({item, metadata}: Task): string | undefined =>
	textOf(at(listOf(at(metadata, 'model_usage')).at(-1), 'model_id')) ??
	textOf(at(metadata, 'modelInfo', 'id')) ??
	textOf(item['modelId']);

/** The task as its title, unless that is only the first prompt again. */
const titleFacts = ({item, parentId}: Task, prompt: string | undefined): SessionFacts => {
	const task = textOf(item['task']);
	if (task === undefined) return {};
	if (parentId !== undefined) return {description: task};
	return {generatedTitle: isPromptStart(task, prompt) ? null : task};
};

const factsOf = (task: Task): SessionFacts => {
	const {item, id, parentId, shown} = task;
	const changedAt = timeMs(item['ts']);
	return compact({
		cwd:
			textOf(item['workspace']) ?? textOf(item['cwdOnTaskInitialization']) ?? textOf(item['cwd']),
		model: metadataModel(task),
		...subagentFacts(parentId),
		tokens: tokensOf(task),
		costUsd: numberOf(item['totalCost']),
		createdAtMs: timeMs(id) ?? timeMs(at(shown, 0, 'ts')) ?? changedAt,
		updatedAtMs: changedAt,
	});
};

export function* readTask(source: Source): Generator<Batch> {
	const task = taskOf(source);
	const batch = createBatch(task.id);
	const facts = factsOf(task);
	batch.patch({...facts, ...titleFacts(task, undefined)});
	const isShown = basename(source.path) === TALK_FILES[1];
	let hasPrompt = false;
	for (const event of (isShown ? shownRows : messages)(batch, task, source.path)) {
		if (batch.isFull()) yield batch.take(END);
		if (!hasPrompt && event.role === 'user') {
			hasPrompt = true;
			batch.patch(titleFacts(task, event.text));
		}
		batch.event(event);
	}
	if (facts.tokens === undefined) {
		for (const usage of usageOf(task.shown)) batch.usage(usage);
	}
	yield batch.take(END);
}
