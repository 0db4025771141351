/** Events of one stored message: what it says, thinks, calls and was answered share their place and time. */

import {type AdapterEvent, eventKey, type Locator, type ToolFacts} from '../../model.js';
import type {BatchBuilder} from '../batch.js';
import type {CallArguments} from '../calls/arguments.js';
import type {FileChange} from '../calls/changes.js';
import {callFacts, callText} from '../calls/facts.js';
import {compact} from '../compact.js';
import {base64Bytes, capText, placeholder} from '../content.js';
import {isRecord, recordOf, textOf} from '../narrow.js';
import {isSlashCommand} from '../slash-command.js';

/** Where a message stands, and what its events share. */
export interface Place {
	/** Native id or position. */
	readonly key: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly model?: string | undefined;
	readonly state?: 'undone' | undefined;
}

export type Form = Pick<AdapterEvent, 'kind' | 'text'> &
	Partial<Pick<AdapterEvent, 'role' | 'input' | 'messageId' | 'model' | 'tool'>>;

export const eventOf = (
	{key, atMs, locator, state}: Place,
	block: number,
	form: Form,
): AdapterEvent => ({
	...form,
	...capText(form.text),
	...compact({key: eventKey(key, block), atMs, locator, state}),
});

/** A prompt. */
export const promptForm = (text: string, input?: 'headless'): Form => ({
	kind: 'message',
	role: 'user',
	text,
	...compact({input: input ?? (isSlashCommand(text) ? ('command' as const) : undefined)}),
});

/** What is known of a session while its messages are read in order. */
export interface Talk {
	readonly batch: BatchBuilder;
	readonly names: ToolNames;
	/** Nobody types here. */
	readonly isSubagent: boolean;
	/** What a sub-agent was told first. */
	task: string | undefined;
}

/** What is said in the user's role: a prompt, or the task of a sub-agent. */
export const userForm = (text: string, talk: Talk, input?: 'headless'): Form => {
	if (!talk.isSubagent) return promptForm(text, input);
	talk.task ??= text;
	return {kind: 'meta', text};
};

export const replyForm = (text: string, {key, model}: Place): Form => ({
	kind: 'message',
	role: 'assistant',
	text,
	...compact({messageId: eventKey(key), model}),
});

export const reasoningForm = (text: string, {key, model}: Place): Form => ({
	kind: 'reasoning',
	text,
	...compact({messageId: eventKey(key), model}),
});

export interface Call {
	readonly name: string;
	readonly callId: string | undefined;
	readonly args: CallArguments;
}

/** The value of a text that holds JSON; undefined when it does not. Anything else is a value already. */
export const jsonIn = (value: unknown): unknown => {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined; // the caller says what that means for the record
	}
};

/** Arguments as an object, or as a text that holds one; a text of another form is one argument. */
export const argumentsOf = (value: unknown): CallArguments => {
	const parsed = jsonIn(value);
	const text = textOf(value);
	return isRecord(parsed) || text === undefined ? recordOf(parsed) : {input: text};
};

/** Names of the tools by call, so that results can say whose they are. */
export type ToolNames = Map<string, string>;

/** A call; `change` is what it does to the file that its arguments name. */
export const callForm = (
	{name, callId, args}: Call,
	{
		change,
		names,
		place,
	}: {
		readonly change: FileChange | undefined;
		readonly names: ToolNames;
		readonly place: Place;
	},
): Form => {
	if (callId !== undefined) names.set(callId, name);
	return {
		kind: 'tool_use',
		text: callText(args),
		tool: {...callFacts(args, change), ...compact({name, callId})},
		...compact({messageId: eventKey(place.key), model: place.model}),
	};
};

export const resultForm = (
	text: string,
	facts: {
		readonly callId: string | undefined;
		readonly name?: string | undefined;
		readonly isError?: boolean | undefined;
	} & Pick<ToolFacts, 'exitCode' | 'durationMs' | 'agentId'>,
	names: ToolNames,
): Form => ({
	kind: 'tool_result',
	text,
	tool: compact({
		...facts,
		name: facts.name ?? (facts.callId === undefined ? undefined : names.get(facts.callId)),
		isError: facts.isError === true ? true : undefined,
	}),
});

const DATA_URL = /^data:([^;,]*)/;

/** What stands for a picture or another file that is given as an address or as base64. */
export const mediaText = (
	kind: 'image' | 'audio' | 'file',
	{
		url,
		data,
		mediaType,
		name,
	}: {
		readonly url?: unknown;
		readonly data?: unknown;
		readonly mediaType?: unknown;
		readonly name?: unknown;
	},
): string => {
	const address = textOf(url);
	const inline = address?.startsWith('data:') === true ? address : textOf(data);
	const type = textOf(mediaType) ?? textOf(DATA_URL.exec(inline ?? '')?.[1]);
	return placeholder(kind, {
		mediaType: type,
		sizeBytes: inline === undefined ? undefined : base64Bytes(inline),
		name: textOf(name) ?? (inline === undefined && type === undefined ? address : undefined),
	});
};
