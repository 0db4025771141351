/** Messages of tasks: the field number says what a message is. */

import type {Changes} from '../shared/calls/changes.js';
import {entryOf} from '../shared/narrow.js';
import {bytesOf, protoAt, protoFields, protoTimeMs, textAt} from '../shared/protobuf.js';
import {
	callForm,
	eventOf,
	type Form,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
	type Talk as SharedTalk,
} from '../shared/rows/events.js';
import {callOf, resultOf} from './tools.js';

/** What is known of the session while its messages are read in order. */
export interface Talk extends SharedTalk {
	/** Calls without an id, by task: results without one answer them in order. */
	readonly waiting: Map<string, string[]>;
}

export interface TaskMessage {
	readonly taskId: string;
	/** Position in the task. */
	readonly index: number;
	readonly id: string | undefined;
	readonly atMs: number | undefined;
	/** Of a task that another task has started: its prompts are that task's. */
	readonly isInner: boolean;
	readonly bytes: Uint8Array;
}

const NUMBERS = {dependencies: 3, message: 5, id: 1, timestamp: 14} as const;

/** The messages of a task; undefined when it is none. */
export const messagesOf = (
	taskId: string,
	task: Uint8Array,
): readonly TaskMessage[] | undefined => {
	const fields = protoFields(task);
	if (fields === undefined) return undefined;
	const isInner = (textAt(task, NUMBERS.dependencies, 1) ?? '') !== '';
	return bytesOf(fields, NUMBERS.message).map((bytes, index) => ({
		taskId,
		index,
		id: textAt(bytes, NUMBERS.id) || undefined,
		atMs: protoTimeMs(protoAt(bytes, NUMBERS.timestamp)),
		isInner,
		bytes,
	}));
};

interface Context {
	readonly place: Place;
	readonly message: TaskMessage;
	readonly talk: Talk;
}

const queryForm = (text: string, {message, talk}: Context): Form => {
	const isTask = talk.isSubagent && talk.task === undefined;
	if (isTask) talk.task = text;
	return isTask || message.isInner ? {kind: 'meta', text} : promptForm(text);
};

const CHANGES: Changes = {read_files: 'read'};

const waitingOf = ({message, talk}: Context): string[] => {
	const waiting = talk.waiting.get(message.taskId) ?? [];
	talk.waiting.set(message.taskId, waiting);
	return waiting;
};

const toolForm = (body: Uint8Array, context: Context): Form => {
	const {place, talk} = context;
	const call = callOf(body);
	const callId = call.callId ?? place.key;
	if (call.callId === undefined) waitingOf(context).push(callId);
	const change = entryOf(CHANGES, call.name);
	return callForm({...call, callId}, {change, names: talk.names, place});
};

const outcomeForm = (body: Uint8Array, context: Context): Form => {
	const {text, isError, ...result} = resultOf(body);
	const callId = result.callId ?? waitingOf(context).shift();
	return resultForm(text, {callId, isError}, context.talk.names);
};

/** What the terminal asks of the model by itself; some queries carry a text. */
const SYSTEM_QUERIES: Readonly<Record<number, string>> = {
	3: 'resume',
	5: 'new project',
	7: 'summarise',
};

const systemForm = (body: Uint8Array, {talk}: Context): Form | undefined => {
	const number = protoFields(body)?.at(-1)?.number;
	if (number === undefined) return undefined;
	const label = SYSTEM_QUERIES[number];
	if (label === undefined) talk.batch.unknown(`system_query/${number}`);
	return {kind: 'meta', text: textAt(body, number, 1) || (label ?? `system query ${number}`)};
};

const lettersForm = (body: Uint8Array): Form => {
	const letters = bytesOf(protoFields(body), 1).map(letter =>
		[textAt(letter, 4), textAt(letter, 5)].filter(Boolean).join('\n'),
	);
	return {kind: 'meta', text: letters.join('\n\n')};
};

type Reader = (body: Uint8Array, context: Context) => Form | undefined;

const spoken =
	(form: (text: string, context: Context) => Form, ...path: readonly number[]): Reader =>
	(body, context) => {
		const text = textAt(body, ...path) ?? '';
		return text.trim() === '' ? undefined : form(text, context);
	};

const QUERY = 2;

const READERS: Readonly<Record<number, Reader>> = {
	[QUERY]: spoken(queryForm, 1),
	3: spoken((text, {place}) => replyForm(text, place), 1),
	4: toolForm,
	5: outcomeForm,
	9: systemForm,
	15: spoken((text, {place}) => reasoningForm(text, place), 1),
	16: spoken(text => ({kind: 'summary', text}), 1, 1),
	24: lettersForm,
};

/** Id, task, request and time; then kinds that say nothing: code reviews, citations, debug output, … */
const SILENT: ReadonlySet<number> = new Set([
	1, 7, 8, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28,
]);

/** What a person, or the task that started this one, asks. */
export const isQuery = ({bytes}: TaskMessage): boolean =>
	(protoFields(bytes) ?? []).some(({number}) => number === QUERY);

/** Emits the events of a message. */
export const readMessage = (message: TaskMessage, place: Place, talk: Talk): void => {
	const context = {place, message, talk};
	const fields = protoFields(message.bytes);
	if (fields === undefined) {
		const where = `${message.taskId} ${message.index}`;
		talk.batch.problem({code: 'bad-record', where, detail: 'the message cannot be decoded'});
	}
	let block = 0;
	for (const {number, value} of fields ?? []) {
		if (SILENT.has(number) || typeof value === 'number') continue;
		const form = READERS[number]?.(value, context);
		if (READERS[number] === undefined) talk.batch.unknown(`message/${number}`);
		if (form === undefined) continue;
		talk.batch.event(eventOf(place, block, form));
		block += 1;
	}
};
