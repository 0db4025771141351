/** Messages, and the parts that they are made of. */

import {type AdapterEvent, eventKey, type Locator, type Usage} from '../model.js';
import {commonChange} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {jsonText, oneLine} from '../shared/content.js';
import {at, countOf, isRecord, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
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
import {timeMs} from '../shared/time.js';

export interface Message {
	readonly record: Readonly<Record<string, unknown>>;
	readonly key: string;
	readonly locator: Locator;
}

/** What is shared by all messages of a talk. */
export interface Talk {
	/** The first message of a sub-agent is its task: nobody typed it. */
	readonly isSubagent: boolean;
	readonly names: Map<string, string>;
	/** Task, calls and results that were given already: a call may stand in two messages, first without its result. */
	readonly given: Set<string>;
	readonly unknown: (kind: string) => void;
}

const metaOf = ({record}: Message, name: string): unknown => at(record, 'metadata', name);

export const sequenceOf = (message: Message): number =>
	numberOf(metaOf(message, 'historySequence')) ?? Number.POSITIVE_INFINITY;

export const modelOf = (message: Message): string | undefined => textOf(metaOf(message, 'model'));

const placeOf = (message: Message): Place => ({
	key: message.key,
	atMs: timeMs(metaOf(message, 'timestamp')) ?? timeMs(message.record['createdAt']),
	locator: message.locator,
	model: modelOf(message),
});

const SNAPSHOTS = ['agentSkillSnapshot', 'mcpPromptSnapshot', 'fileAtMentionSnapshot'] as const;
const KINDS: ReadonlySet<unknown> = new Set(['goal_continuation', 'goal_budget_limit']);
const REQUESTS: ReadonlySet<unknown> = new Set(['compaction-request', 'heartbeat-request']);

/** By the program's own marks. */
const isInjected = (message: Message): boolean =>
	(metaOf(message, 'synthetic') === true && metaOf(message, 'uiVisible') !== true) ||
	SNAPSHOTS.some(name => metaOf(message, name) !== undefined) ||
	KINDS.has(metaOf(message, 'kind')) ||
	REQUESTS.has(at(message.record, 'metadata', 'muxMetadata', 'type'));

const isSummary = (message: Message): boolean => {
	const compacted = metaOf(message, 'compacted');
	const isCompacted = compacted !== undefined && compacted !== null && compacted !== false;
	return metaOf(message, 'compactionBoundary') === true || isCompacted;
};

/** True once in a sub-agent: what comes behind its task is typed. */
const isTask = ({isSubagent, given}: Talk): boolean => {
	if (!isSubagent || given.has('task')) return false;
	given.add('task');
	return true;
};

const wordsForm = (text: string, message: Message, talk: Talk): Form => {
	const {role} = message.record;
	if (role === 'assistant') {
		if (isSummary(message)) return {kind: 'summary', text};
		return replyForm(text, placeOf(message));
	}
	if (role !== 'user' || isInjected(message) || isTask(talk)) return {kind: 'meta', text};
	return promptForm(text);
};

type Parts = readonly (readonly [block: string, form: Form])[];

/** Gives what was not given yet. */
const once = ({given}: Talk, mark: string, parts: () => Parts): Parts => {
	if (given.has(mark)) return [];
	given.add(mark);
	return parts();
};

const outputText = (output: unknown): string => {
	const text = stringOf(output) ?? stringOf(at(output, 'output'));
	return text ?? (output === undefined ? '' : jsonText(output));
};

const resultPart = (part: unknown, callId: string | undefined, names: Talk['names']): Form => {
	const output = at(part, 'output');
	const isError = at(part, 'failed') === true || at(output, 'success') === false;
	const exitCode = numberOf(at(output, 'exitCode'));
	const text = at(part, 'state') === 'output-redacted' ? '[redacted]' : outputText(output);
	return resultForm(text, {callId, isError, ...compact({exitCode})}, names);
};

const DONE: ReadonlySet<unknown> = new Set(['output-available', 'output-redacted']);

/** A command stands in `script`. */
const argumentsIn = (input: unknown) => {
	const args = argumentsOf(input);
	const {script, ...others} = args;
	return typeof script === 'string' ? {command: script, ...others} : args;
};

const toolParts = (part: unknown, block: string, message: Message, talk: Talk): Parts => {
	const name = textOf(at(part, 'toolName')) ?? 'unknown';
	const callId = textOf(at(part, 'toolCallId'));
	const place = placeOf(message);
	const mark = callId ?? `${message.key} ${block}`;
	const call = {name, callId, args: argumentsIn(at(part, 'input'))};
	const about = {change: commonChange(name), names: talk.names, place};
	const isDone = DONE.has(at(part, 'state'));
	return [
		...once(talk, `call ${mark}`, () => [[block, callForm(call, about)]]),
		...(isDone
			? once(talk, `result ${mark}`, () => [
					[`${block}-result`, resultPart(part, callId, talk.names)],
				])
			: []),
		...listOf(at(part, 'nestedCalls')).flatMap((nested, index) =>
			toolParts(nested, `${block}-${index}`, message, talk),
		),
	];
};

const fileText = (part: unknown): string => {
	const mediaType = at(part, 'mediaType');
	const kind = String(mediaType).startsWith('image') ? 'image' : 'file';
	return mediaText(kind, {url: at(part, 'url'), mediaType, name: at(part, 'filename')});
};

const isWords = (part: unknown): boolean => ['text', 'file'].includes(String(at(part, 'type')));

const partForms = (part: unknown, block: string, message: Message, talk: Talk): Parts => {
	const type = textOf(at(part, 'type')) ?? 'none';
	if (type === 'dynamic-tool') return toolParts(part, block, message, talk);
	const text = type === 'file' ? fileText(part) : (stringOf(at(part, 'text')) ?? '');
	if (text.trim() === '') return [];
	if (type === 'reasoning') return [[block, reasoningForm(text, placeOf(message))]];
	if (isWords(part)) return [[block, wordsForm(text, message, talk)]];
	talk.unknown(`part/${oneLine(type, 80)}`);
	return [];
};

/** Words and files of a user are one text, at the place of the first. */
const joinedParts = (message: Message): readonly unknown[] => {
	const parts = listOf(message.record['parts']);
	const words = parts.filter(isWords);
	if (message.record['role'] === 'assistant' || words.length < 2) return parts;
	const texts = words.map(part =>
		at(part, 'type') === 'file' ? fileText(part) : stringOf(at(part, 'text')),
	);
	const joined = {type: 'text', text: texts.join('\n')};
	return parts.map(part => (part === words[0] ? joined : isWords(part) ? {type: 'text'} : part));
};

const noteForm = (message: Message): Parts => {
	const error = textOf(metaOf(message, 'error'));
	if (error !== undefined) return [['error', {kind: 'meta', text: error}]];
	const isReset = metaOf(message, 'contextBoundaryKind') === 'reset';
	return isReset ? [['reset', {kind: 'summary', text: 'context reset'}]] : [];
};

export const messageEvents = (message: Message, talk: Talk): readonly AdapterEvent[] => {
	const place = placeOf(message);
	const parts = joinedParts(message).flatMap((part, index) =>
		partForms(part, `${index}`, message, talk),
	);
	return [...parts, ...noteForm(message)].map(([block, form]) => ({
		...eventOf(place, 0, form),
		key: block === '0' ? eventKey(place.key) : `${eventKey(place.key)}.${block}`,
	}));
};

export const usageOf = (message: Message): Usage | undefined => {
	const usage = metaOf(message, 'usage');
	if (!isRecord(usage)) return undefined;
	const count = (name: string): number => countOf(usage[name]);
	const cacheRead = count('cachedInputTokens');
	const {atMs, model} = placeOf(message);
	return compact({
		key: eventKey(message.key),
		input: Math.max(0, count('inputTokens') - cacheRead),
		output: count('outputTokens'),
		cacheRead,
		cacheWrite: 0,
		reasoning: numberOf(usage['reasoningTokens']),
		model,
		atMs,
	});
};
