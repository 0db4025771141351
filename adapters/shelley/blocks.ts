/** Content of a message: blocks whose kinds are numbers. */

import type {Changes} from '../shared/calls/changes.js';
import {jsonText} from '../shared/content.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
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
import {timeMs} from '../shared/time.js';

/** What is known of the session while its messages are read in order. */
export interface Talk extends SharedTalk {
	/** Rises with each compaction. */
	generation: number;
	/** The next text in the user's role opens a new generation: it is the distilled summary. */
	isDistilled: boolean;
	hasPrompt: boolean;
}

export interface Message {
	readonly type: string;
	readonly place: Place;
	readonly talk: Talk;
}

type Block = Readonly<Record<string, unknown>>;

const TEXT = 2;
const THINKING = 3;
const REDACTED = 4;
const TOOL_USE = 5;
const TOOL_RESULT = 6;
const SERVER_TOOL_USE = 7;
const SEARCH_RESULTS = 8;
const SEARCH_RESULT = 9;

const isMedia = (block: Block): boolean => textOf(block['MediaType']) !== undefined;

const mediaOf = ({MediaType: mediaType, Data: data}: Block): string =>
	mediaText('image', {mediaType, data});

const blockText = (item: unknown): string => {
	const block = recordOf(item);
	if (isMedia(block)) return mediaOf(block);
	const title = [block['Title'], block['URL']].map(textOf).filter(text => text !== undefined);
	return stringOf(block['Text']) ?? (title.length > 0 ? title.join(' ') : jsonText(item));
};

const userTextForm = (text: string, {talk}: Message): Form => {
	if (talk.isDistilled) {
		talk.isDistilled = false;
		return {kind: 'summary', text};
	}
	talk.hasPrompt = true;
	return userForm(text, talk);
};

const textForm = (text: string, message: Message): Form => {
	if (message.type === 'agent') return replyForm(text, message.place);
	return message.type === 'user' ? userTextForm(text, message) : {kind: 'meta', text};
};

const CHANGES: Changes = {patch: 'edit', read: 'read'};

/** `patch` has its replacements in a list. */
const called = (block: Block, {talk: {names}, place}: Message): Form => {
	const {patches, ...args} = argumentsOf(block['ToolInput']);
	const name = textOf(block['ToolName']) ?? 'unknown';
	return callForm(
		{
			name,
			callId: textOf(block['ID']),
			args: Array.isArray(patches) ? {...args, edits: patches} : {...args},
		},
		{change: entryOf(CHANGES, name), names, place},
	);
};

const durationOf = (block: Block): {readonly durationMs?: number} => {
	const [start, end] = [block['ToolUseStartTime'], block['ToolUseEndTime']].map(timeMs);
	return start === undefined || end === undefined || end < start ? {} : {durationMs: end - start};
};

const answered = (block: Block, {talk: {names}}: Message): Form =>
	resultForm(
		listOf(block['ToolResult']).map(blockText).join('\n'),
		{
			callId: textOf(block['ToolUseID']),
			isError: block['ToolError'] === true,
			...durationOf(block),
		},
		names,
	);

const BLOCKS: ReadonlyMap<unknown, (block: Block, message: Message) => Form | undefined> = new Map([
	[
		TEXT,
		(block: Block, message: Message) => {
			const text = isMedia(block) ? mediaOf(block) : textOf(block['Text']);
			return text === undefined ? undefined : textForm(text, message);
		},
	],
	[
		THINKING,
		({Thinking: thinking}: Block, {place}: Message) => {
			const thought = textOf(thinking);
			return thought === undefined ? undefined : reasoningForm(thought, place);
		},
	],
	[REDACTED, () => undefined],
	[TOOL_USE, called],
	[TOOL_RESULT, answered],
	[SERVER_TOOL_USE, called],
	[SEARCH_RESULTS, answered],
	[
		SEARCH_RESULT,
		(block: Block, {talk}: Message) =>
			resultForm(blockText(block), {callId: undefined}, talk.names),
	],
]);

const isText = (block: Block): boolean =>
	block['Type'] === TEXT && !isMedia(block) && textOf(block['Text']) !== undefined;

/** Emits the events of a message, block by block. Pictures belong to its text: a prompt is one message. */
export const readBlocks = (content: readonly unknown[], message: Message): void => {
	const {place, talk} = message;
	const blocks = content.map(recordOf);
	const pictures = blocks.filter(block => block['Type'] === TEXT && isMedia(block));
	const spoken = blocks.findIndex(isText);
	for (const [index, block] of blocks.entries()) {
		if (spoken !== -1 && pictures.includes(block)) continue;
		const type = block['Type'];
		const read = BLOCKS.get(type);
		if (read === undefined) talk.batch.unknown(`block/${jsonText(type).slice(0, 80)}`);
		const form = read?.(block, message);
		if (form === undefined) continue;
		const text = index === spoken ? [form.text, ...pictures.map(mediaOf)].join('\n') : form.text;
		talk.batch.event(eventOf(place, index, {...form, text}));
	}
};

/** What a notice says: a text of its own, or what the page shows of it. */
export const noticeText = (userData: unknown): string | undefined =>
	textOf(at(userData, 'text')) ?? textOf(at(userData, 'message'));
