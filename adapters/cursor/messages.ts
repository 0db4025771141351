/** Messages of transcripts and chat stores on their way to events. */

import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import type {BatchBuilder} from '../shared/batch.js';
import {compact} from '../shared/compact.js';
import {capText, oneLine} from '../shared/content.js';
import {entryOf, stringOf, textOf} from '../shared/narrow.js';
import {outsideCalls, type Part, partsOf, wholeResult} from './parts.js';
import {
	hasQuery,
	readUserText,
	type Told,
	timeTagOf,
	withoutRedacted,
	workspaceOf,
} from './prompts.js';
import {callFacts, callText, resultFacts} from './tools.js';

/** What is carried from message to message; JSON, because a transcript is read in parts. */
export interface Carried {
	/** Time of the last message that has one: those behind it have none of their own. */
	atMs?: number;
	/** As the context that is sent to the model names it. */
	directory?: string;
	/** What a sub-agent was told to do. */
	task?: string;
	model?: string;
	hasPrompt?: boolean;
	/** Call id → name of the tool, of the last calls. */
	readonly calls: [id: string, name: string][];
}

export interface Reading {
	readonly batch: BatchBuilder;
	readonly carried: Carried;
	/** Nobody typed there. */
	readonly isSubagent: boolean;
	/** False for a text that is not among those that the agent noted as typed. */
	isTyped(text: string): boolean;
}

export interface Message {
	readonly role: string;
	readonly record: Record<string, unknown>;
	readonly content: unknown;
	readonly key: string;
	readonly locator: Locator;
	readonly atMs?: number | undefined;
	readonly model?: string | undefined;
	/** Several records of one reply; absent = a record is a reply. */
	readonly messageId?: string;
}

interface Row extends Message {
	readonly reading: Reading;
	readonly parts: readonly Part[];
}

type EventFields = Omit<AdapterEvent, 'key' | 'atMs' | 'locator' | 'text' | 'fullLength'>;

const CALLS_KEPT = 200;

const emit = (row: Row, {block, text}: {block: number; text: string}, fields: EventFields): void =>
	row.reading.batch.event(
		compact({
			key: eventKey(row.key, block),
			...fields,
			atMs: row.reading.carried.atMs,
			...capText(text),
			locator: row.locator,
		}),
	);

const resultEvent = (row: Row, part: Part, block: number): void => {
	if (part.kind !== 'result') return;
	const {callId, text, isError} = part.result;
	const {calls} = row.reading.carried;
	const name = part.result.name ?? calls.findLast(([id]) => id === callId)?.[1];
	const tool = compact({name, callId, ...resultFacts(text, isError)});
	emit(row, {block, text}, {kind: 'tool_result', tool});
};

interface Piece extends Told {
	readonly block: number;
}

/** Without a mark of its own, a text is a prompt if the agent noted it among those typed. */
const tell = (row: Row, text: string, isQueried: boolean): readonly Told[] =>
	readUserText(text, isQueried).map(told =>
		told.kind === 'prompt' && !isQueried && !row.reading.isTyped(told.text)
			? {...told, kind: 'context'}
			: told,
	);

/** A part that gives context and a prompt has the prompt in its own place, the context behind all parts. */
const piecesOf = (row: Row): readonly Piece[] => {
	const {parts} = row;
	const isQueried = parts.some(part => part.kind === 'text' && hasQuery(part.text));
	return parts.flatMap((part, block): readonly Piece[] => {
		if (part.kind === 'binary') return [{kind: 'prompt', text: part.text, block}];
		if (part.kind !== 'text') return [];
		const told = tell(row, part.text, isQueried);
		const isShared = told.length > 1;
		return told.map(item => ({
			...item,
			block: isShared && item.kind !== 'prompt' ? parts.length + block : block,
		}));
	});
};

const promptEvent = (row: Row, pieces: readonly Piece[]): void => {
	const {reading} = row;
	const [first] = pieces;
	const text = pieces.map(piece => piece.text).join('\n');
	if (first === undefined) return;
	reading.carried.hasPrompt = true;
	if (reading.isSubagent) reading.carried.task ??= oneLine(text, 200);
	emit(
		row,
		{block: first.block, text},
		reading.isSubagent ? {kind: 'meta'} : {kind: 'message', role: 'user'},
	);
};

const userEvents = (row: Row): void => {
	for (const [block, part] of row.parts.entries()) resultEvent(row, part, block);
	const pieces = piecesOf(row);
	for (const {kind, text, block} of pieces) {
		if (kind === 'prompt') continue;
		const directory = kind === 'context' ? workspaceOf(text) : undefined;
		if (directory !== undefined) row.reading.carried.directory ??= directory;
		emit(row, {block, text}, {kind: kind === 'summary' ? 'summary' : 'meta'});
	}
	promptEvent(
		row,
		pieces.filter(({kind}) => kind === 'prompt'),
	);
};

const callEvent = (row: Row, part: Part, block: number): void => {
	if (part.kind !== 'call') return;
	const {name, callId, args} = part.call;
	const {calls, model} = row.reading.carried;
	if (callId !== undefined) {
		calls.push([callId, name]);
		if (calls.length > CALLS_KEPT) calls.shift();
	}
	emit(
		row,
		{block, text: callText(args)},
		compact({
			kind: 'tool_use' as const,
			model,
			messageId: row.messageId ?? eventKey(row.key),
			tool: compact({name, callId, ...callFacts(name, args)}),
		}),
	);
};

const spokenEvent = (row: Row, part: Part, block: number): void => {
	if (part.kind !== 'text' && part.kind !== 'reasoning' && part.kind !== 'binary') return;
	const text = withoutRedacted(part.text);
	if (text.trim() === '') return;
	const kind: EventFields =
		part.kind === 'reasoning' ? {kind: 'reasoning'} : {kind: 'message', role: 'assistant'};
	const {model} = row.reading.carried;
	emit(
		row,
		{block, text},
		compact({...kind, model, messageId: row.messageId ?? eventKey(row.key)}),
	);
};

const assistantEvents = (row: Row): void => {
	for (const [block, part] of [...row.parts, ...outsideCalls(row.record)].entries()) {
		spokenEvent(row, part, block);
		callEvent(row, part, block);
		resultEvent(row, part, block);
	}
};

const toolEvents = (row: Row): void => {
	if (!row.parts.some(({kind}) => kind === 'result')) {
		resultEvent(row, wholeResult({...row.record, content: row.content}), 0);
		return;
	}
	for (const [block, part] of row.parts.entries()) resultEvent(row, part, block);
};

/** Before the first prompt it is the system prompt. */
const systemEvents = (row: Row): void => {
	if (row.reading.carried.hasPrompt !== true) return;
	const text = textsOf(row.parts);
	if (text !== '') emit(row, {block: 0, text}, {kind: 'meta'});
};

const textsOf = (parts: readonly Part[]): string =>
	parts
		.flatMap(part => (part.kind === 'text' ? [part.text] : []))
		.join('\n')
		.trim();

const ROLES: Readonly<Record<string, (row: Row) => void>> = {
	assistant: assistantEvents,
	system: systemEvents,
	tool: toolEvents,
	user: userEvents,
};

const noteTime = ({role, atMs, parts, reading}: Row): void => {
	const tagged =
		role === 'user'
			? parts.flatMap(part => (part.kind === 'text' ? (timeTagOf(part.text) ?? []) : [])).at(0)
			: undefined;
	const known = atMs ?? tagged;
	if (known !== undefined) reading.carried.atMs = known;
};

export const readMessage = (message: Message, reading: Reading): void => {
	const row: Row = {...message, reading, parts: partsOf(message.content)};
	const read = entryOf(ROLES, message.role);
	if (read === undefined) {
		reading.batch.unknown(`role/${message.role.slice(0, 80)}`);
		return;
	}
	noteTime(row);
	if (message.model !== undefined) reading.carried.model = message.model;
	for (const part of row.parts) {
		if (part.kind === 'unknown') reading.batch.unknown(`block/${part.type}`);
	}
	read(row);
};

/** An event that is no message: a summary, or news of the agent's own. */
export const noteEvent = (
	{key, locator, text}: {key: string; locator: Locator; text: string},
	kind: 'summary' | 'meta',
	{batch, carried}: Reading,
): void => {
	if (text.trim() === '') return;
	batch.event(compact({key: eventKey(key), kind, atMs: carried.atMs, ...capText(text), locator}));
};

/** Text of a record's content, whatever its blocks are called. */
export const plainText = (content: unknown): string => textsOf(partsOf(content));

/** `default` stands for an automatic choice. */
export const modelName = (value: unknown): string | undefined => {
	const name = textOf(value);
	return name === 'default' ? undefined : stringOf(name);
};
