/** Messages of a replayed log as events. */

import {
	type AdapterEvent,
	eventKey,
	type Locator,
	type PromptInput,
	type ToolFacts,
	type Usage,
} from '../../model.js';
import type {BatchBuilder} from '../batch.js';
import {compact} from '../compact.js';
import {capText} from '../content.js';
import {type LoggedCall, type LoggedMessage, type LoggedResult, NOT_SPOKEN} from './message.js';
import {
	type CallPart,
	type Capped,
	type Prompt,
	promptOf,
	type ResponsePart,
	textsOf,
} from './parts.js';
import {tell} from './prompts.js';
import {callFacts, callText, resultFacts} from './tools.js';

/**
 * Blocks of a message in the keys of its events. They do not depend on what a version of the message holds: a text that comes
 * after its thoughts, or a restored version without them, must not move the others.
 */
const BLOCK = {text: 0, thoughts: 1, added: 1} as const;
const callBlock = (index: number): number => 2 + 2 * index;
const resultBlock = (index: number): number => 3 + 2 * index;
/** Results whose call is nowhere to be found. */
const strayBlock = (index: number): number => 2 + index;

const eventOf = (
	message: LoggedMessage,
	{block, text}: {readonly block: number; readonly text: Capped},
	fields: Omit<AdapterEvent, 'key' | 'text' | 'fullLength' | 'locator'> & {
		readonly locator?: Locator | undefined;
	},
): AdapterEvent =>
	compact({
		key: eventKey(message.id, block),
		atMs: message.atMs,
		...fields,
		...text,
		locator: fields.locator ?? message.locator,
		state: message.isUndone ? ('undone' as const) : undefined,
	});

/** Content can hold the calls as well; `toolCalls` knows more of them. */
const callOfPart = ({id, name = 'unknown', args}: CallPart): LoggedCall => ({
	id,
	name,
	text: capText(callText(name, args)),
	facts: callFacts(name, args),
	result: undefined,
});

const callsOf = ({calls, pieces}: LoggedMessage): readonly LoggedCall[] =>
	calls.length > 0
		? calls
		: pieces.flatMap(piece => (piece.kind === 'call' ? [callOfPart(piece.call)] : []));

interface OpenCall {
	readonly call: LoggedCall;
	result: LoggedResult | undefined;
}

/** Calls and results of all messages, found together: a result may come with a later message than its call. */
export interface CallTable {
	/** Of a call: what is known of its result; undefined when an earlier message has the same call. */
	ownerOf(message: LoggedMessage, index: number): OpenCall | undefined;
	/** Results in a message that belong to no call, and their places. */
	strays(message: LoggedMessage): readonly ResponsePart[];
}

const resultOfPart = (
	{output, isError}: ResponsePart,
	{call, message}: {readonly call: LoggedCall; readonly message: LoggedMessage},
): LoggedResult => ({
	output,
	facts: resultFacts(call.name, {text: output.text, display: undefined, isError}),
	atMs: message.atMs,
	locator: message.locator,
});

const placeOf = (message: LoggedMessage, index: number): string => `${index} ${message.id}`;

export const createCallTable = (messages: readonly LoggedMessage[]): CallTable => {
	const byId = new Map<string, OpenCall>();
	const owners = new Map<string, OpenCall>();
	/** Calls without an id, whose results come in their order. */
	const nameless: OpenCall[] = [];
	const strays = new Map<string, ResponsePart[]>();

	const noteCall = (message: LoggedMessage, call: LoggedCall, index: number): void => {
		const known = call.id === undefined ? undefined : byId.get(call.id);
		if (known !== undefined) {
			const {result} = call;
			const {atMs, locator} = message;
			if (result !== undefined) known.result ??= {...result, atMs: result.atMs ?? atMs, locator};
			return;
		}
		const open = {call, result: call.result};
		owners.set(placeOf(message, index), open);
		if (call.id === undefined) nameless.push(open);
		else byId.set(call.id, open);
	};
	const noteResponse = (message: LoggedMessage, response: ResponsePart): void => {
		const open =
			response.id === undefined
				? nameless.find(({call, result}) => result === undefined && call.name === response.name)
				: byId.get(response.id);
		if (open !== undefined) {
			open.result ??= resultOfPart(response, {call: open.call, message});
			return;
		}
		strays.set(message.id, [...(strays.get(message.id) ?? []), response]);
	};
	for (const message of messages) {
		for (const [index, call] of callsOf(message).entries()) noteCall(message, call, index);
		for (const piece of message.pieces) {
			if (piece.kind === 'response') noteResponse(message, piece.response);
		}
	}
	return {
		ownerOf: (message, index) => owners.get(placeOf(message, index)),
		strays: message => strays.get(message.id) ?? [],
	};
};

const callEvents = (message: LoggedMessage, table: CallTable): readonly AdapterEvent[] =>
	callsOf(message).flatMap(({id, name, text, facts}, index) => {
		const open = table.ownerOf(message, index);
		if (open === undefined) return [];
		const about: ToolFacts = compact({name, callId: id});
		const call = eventOf(
			message,
			{block: callBlock(index), text},
			compact({
				kind: 'tool_use' as const,
				messageId: message.id,
				model: message.model,
				tool: {...about, ...facts},
			}),
		);
		const {result} = open;
		if (result === undefined) return [call];
		const answer = eventOf(
			message,
			{block: resultBlock(index), text: result.output},
			compact({
				kind: 'tool_result' as const,
				atMs: result.atMs ?? message.atMs,
				tool: {...about, ...result.facts},
				locator: result.locator,
			}),
		);
		return [call, answer];
	});

const strayEvents = (message: LoggedMessage, table: CallTable): readonly AdapterEvent[] =>
	table.strays(message).map(({id, name, output, isError}, index) =>
		eventOf(
			message,
			{block: strayBlock(index), text: output},
			{
				kind: 'tool_result',
				tool: {
					...compact({name, callId: id}),
					...resultFacts(name ?? '', {text: output.text, display: undefined, isError}),
				},
			},
		),
	);

const isBlank = ({text}: Capped): boolean => text.trim() === '';

const metaEvent = (message: LoggedMessage, block: number, text: Capped): readonly AdapterEvent[] =>
	isBlank(text) ? [] : [eventOf(message, {block, text}, {kind: 'meta'})];

/** A command whose text was replaced by what it stands for has reached the model. */
const inputOf = ({text, added}: Prompt, shown: string | undefined): PromptInput | undefined => {
	if (tell(text.text) !== 'command') return undefined;
	return shown !== undefined && !isBlank(added) ? 'command' : 'local';
};

const promptEvents = (message: LoggedMessage): readonly AdapterEvent[] => {
	const prompt = promptOf(message.pieces, message.shown);
	const {text, added} = prompt;
	if (isBlank(text)) return metaEvent(message, BLOCK.text, added);
	const isSummary = message.made === 'summary' || tell(text.text) === 'summary';
	const event = eventOf(
		message,
		{block: BLOCK.text, text},
		isSummary
			? {kind: 'summary'}
			: compact({
					kind: 'message' as const,
					role: 'user' as const,
					input: inputOf(prompt, message.shown),
				}),
	);
	return [event, ...metaEvent(message, BLOCK.added, added)];
};

const spokenEvents = (message: LoggedMessage): readonly AdapterEvent[] => {
	const {model, thoughts} = message;
	const about = compact({messageId: message.id, model});
	const text = textsOf(message.pieces);
	const reasoning = eventOf(
		message,
		{block: BLOCK.thoughts, text: thoughts},
		{kind: 'reasoning', ...about},
	);
	const reply = eventOf(
		message,
		{block: BLOCK.text, text},
		{kind: 'message', role: 'assistant', ...about},
	);
	return [...(isBlank(thoughts) ? [] : [reasoning]), ...(isBlank(text) ? [] : [reply])];
};

/** What is typed to a sub-agent is its task, and what it is told on the way: nobody sits there. */
const userEvents = (message: LoggedMessage, isSubagent: boolean): readonly AdapterEvent[] =>
	isSubagent ? metaEvent(message, BLOCK.text, textsOf(message.pieces)) : promptEvents(message);

export interface Telling {
	readonly table: CallTable;
	readonly isSubagent: boolean;
}

export const eventsOf = (
	message: LoggedMessage,
	{table, isSubagent}: Telling,
): readonly AdapterEvent[] => {
	if (message.type === 'user') {
		return [...userEvents(message, isSubagent), ...strayEvents(message, table)];
	}
	if (NOT_SPOKEN.has(message.type) || message.made === 'acknowledgement') {
		return metaEvent(message, BLOCK.text, textsOf(message.pieces));
	}
	return [...spokenEvents(message), ...callEvents(message, table)];
};

/** Once per message; what was rewound was paid all the same. */
export const usageOf = ({id, tokens, model, atMs}: LoggedMessage): Usage | undefined =>
	tokens === undefined ? undefined : compact({key: eventKey(id), ...tokens, model, atMs});

/** Counts what a message holds beyond what is known. */
export const noteUnknown = (message: LoggedMessage, batch: BatchBuilder): void => {
	for (const piece of message.pieces) {
		if (piece.kind === 'unknown') batch.unknown(`part/${piece.type.slice(0, 80)}`);
	}
};
