/** Reads messages in the form of chat completions, for agents that keep them as they go to the model. */

import type {BatchBuilder} from '../batch.js';
import {entryOf, isRecord, stringOf, textOf} from '../narrow.js';
import {chatCalls, chatContent} from './chat.js';
import {
	callForm,
	eventOf,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
	type ToolNames,
} from './events.js';

/** What is known of the session while its messages are read in order. */
export interface Chat {
	readonly batch: BatchBuilder;
	readonly names: ToolNames;
	readonly isSubagent: boolean;
	hasPrompt: boolean;
	task: string | undefined;
	/** Takes out of a prompt what the agent has put in; gives it as the second text. */
	readonly split: (text: string) => readonly [typed: string, injected: string];
}

export const createChat = (
	batch: BatchBuilder,
	{isSubagent = false, split = text => [text, '']}: Partial<Pick<Chat, 'isSubagent' | 'split'>>,
): Chat => ({batch, names: new Map(), isSubagent, hasPrompt: false, task: undefined, split});

type Json = Readonly<Record<string, unknown>>;

const CONTENT = 0;
const REASONING = 1;
const CALLS = 2;
/** What the agent has put into a prompt. */
const INJECTED = 1;

const textIn = (message: Json, {batch}: Chat): ReturnType<typeof chatContent> => {
	const content = chatContent(message['content']);
	for (const kind of content.unknown) batch.unknown(`part/${kind}`);
	return content;
};

const readUser = (message: Json, place: Place, chat: Chat): void => {
	const {batch} = chat;
	const {text} = textIn(message, chat);
	const [typed, injected] = chat.split(text);
	if (typed.trim() !== '') {
		chat.hasPrompt = true;
		if (chat.isSubagent) chat.task ??= typed;
		const form = chat.isSubagent ? ({kind: 'meta', text: typed} as const) : promptForm(typed);
		batch.event(eventOf(place, CONTENT, form));
	}
	if (injected !== '') batch.event(eventOf(place, INJECTED, {kind: 'meta', text: injected}));
};

const readAssistant = (message: Json, place: Place, chat: Chat): void => {
	const {batch, names} = chat;
	const {text, thoughts} = textIn(message, chat);
	const reasoning = textOf(thoughts) ?? textOf(message['reasoning_content']);
	if (reasoning !== undefined)
		batch.event(eventOf(place, REASONING, reasoningForm(reasoning, place)));
	if (text.trim() !== '') batch.event(eventOf(place, CONTENT, replyForm(text, place)));
	const calls = chatCalls(message['tool_calls'] ?? message['toolCalls']);
	for (const [index, call] of calls.entries())
		batch.event(eventOf(place, CALLS + index, callForm(call, {change: undefined, names, place})));
};

const readTool = (message: Json, place: Place, chat: Chat): void => {
	const callId = textOf(message['tool_call_id']) ?? textOf(message['toolCallId']);
	const name = textOf(message['name']);
	const {text} = textIn(message, chat);
	chat.batch.event(eventOf(place, CONTENT, resultForm(text, {callId, name}, chat.names)));
};

/** Before the first prompt it is the system prompt. */
const readSystem = (message: Json, place: Place, chat: Chat): void => {
	const {text} = textIn(message, chat);
	if (chat.hasPrompt && text.trim() !== '')
		chat.batch.event(eventOf(place, CONTENT, {kind: 'meta', text}));
};

const ROLES: Readonly<Record<string, (message: Json, place: Place, chat: Chat) => void>> = {
	assistant: readAssistant,
	system: readSystem,
	tool: readTool,
	user: readUser,
};

/** Emits the events of a message; what is none is a problem, an unknown role is counted. */
export const readChatMessage = (message: unknown, place: Place, chat: Chat): void => {
	if (!isRecord(message)) {
		const detail = 'the message is no JSON object';
		chat.batch.problem({code: 'bad-record', where: `message ${place.key}`, detail});
		return;
	}
	const role = stringOf(message['role']) ?? 'none';
	const read = entryOf(ROLES, role);
	if (read === undefined) chat.batch.unknown(`role/${role.slice(0, 80)}`);
	else read(message, place, chat);
};
