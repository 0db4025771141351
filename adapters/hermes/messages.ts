/** Messages of a session: rows of the database, or records of the older transcripts, under the same names. */

import type {BatchBuilder} from '../shared/batch.js';
import type {Changes} from '../shared/calls/changes.js';
import {entryOf, stringOf, textOf} from '../shared/narrow.js';
import {type ChatContent, chatCalls, chatContent} from '../shared/rows/chat.js';
import {
	callForm,
	eventOf,
	type Form,
	jsonIn,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
	type Talk as SharedTalk,
} from '../shared/rows/events.js';
import {isCompaction, originOf} from './prompts.js';

const CHANGES: Changes = {read_file: 'read', write_file: 'write', patch: 'edit'};

/** What is known of the session while its messages are read in order. */
export interface Talk extends SharedTalk {
	/** A scheduler or a script talks. */
	readonly isHeadless: boolean;
	hasPrompt: boolean;
	/** The next reply answers a review of the agent's own, not the user. */
	isReview: boolean;
}

export const createTalk = (
	batch: BatchBuilder,
	{isSubagent, isHeadless}: Pick<Talk, 'isSubagent' | 'isHeadless'>,
): Talk => ({
	batch,
	names: new Map(),
	isSubagent,
	isHeadless,
	hasPrompt: false,
	isReview: false,
	task: undefined,
});

type Json = Readonly<Record<string, unknown>>;

/** Content that is no plain text begins so. */
const STRUCTURED = '\u0000json:';

const contentOf = (message: Json, {batch}: Talk): ChatContent => {
	const stored = message['content'];
	const text = stringOf(stored);
	const content = chatContent(
		text?.startsWith(STRUCTURED) === true ? jsonIn(text.slice(STRUCTURED.length)) : stored,
	);
	for (const kind of content.unknown) batch.unknown(`part/${kind}`);
	return content;
};

const CONTENT = 0;
const REASONING = 1;
const CALLS = 2;

const isSet = (value: unknown): boolean => value === 1 || value === true;

/** What a text in the user's role is. */
const userForms = (message: Json, text: string, talk: Talk): readonly Form[] => {
	const meta: Form = {kind: 'meta', text};
	if (isSet(message['observed']) || message['display_kind'] === 'hidden') return [meta];
	const origin = originOf(text);
	if (origin.kind === 'summary' || isSet(message['_compressed_summary']))
		return [{kind: 'summary', text}];
	if (talk.isSubagent) {
		talk.task ??= text;
		return [meta];
	}
	talk.isReview = origin.kind === 'review';
	if (talk.isReview) return [meta];
	if (origin.kind === 'typed') return [promptForm(text, talk.isHeadless ? 'headless' : undefined)];
	const instruction = origin.kind === 'skill' ? origin.instruction : undefined;
	return instruction === undefined
		? [meta]
		: [{...promptForm(instruction), input: 'command'}, meta];
};

const readUser = (message: Json, place: Place, talk: Talk): void => {
	const {text} = contentOf(message, talk);
	if (text.trim() === '') return;
	for (const [block, form] of userForms(message, text, talk).entries())
		talk.batch.event(eventOf(place, block, form));
	talk.hasPrompt = true;
};

const replyOf = (message: Json, text: string, place: Place, talk: Talk): Form => {
	const isSummary = isSet(message['_compressed_summary']) || isCompaction(text);
	if (isSummary) return {kind: 'summary', text};
	const isHidden = talk.isReview || message['display_kind'] === 'hidden';
	return isHidden ? {kind: 'meta', text} : replyForm(text, place);
};

const readAssistant = (message: Json, place: Place, talk: Talk): void => {
	const {batch, names} = talk;
	const {text, thoughts} = contentOf(message, talk);
	const reasoning =
		textOf(message['reasoning']) ?? textOf(message['reasoning_content']) ?? textOf(thoughts);
	if (reasoning !== undefined)
		batch.event(eventOf(place, REASONING, reasoningForm(reasoning, place)));
	if (text.trim() !== '') batch.event(eventOf(place, CONTENT, replyOf(message, text, place, talk)));
	for (const [index, call] of chatCalls(jsonIn(message['tool_calls'])).entries())
		batch.event(
			eventOf(
				place,
				CALLS + index,
				callForm(call, {change: entryOf(CHANGES, call.name), names, place}),
			),
		);
	if (text.trim() !== '') talk.isReview = false;
};

const readTool = (message: Json, place: Place, talk: Talk): void => {
	const {batch, names} = talk;
	const {text} = contentOf(message, talk);
	const callId = textOf(message['tool_call_id']);
	const name = textOf(message['tool_name']);
	batch.event(eventOf(place, CONTENT, resultForm(text, {callId, name}, names)));
};

/** Before the first prompt it is the system prompt. */
const readSystem = (message: Json, place: Place, talk: Talk): void => {
	const {batch, hasPrompt} = talk;
	const {text} = contentOf(message, talk);
	if (hasPrompt && text.trim() !== '') batch.event(eventOf(place, CONTENT, {kind: 'meta', text}));
};

const ROLES: Readonly<Record<string, (message: Json, place: Place, talk: Talk) => void>> = {
	assistant: readAssistant,
	system: readSystem,
	tool: readTool,
	user: readUser,
};

export const readMessage = (message: Json, place: Place, talk: Talk): void => {
	const role = stringOf(message['role']) ?? 'none';
	const read = entryOf(ROLES, role);
	if (read === undefined) talk.batch.unknown(`role/${role.slice(0, 80)}`);
	else read(message, place, talk);
};
