/** Messages of a session: prompts, what is put into the user's mouth, answers, calls and results. */

import type {AdapterEvent} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {oneLine} from '../shared/content.js';
import {at, listOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	promptForm,
	reasoningForm,
	replyForm,
	resultForm,
} from '../shared/rows/events.js';

type Json = Readonly<Record<string, unknown>>;

export interface Message {
	readonly record: Json;
	readonly place: Place;
	/** Nobody types into a sub-agent. */
	readonly isSubagent: boolean;
	/** An injected message here is the summary that a compaction left. */
	readonly isFirstOfContinuation: boolean;
	readonly unknown: (kind: string) => void;
}

/** Tool rows have no id but that of their call, which the call itself has as well. */
export const keyOf = (record: Json, number: number): string => {
	const callId = record['role'] === 'tool' ? textOf(record['tool_call_id']) : undefined;
	const named = callId === undefined ? undefined : `${callId}-result`;
	return textOf(record['message_id']) ?? named ?? `L${number}`;
};

const textIn = (content: unknown): string =>
	typeof content === 'string'
		? content
		: listOf(content)
				.map(part => stringOf(part) ?? stringOf(at(part, 'text')) ?? '')
				.join('\n');

/** Before there was a mark (1.x). */
const INJECTED = /^\s*<(?:vibe_\w+|system-reminder|user_cancellation)>/;

const images = (record: Json): readonly string[] =>
	listOf(record['images']).map(image =>
		mediaText('image', {
			url: at(image, 'url'),
			data: at(image, 'data'),
			mediaType: at(image, 'mime_type'),
		}),
	);

/** What was typed, where it differs from what was sent. */
const typedText = (record: Json): string => {
	const shown = record['user_display_content'];
	return textOf(shown) ?? textOf(at(shown, 'text')) ?? textIn(record['content']);
};

const userForm = ({record, isSubagent, isFirstOfContinuation}: Message): Form | undefined => {
	const sent = textIn(record['content']);
	if (record['injected'] === true || (record['injected'] === undefined && INJECTED.test(sent))) {
		return {kind: isFirstOfContinuation ? 'summary' : 'meta', text: sent};
	}
	const text = [typedText(record), ...images(record)].filter(part => part.trim() !== '').join('\n');
	if (text === '') return undefined;
	return isSubagent ? {kind: 'meta', text} : promptForm(text);
};

const callOf = (call: unknown, place: Place): Form => {
	const name = textOf(at(call, 'function', 'name')) ?? 'unknown';
	const args = argumentsOf(at(call, 'function', 'arguments'));
	const callId = textOf(at(call, 'id'));
	return callForm({name, callId, args}, {change: commonChange(name), names: new Map(), place});
};

/** Text first, then reasoning, then the calls: an answer that grows keeps its keys. */
const answerForms = ({record, place}: Message): readonly (Form | undefined)[] => {
	const said = textOf(textIn(record['content']));
	const thought = textOf(record['reasoning_content']);
	return [
		said === undefined ? undefined : replyForm(said, place),
		thought === undefined ? undefined : reasoningForm(thought, place),
		...listOf(record['tool_calls']).map(call => callOf(call, place)),
	];
};

const resultOf = ({record}: Message): Form => {
	const facts = {callId: textOf(record['tool_call_id']), name: textOf(record['name'])};
	return resultForm(textIn(record['content']), facts, new Map());
};

/** Thoughts come before what is said, whatever their blocks are. */
const ORDER: Readonly<Record<string, number>> = {reasoning: 0, message: 1};

export const messageEvents = (message: Message): readonly AdapterEvent[] => {
	const {record, place} = message;
	const {role} = record;
	const formsOf = (): readonly (Form | undefined)[] => {
		if (role === 'user') return [userForm(message)];
		if (role === 'assistant') return answerForms(message);
		if (role === 'tool') return [resultOf(message)];
		message.unknown(`role/${oneLine(String(role), 80)}`);
		return [];
	};
	const events = formsOf().flatMap((form, block) =>
		form === undefined || (form.kind !== 'tool_result' && form.text.trim() === '')
			? []
			: [eventOf(place, block, form)],
	);
	return events.toSorted((a, b) => (ORDER[a.kind] ?? 2) - (ORDER[b.kind] ?? 2));
};
