/** Reads a session of Gemini CLI or a fork: replays its log, or takes its document, and tells the messages in their order. */

import {basename} from 'node:path';
import type {Locator, SessionFacts} from '../../model.js';
import {type Batch, type Source, SourceUnreadable} from '../../types.js';
import {type BatchBuilder, createBatch} from '../batch.js';
import {oneLine} from '../content.js';
import {readJsonFile} from '../json-file.js';
import {readJsonLines} from '../jsonl.js';
import {listOf, recordOf, textOf} from '../narrow.js';
import {createCallTable, eventsOf, noteUnknown, usageOf} from './events.js';
import {createLog, type SessionLog} from './log.js';
import {type LoggedMessage, NOT_SPOKEN} from './message.js';
import {textsOf} from './parts.js';
import type {ChatPlace} from './store.js';

const readLog = (source: Source, log: SessionLog, batch: BatchBuilder): void => {
	for (const {record, problem, offset, length} of readJsonLines(source.path)) {
		if (problem !== undefined) batch.problem(problem);
		const unknown = record === undefined ? undefined : log.apply(record, {offset, length});
		if (unknown !== undefined) batch.unknown(unknown);
	}
};

/** Before the log there was one document, rewritten on each change: `{sessionId, startTime, …, messages}`. */
const readDocument = ({path}: Source, log: SessionLog, batch: BatchBuilder): void => {
	const document = readJsonFile(path);
	if (document === undefined) throw new SourceUnreadable('unreadable', `${path} is gone`);
	// Perhaps half written: what was read before stays.
	if (document.problem !== undefined) {
		throw new SourceUnreadable(document.problem.code, document.problem.detail);
	}
	const {messages, ...header} = recordOf(document.value);
	log.apply(header, {path, pointer: ''});
	for (const [index, message] of listOf(messages).entries()) {
		const locator: Locator = {path, pointer: `/messages/${index}`};
		const unknown = log.apply({id: `L${index + 1}`, ...recordOf(message)}, locator);
		if (unknown !== undefined) batch.unknown(unknown);
	}
};

/** The id as a record states it; of a log that lost its first line as much of it as the name of the file holds. */
const sessionIdOf = (log: SessionLog, {path}: Source, place: ChatPlace): string | undefined => {
	const stated = log.sessionId();
	if (stated !== undefined || log.messages().length === 0) return stated;
	const name = basename(path).replace(/\.jsonl?$/, '');
	return place.parentId === undefined ? name.slice(name.lastIndexOf('-') + 1) : name;
};

/** A sub-agent's first text is its task. */
const taskOf = (messages: readonly LoggedMessage[]): string | undefined => {
	const first = messages.find(({type}) => type === 'user');
	return first === undefined ? undefined : textOf(oneLine(textsOf(first.pieces).text, 200));
};

const subagentFacts = (messages: readonly LoggedMessage[], {parentId}: ChatPlace): SessionFacts => {
	const task = taskOf(messages);
	return {
		isSubagent: true,
		...(task === undefined ? {} : {description: task}),
		...(parentId === undefined
			? {}
			: {parent: {id: parentId, relation: 'subagent', certainty: 'exact'}}),
	};
};

/** Types of messages that the model wrote, by the name that each fork gives them. */
export type AssistantTypes = ReadonlySet<string>;

const tellMessage = (
	message: LoggedMessage,
	batch: BatchBuilder,
	{assistantTypes, ...telling}: Parameters<typeof eventsOf>[1] & {assistantTypes: AssistantTypes},
): void => {
	const {type} = message;
	if (type !== 'user' && !NOT_SPOKEN.has(type) && !assistantTypes.has(type)) {
		batch.unknown(`type/${type.slice(0, 80)}`);
	}
	noteUnknown(message, batch);
	for (const event of eventsOf(message, telling)) batch.event(event);
	const usage = usageOf(message);
	if (usage !== undefined) batch.usage(usage);
};

export const createChatReader = (assistantTypes: AssistantTypes) =>
	function* read(source: Source): Generator<Batch> {
		const place: ChatPlace = recordOf(source.extra);
		const log = createLog();
		const batch = createBatch('');
		if (source.path.endsWith('.json')) readDocument(source, log, batch);
		else readLog(source, log, batch);
		const sessionId = sessionIdOf(log, source, place);
		if (sessionId === undefined) return;
		batch.setSession(sessionId);
		const messages = log.messages();
		const isSubagent = place.parentId !== undefined || log.isSubagent();
		batch.patch({...log.facts(), ...(isSubagent ? subagentFacts(messages, place) : {})});
		const table = createCallTable(messages);
		const cursor = {offset: source.files[0]?.sizeBytes ?? 0, lineNumber: 0, state: null};
		for (const message of messages) {
			tellMessage(message, batch, {table, isSubagent, assistantTypes});
			if (batch.isFull()) yield batch.take(cursor);
		}
		yield batch.take(cursor);
	};
