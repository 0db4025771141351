/** Reads a conversation whole. */

import {eventKey, type ParentLink, type SessionFacts, type Usage} from '../model.js';
import {createBatch, END} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {jsonText} from '../shared/content.js';
import {
	at,
	countOf,
	isRecord,
	listOf,
	numberOf,
	recordOf,
	stringOf,
	textOf,
} from '../shared/narrow.js';
import {eventOf, jsonIn, type Place} from '../shared/rows/events.js';
import {messageRows} from '../shared/rows/messages.js';
import {sessionRow} from '../shared/rows/sessions.js';
import {columnsOf, type ForeignDatabase, type Row, withDatabase} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';
import type {Batch, Source} from '../types.js';
import {type Message, noticeText, readBlocks, type Talk} from './blocks.js';
import {CONVERSATIONS, MESSAGES} from './tables.js';

/** Kinds of messages with content for the model. */
const SPOKEN: ReadonlySet<string> = new Set(['agent', 'tool', 'user']);
/** Kinds that only the page shows, or that prepare the model. */
const NOTICES: ReadonlySet<string> = new Set([
	'error',
	'gitinfo',
	'modelchange',
	'slug',
	'system',
	'warning',
]);

interface Conversation {
	readonly row: Row;
	/** Conversation that the first messages are copies of. */
	readonly origin: string | undefined;
}

const loadConversation = (db: ForeignDatabase, id: string): Conversation | undefined => {
	const row = sessionRow(db, CONVERSATIONS, id);
	if (row === undefined) return undefined;
	const {name} = MESSAGES;
	if (!columnsOf(db, name).has('forked_from_message_id')) return {row, origin: undefined};
	const origin = db.get(
		`SELECT original.conversation_id AS id FROM ${name} AS copy
		JOIN ${name} AS original ON original.message_id = copy.forked_from_message_id
		WHERE copy.conversation_id = ? AND original.conversation_id <> copy.conversation_id LIMIT 1`,
		id,
	);
	return {row, origin: textOf(origin?.['id'])};
};

const parentOf = ({row, origin}: Conversation): ParentLink | undefined => {
	const parentId = textOf(row['parent_conversation_id']);
	if (parentId !== undefined) return {id: parentId, relation: 'subagent', certainty: 'exact'};
	return origin === undefined ? undefined : {id: origin, relation: 'fork', certainty: 'exact'};
};

/** What a person has not started is a sub-agent's too, though its parent may be gone. */
const isSubagent = (row: Row): boolean =>
	textOf(row['parent_conversation_id']) !== undefined || numberOf(row['user_initiated']) === 0;

const factsOf = (conversation: Conversation): SessionFacts => {
	const {row} = conversation;
	return {
		archived: numberOf(row['archived']) === 1,
		...compact({
			// Found by a model; a person may have changed it, which leaves no mark.
			generatedTitle: textOf(row['slug']),
			cwd: textOf(row['cwd']),
			model: textOf(row['model']),
			isSubagent: isSubagent(row) ? true : undefined,
			parent: parentOf(conversation),
			createdAtMs: timeMs(row['created_at']),
			updatedAtMs: timeMs(row['updated_at']),
		}),
	};
};

const usageOf = (row: Row, {key, atMs, model}: Place): Usage | undefined => {
	const stated = recordOf(jsonIn(row['usage_data']));
	const count = (name: string): number => countOf(stated[name]);
	const tokens = {
		input: count('input_tokens'),
		output: count('output_tokens'),
		cacheRead: count('cache_read_input_tokens'),
		cacheWrite: count('cache_creation_input_tokens'),
	};
	if (Object.values(tokens).every(value => value === 0)) return undefined;
	return compact({
		key: eventKey(key),
		...tokens,
		model: textOf(stated['model']) ?? model,
		costUsd: numberOf(stated['cost_usd']),
		atMs,
	});
};

const readNotice = (row: Row, {place, talk, type}: Message): void => {
	const texts = listOf(at(jsonIn(row['llm_data']), 'Content')).map(block =>
		textOf(at(block, 'Text')),
	);
	const userData = jsonIn(row['user_data']);
	const shown = isRecord(userData) ? (noticeText(userData) ?? jsonText(userData)) : undefined;
	const text = textOf(texts.filter(said => said !== undefined).join('\n')) ?? shown;
	// Before the first prompt it is the system prompt.
	if (text === undefined || (type === 'system' && !talk.hasPrompt)) return;
	talk.batch.event(eventOf(place, 0, {kind: 'meta', text}));
};

const noteGeneration = (row: Row, {place, talk}: Message): void => {
	const generation = numberOf(row['generation']) ?? talk.generation;
	if (generation <= talk.generation) return;
	talk.generation = generation;
	talk.isDistilled = true;
	const marker = {...place, key: `${place.key}-generation`};
	const text = `[context reset: generation ${generation}]`;
	talk.batch.event(eventOf(marker, 0, {kind: 'summary', text}));
};

const readSpoken = (row: Row, message: Message): void => {
	const {place, talk} = message;
	const {batch} = talk;
	noteGeneration(row, message);
	const data = jsonIn(row['llm_data']);
	// Rows without data are for the page only.
	if (isRecord(data)) readBlocks(listOf(data['Content']), message);
	else if (typeof row['llm_data'] === 'string') {
		const detail = 'the data of the message is no JSON object';
		batch.problem({code: 'bad-record', where: `${MESSAGES.name} ${place.key}`, detail});
	}
	const usage = usageOf(row, place);
	if (usage !== undefined) batch.usage(usage);
};

const readMessage = (row: Row, talk: Talk): void => {
	const id = textOf(row['message_id']);
	const type = stringOf(row['type']) ?? 'none';
	if (id === undefined) return;
	const place = {
		key: id,
		atMs: timeMs(row['created_at']),
		locator: {table: MESSAGES.name, row: id},
		model: textOf(row['model_name']) ?? talk.batch.facts().model ?? undefined,
	};
	const message = {type, place, talk};
	if (NOTICES.has(type)) readNotice(row, message);
	else if (SPOKEN.has(type)) readSpoken(row, message);
	else talk.batch.unknown(`type/${type.slice(0, 80)}`);
};

export function* read({path, sessionId = ''}: Source): Generator<Batch> {
	const conversation = withDatabase(path, db => loadConversation(db, sessionId));
	if (conversation === undefined) return;
	const batch = createBatch(sessionId);
	const talk: Talk = {
		batch,
		names: new Map(),
		isSubagent: isSubagent(conversation.row),
		generation: 1,
		isDistilled: false,
		hasPrompt: false,
		task: undefined,
	};
	batch.patch(factsOf(conversation));
	const {problem: report} = batch;
	for (const row of messageRows(path, MESSAGES, {sessionId, report})) {
		readMessage(row, talk);
		if (batch.isFull()) yield batch.take(END);
	}
	if (talk.isSubagent) batch.patch({description: talk.task ?? null});
	yield batch.take(END);
}
