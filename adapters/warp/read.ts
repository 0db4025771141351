/** Reads a conversation whole. */

import type {Locator, SessionFacts} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {numberOf, stringOf, textOf} from '../shared/narrow.js';
import {subagentFacts} from '../shared/parent.js';
import {protoFields, protoTree, textAt} from '../shared/protobuf.js';
import {eventOf, jsonIn, type Place, promptForm} from '../shared/rows/events.js';
import {rowText} from '../shared/rows/messages.js';
import {type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, RawRow, Source} from '../types.js';
import {isQuery, messagesOf, readMessage, type Talk, type TaskMessage} from './messages.js';
import {type Conversation, loadConversation, QUERIES, queryTexts, TASKS} from './tables.js';

const TASK_SUMMARY = 6;

/** Model ids may be JSON texts themselves. */
const modelOf = ({queries}: Conversation): string | undefined => {
	const model = textOf(queries.at(-1)?.['model_id']);
	return textOf(jsonIn(model)) ?? model;
};

const tokensOf = (row: Row): SessionFacts['tokens'] => {
	const [input, output] = [numberOf(row['input_tokens']), numberOf(row['output_tokens'])];
	if (input === undefined && output === undefined) return undefined;
	return {input: input ?? 0, output: output ?? 0, cacheRead: 0, cacheWrite: 0};
};

const summaryOf = ({tasks}: Conversation): string | undefined =>
	tasks
		.filter(({bytes}) => protoFields(bytes) !== undefined)
		.map(({bytes}) => textOf(textAt(bytes, TASK_SUMMARY)))
		.find(text => text !== undefined);

const factsOf = (conversation: Conversation): SessionFacts => {
	const {row, queries} = conversation;
	const parent = textOf(row['parent_id']);
	const folders = queries.flatMap(query => textOf(query['working_directory']) ?? []);
	const [cwd, ...others] = [...new Set(folders)];
	return compact({
		generatedTitle: textOf(row['agent_name']) ?? textOf(row['title']) ?? summaryOf(conversation),
		cwd,
		directories: others.length === 0 ? undefined : others,
		model: modelOf(conversation),
		...subagentFacts(parent),
		tokens: tokensOf(row),
		updatedAtMs: timeMs(row['last_modified_at']),
	});
};

interface Messages {
	readonly messages: readonly TaskMessage[];
	/** Tasks that are none. */
	readonly broken: readonly string[];
}

/** Of all tasks, in the order of time where all of them have one. */
const messagesIn = ({tasks}: Conversation): Messages => {
	const read = tasks.map(({id, bytes}) => ({id, messages: messagesOf(id, bytes)}));
	const messages = read.flatMap(task => task.messages ?? []);
	const broken = read.filter(task => task.messages === undefined).map(({id}) => id);
	const hasTimes = messages.every(({atMs}) => atMs !== undefined);
	return {
		messages: hasTimes ? messages.toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0)) : messages,
		broken,
	};
};

const rowOf = ({taskId, index}: TaskMessage): string => `${taskId}#${index}`;
const locatorOf = (message: TaskMessage): Locator => ({table: TASKS, row: rowOf(message)});

/** The prompts, when no task holds any that can be read. */
const readQueries = ({queries}: Conversation, {batch}: Talk): void => {
	for (const query of queries) {
		const key = stringOf(query['exchange_id']) ?? '';
		const place: Place = {
			key,
			atMs: timeMs(query['start_ts']),
			locator: {table: QUERIES, row: key},
		};
		for (const [block, text] of queryTexts(query).entries()) {
			batch.event(eventOf(place, block, promptForm(text)));
		}
	}
};

export function* read({path, sessionId = ''}: Source): Generator<Batch> {
	const conversation = withDatabase(path, db => loadConversation(db, sessionId));
	if (conversation === undefined) return;
	const batch = createBatch(sessionId);
	const facts = factsOf(conversation);
	const isSubagent = facts.isSubagent === true;
	const talk: Talk = {batch, names: new Map(), waiting: new Map(), isSubagent, task: undefined};
	batch.patch(facts);
	for (const problem of conversation.problems) batch.problem(problem);
	const {messages, broken} = messagesIn(conversation);
	for (const id of broken) {
		batch.problem({
			code: 'bad-record',
			where: `${TASKS} ${id}`,
			detail: 'the task cannot be decoded',
		});
	}
	if (!messages.some(isQuery)) readQueries(conversation, talk);
	const keys = new Set<string>();
	for (const message of messages) {
		const {id, atMs} = message;
		const key = id === undefined || keys.has(id) ? rowOf(message) : id;
		keys.add(key);
		const model = facts.model ?? undefined;
		readMessage(message, {key, atMs, locator: locatorOf(message), model}, talk);
		if (batch.isFull()) yield batch.take(END);
	}
	if (isSubagent) batch.patch({description: talk.task ?? null});
	yield batch.take(END);
}

/** The messages of a conversation by number of their fields, and its prompts as rows. */
export function* rawRows({path, sessionId = ''}: Source): Generator<RawRow> {
	const conversation = withDatabase(path, db => loadConversation(db, sessionId));
	if (conversation === undefined) return;
	for (const message of messagesIn(conversation).messages) {
		yield {table: TASKS, row: rowOf(message), raw: jsonText(protoTree(message.bytes))};
	}
	for (const query of conversation.queries) {
		yield {table: QUERIES, row: stringOf(query['exchange_id']) ?? '', raw: rowText(query)};
	}
}
