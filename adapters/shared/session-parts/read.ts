/** Reads a stored session whole. */

import {eventKey} from '../../model.js';
import type {Batch} from '../../types.js';
import {type BatchBuilder, createBatch, END} from '../batch.js';
import {at, textOf} from '../narrow.js';
import {isSubagentSession, sessionFacts} from './facts.js';
import {type Message, messageEvents, messageOf, type Talk} from './messages.js';
import {type Json, jsonOf, type StoredMessage, type StoredSession} from './records.js';
import {undoneBy} from './undone.js';
import {messageUsage, modelOf} from './usage.js';

/** What differs between the agents. */
export interface Dialect {
	/** A typed prompt without what the agent has put around it. */
	typedText(text: string): string;
}

/** Nothing goes on from here: a session is always read whole. */
interface Progress {
	model: string | undefined;
	task: string | undefined;
	hasUsage: boolean;
	/** The session has a list of its own: what the messages say would count twice. */
	readonly hasStatedUsage: boolean;
	readonly directories: Set<string>;
}

const noteAnswer = (progress: Progress, message: Message, batch: BatchBuilder): void => {
	const {data, id, atMs} = message;
	const directory = textOf(at(data, 'path', 'cwd'));
	if (directory !== undefined) progress.directories.add(directory);
	progress.model = modelOf(data) ?? progress.model;
	const usage = progress.hasStatedUsage ? undefined : messageUsage({key: eventKey(id), atMs}, data);
	if (usage === undefined) return;
	progress.hasUsage = true;
	batch.usage(usage);
};

const readMessage = (
	{stored, data}: {readonly stored: StoredMessage; readonly data: Json},
	talk: Talk,
	progress: Progress,
): void => {
	const message = messageOf(stored, data, talk);
	if (message.role === 'assistant') noteAnswer(progress, message, talk.batch);
	for (const event of messageEvents(stored, message, talk)) {
		if (talk.isSubagent && event.kind === 'meta') progress.task ??= event.text;
		talk.batch.event(event);
	}
};

/** `batch` holds the problems that turned up while the session was looked up. */
export function* readSession(
	session: StoredSession,
	dialect: Dialect,
	batch = createBatch(session.id),
): Generator<Batch> {
	const {messages, extras} = session;
	const ids = messages.map(({id}) => id);
	const statedUsage = extras.usage ?? [];
	const talk: Talk = {
		batch,
		isSubagent: isSubagentSession(session),
		isUndone: undoneBy(jsonOf(session.row['revert']), ids),
		summaryIds: extras.summaryIds ?? new Set(),
		typedText: dialect.typedText,
	};
	const progress: Progress = {
		model: undefined,
		task: undefined,
		hasUsage: statedUsage.length > 0,
		hasStatedUsage: statedUsage.length > 0,
		directories: new Set(),
	};
	const take = (): Batch => {
		batch.patch(sessionFacts(session, progress));
		return batch.take(END);
	};
	for (const usage of statedUsage) batch.usage(usage);
	for (const stored of messages) {
		if (batch.isFull()) yield take();
		readMessage({stored, data: stored.data() ?? {}}, talk, progress);
	}
	yield take();
}
