/** Blocks of a message: each is a text, a thought, a call, a result or a notice. */

import type {Changes} from '../shared/calls/changes.js';
import {jsonText} from '../shared/content.js';
import {at, entryOf, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	reasoningForm,
	replyForm,
	resultForm,
	type Talk as SharedTalk,
	userForm,
} from '../shared/rows/events.js';

/** What is known of the session while its messages are read in order. */
export interface Talk extends SharedTalk {
	/** Started by a schedule. */
	readonly isScheduled: boolean;
}

export interface Message {
	readonly place: Place;
	readonly isUser: boolean;
	/** Meant for the model only: what a compaction has written. */
	readonly isHidden: boolean;
	readonly talk: Talk;
}

type Block = Readonly<Record<string, unknown>>;

const textForm = (text: string, {isUser, isHidden, place, talk}: Message): Form => {
	if (isHidden) return {kind: 'summary', text};
	if (!isUser) return replyForm(text, place);
	return userForm(text, talk, talk.isScheduled ? 'headless' : undefined);
};

/** Tools of the extension `developer` that change files. */
const CHANGES: Changes = {
	developer__edit: 'edit',
	developer__read: 'read',
	developer__write: 'write',
};
/** Its editor says in `command` what it does. */
const EDITOR = /(?:^|__)text_editor$/;
const EDITOR_CHANGES: Changes = {
	create: 'create',
	insert: 'edit',
	str_replace: 'edit',
	undo_edit: 'edit',
	view: 'read',
	write: 'write',
};

/** `{status, value: {name, arguments}}`; the same without a status occurs. One that could not be understood has only an error. */
const requestForm = (block: Block, {talk, place}: Message): Form => {
	const request = recordOf(block['toolCall']);
	const body = isRecord(request['value']) ? request['value'] : request;
	const call = {
		name: textOf(body['name']) ?? 'unknown',
		callId: textOf(block['id']) ?? textOf(body['id']),
		args: argumentsOf(body['arguments']),
	};
	const {names} = talk;
	const error = textOf(request['error']);
	if (error !== undefined)
		return {...callForm(call, {change: undefined, names, place}), text: error};
	const {command, ...args} = call.args;
	if (!EDITOR.test(call.name) || typeof command !== 'string')
		return callForm(call, {change: entryOf(CHANGES, call.name), names, place});
	return callForm({...call, args}, {change: entryOf(EDITOR_CHANGES, command), names, place});
};

const outputText = (output: unknown): string => {
	if (typeof output === 'string') return output;
	const item = recordOf(output);
	if (item['type'] === 'image') return mediaText('image', imageOf(item));
	return stringOf(item['text']) ?? textOf(at(item, 'resource', 'text')) ?? jsonText(output);
};

const imageOf = ({data, mimeType}: Block) => ({data, mediaType: mimeType});

/** `{status, value: {content, isError}}`; older ones have the content as value, or no status. */
const responseForm = (block: Block, {talk}: Message): Form => {
	const result = recordOf(block['toolResult']);
	const value = result['value'] ?? result;
	const content = isRecord(value) ? value['content'] : value;
	const error = textOf(result['error']);
	const text = error ?? listOf(content).map(outputText).join('\n');
	const isError = result['status'] === 'error' || at(value, 'isError') === true;
	const callId = textOf(block['id']) ?? textOf(block['toolCallId']);
	return resultForm(text, {callId, isError}, talk.names);
};

const noticeForm = (text: string | undefined): Form | undefined =>
	text === undefined ? undefined : {kind: 'meta', text};

const actionForm = (block: Block): Form | undefined =>
	noticeForm(isRecord(block['data']) ? jsonText(block['data']) : undefined);

const confirmationForm = ({toolName, prompt}: Block): Form | undefined =>
	noticeForm(textOf(prompt) ?? textOf(toolName));

const BLOCKS: Readonly<Record<string, (block: Block, message: Message) => Form | undefined>> = {
	actionRequired: actionForm,
	conversationCompacted: ({msg}) => noticeForm(textOf(msg) ?? 'conversation compacted'),
	frontendToolRequest: requestForm,
	image: (block, message) => textForm(mediaText('image', imageOf(block)), message),
	redactedThinking: () => undefined,
	systemNotification: ({msg}) => noticeForm(textOf(msg)),
	text({text}, message) {
		const said = textOf(text);
		return said === undefined ? undefined : textForm(said, message);
	},
	thinking({thinking}, {place}) {
		const thought = textOf(thinking);
		return thought === undefined ? undefined : reasoningForm(thought, place);
	},
	toolConfirmationRequest: confirmationForm,
	toolRequest: requestForm,
	toolResponse: responseForm,
};

/** Pictures that stand behind a text belong to it: a prompt is one message. */
const isPicture = (block: unknown): boolean => at(block, 'type') === 'image';

const withPictures = (text: string, blocks: readonly unknown[]): string =>
	[text, ...blocks.map(block => mediaText('image', imageOf(recordOf(block))))].join('\n');

/** Emits the events of a message, block by block. */
export const readBlocks = (blocks: readonly unknown[], message: Message): void => {
	const {place, talk} = message;
	const isSpoken = blocks.findIndex(block => at(block, 'type') === 'text');
	for (const [index, item] of blocks.entries()) {
		const block = recordOf(item);
		const type = stringOf(block['type']) ?? 'none';
		const read = entryOf(BLOCKS, type);
		if (read === undefined) talk.batch.unknown(`block/${type.slice(0, 80)}`);
		if (isSpoken !== -1 && isPicture(block)) continue;
		const form = read?.(block, message);
		if (form === undefined) continue;
		const text = index === isSpoken ? withPictures(form.text, blocks.filter(isPicture)) : form.text;
		talk.batch.event(eventOf(place, index, {...form, text}));
	}
};
