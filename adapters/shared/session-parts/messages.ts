/** Messages and their parts as events. */

import {type AdapterEvent, eventKey} from '../../model.js';
import type {BatchBuilder} from '../batch.js';
import {compact} from '../compact.js';
import {capText} from '../content.js';
import {at, stringOf, textOf} from '../narrow.js';
import {timeMs} from '../time.js';
import {fileText, isMentioned} from './files.js';
import type {Json, StoredMessage, StoredPart} from './records.js';
import {toolEvents} from './tools.js';
import type {IsUndone} from './undone.js';
import {modelOf} from './usage.js';

/** What is known of a session while its messages are read. */
export interface Talk {
	readonly batch: BatchBuilder;
	readonly isSubagent: boolean;
	readonly isUndone: IsUndone;
	readonly summaryIds: ReadonlySet<string>;
	/** A typed prompt without what the agent has put around it. */
	readonly typedText: (text: string) => string;
}

export interface Message {
	readonly id: string;
	readonly data: Json;
	readonly role: string;
	readonly atMs: number | undefined;
	readonly isSummary: boolean;
	readonly isUndone: boolean;
}

type PartReader = (part: StoredPart, message: Message, talk: Talk) => readonly AdapterEvent[];
type OwnFields = Pick<AdapterEvent, 'kind' | 'text'> &
	Partial<Pick<AdapterEvent, 'role' | 'input' | 'messageId' | 'model'>>;

const partEvent = (part: StoredPart, message: Message, fields: OwnFields): AdapterEvent =>
	compact({
		...fields,
		key: eventKey(part.id),
		// The times of the rows say when they were written, which an import does anew.
		atMs: timeMs(at(part.data, 'time', 'start')) ?? message.atMs,
		locator: part.locator,
	});

const metaEvent = (part: StoredPart, message: Message, text: string): readonly AdapterEvent[] =>
	text.trim() === '' ? [] : [partEvent(part, message, {kind: 'meta', text})];

const partText = ({data}: StoredPart): string => stringOf(data['text']) ?? '';

const replyFields = ({id, data}: Message) =>
	compact({messageId: eventKey(id), model: modelOf(data)});

const reply = (part: StoredPart, message: Message, text: string): readonly AdapterEvent[] => {
	if (text.trim() === '') return [];
	if (message.isSummary) return [partEvent(part, message, {kind: 'summary', text})];
	return [
		partEvent(part, message, {kind: 'message', role: 'assistant', text, ...replyFields(message)}),
	];
};

const reasoning: PartReader = (part, message) => {
	const text = partText(part);
	if (text.trim() === '') return [];
	return [partEvent(part, message, {kind: 'reasoning', text, ...replyFields(message)})];
};

const tool: PartReader = (part, message) =>
	toolEvents(part).map(event =>
		compact({
			atMs: message.atMs,
			...event,
			...(event.kind === 'tool_use' ? replyFields(message) : {}),
		}),
	);

const compaction: PartReader = (part, message) =>
	metaEvent(part, message, part.data['auto'] === true ? 'compacted (auto)' : 'compacted');

/** A command that runs as a sub-agent: the task is made of a template. */
const subtask: PartReader = (part, message) => {
	const {command, description, prompt} = part.data;
	const name = textOf(command);
	const texts = [name && `/${name}`, textOf(description), textOf(prompt)];
	return metaEvent(part, message, texts.filter(Boolean).join('\n'));
};

const nothing: PartReader = () => [];

/** What a part holds, whoever the message is from. */
const PARTS: ReadonlyMap<string, PartReader> = new Map([
	['reasoning', reasoning],
	['tool', tool],
	['compaction', compaction],
	['subtask', subtask],
	...['agent', 'patch', 'retry', 'snapshot', 'step-finish', 'step-start', 'timeline'].map(
		type => [type, nothing] as const,
	),
]);

const ASSISTANT_PARTS: ReadonlyMap<string, PartReader> = new Map([
	...PARTS,
	[
		'text',
		(part, message) => (part.data['ignored'] === true ? [] : reply(part, message, partText(part))),
	],
	['file', (part, message) => reply(part, message, fileText(part.data))],
]);

/** Of a message that nobody typed, or whose row is damaged. */
const OTHER_PARTS: ReadonlyMap<string, PartReader> = new Map([
	...PARTS,
	['text', (part, message) => metaEvent(part, message, partText(part))],
	['file', (part, message) => metaEvent(part, message, fileText(part.data))],
]);

const typeOf = ({data}: StoredPart): string => stringOf(data['type']) ?? '';

const readParts = (
	readers: ReadonlyMap<string, PartReader>,
	parts: Iterable<StoredPart>,
	message: Message,
	talk: Talk,
): readonly AdapterEvent[] =>
	[...parts].flatMap(part => {
		const reader = readers.get(typeOf(part));
		if (reader === undefined) talk.batch.unknown(`part/${typeOf(part)}`);
		return reader?.(part, message, talk) ?? [];
	});

/** `<system-reminder>` is put in by plug-ins, and by versions of ZCode that marked nothing. */
const isInjected = (part: StoredPart): boolean =>
	part.data['synthetic'] === true ||
	part.data['ignored'] === true ||
	partText(part).trimStart().startsWith('<system-reminder>');

const TYPED_KINDS: ReadonlyMap<string, 'typed' | 'command'> = new Map([
	['user_prompt', 'typed'],
	['slash_command', 'command'],
]);

/** Who a user message is from; undefined: nobody typed it. ZCode states it, OpenCode only marks parts. */
const inputOf = ({data}: Message, {isSubagent}: Talk): 'typed' | 'command' | undefined => {
	const semantics = data['semantics'];
	const isHidden = data['visibility'] === 'hidden' || at(semantics, 'uiVisibility') === 'hidden';
	if (isSubagent || data['synthetic'] === true || isHidden) return undefined;
	if (semantics === undefined) return 'typed';
	if (at(semantics, 'origin') !== 'real_user') return undefined;
	return TYPED_KINDS.get(stringOf(at(semantics, 'kind')) ?? '');
};

/** A prompt is one event, however many parts it has: texts, and files that stand in for themselves. */
const promptEvents = (
	parts: readonly StoredPart[],
	message: Message,
	talk: Talk,
): readonly AdapterEvent[] => {
	const input = inputOf(message, talk);
	const texts = parts.filter(part => typeOf(part) === 'text');
	const typed = texts.filter(part => !isInjected(part));
	const files = parts.filter(part => typeOf(part) === 'file');
	const own = typed.length > 0 || texts.length === 0 ? [...typed, ...files] : [];
	const [first] = own;
	if (input === undefined || first === undefined) {
		return readParts(OTHER_PARTS, parts, message, talk);
	}
	const spoken = talk.typedText(typed.map(partText).join('\n'));
	const shown = files
		.filter(({data}) => !isMentioned(data, spoken))
		.map(({data}) => fileText(data));
	const text = [spoken, ...shown].filter(line => line.trim() !== '').join('\n');
	const role = 'user' as const;
	const prompt = partEvent(first, message, {kind: 'message', role, text, input});
	const isOwn = new Set(own);
	return parts.flatMap(part => {
		if (part === first) return text === '' ? [] : [prompt];
		return isOwn.has(part) ? [] : readParts(OTHER_PARTS, [part], message, talk);
	});
};

/** Why there is no answer: only where there is nothing else to show. */
const errorEvents = (stored: StoredMessage, message: Message): readonly AdapterEvent[] => {
	const error = message.data['error'];
	const detail = textOf(at(error, 'data', 'message')) ?? textOf(at(error, 'message'));
	const text = [textOf(at(error, 'name')), detail].filter(Boolean).join(': ');
	if (text === '') return [];
	const {id, locator} = stored;
	return [compact({key: eventKey(id), kind: 'meta' as const, text, atMs: message.atMs, locator})];
};

const assistantEvents = (
	stored: StoredMessage,
	message: Message,
	talk: Talk,
): readonly AdapterEvent[] => {
	const events = readParts(ASSISTANT_PARTS, stored.parts(), message, talk);
	return events.length > 0 ? events : errorEvents(stored, message);
};

const userEvents = (
	stored: StoredMessage,
	message: Message,
	talk: Talk,
): readonly AdapterEvent[] =>
	message.isSummary
		? readParts(ASSISTANT_PARTS, stored.parts(), message, talk)
		: promptEvents([...stored.parts()], message, talk);

const ROLES: ReadonlyMap<string, typeof userEvents> = new Map([
	['user', userEvents],
	['assistant', assistantEvents],
]);

/** An attempt that ZCode threw away when the stream broke, and made anew. */
const isDiscarded = (data: Json): boolean =>
	at(data, 'error', 'name') === 'StreamRecoveryDiscarded' ||
	data['finish'] === 'stream_recovery_discarded';

const isSummary = ({id}: StoredMessage, data: Json, talk: Talk): boolean =>
	data['summary'] === true ||
	talk.summaryIds.has(id) ||
	at(data, 'semantics', 'kind') === 'compact_summary';

export const messageOf = (stored: StoredMessage, data: Json, talk: Talk): Message => ({
	id: stored.id,
	data,
	role: stringOf(data['role']) ?? '',
	atMs: timeMs(at(data, 'time', 'created')) ?? timeMs(stored.createdAt),
	isSummary: isSummary(stored, data, talk),
	isUndone: isDiscarded(data),
});

/** Events of one message in the order of its parts. */
export const messageEvents = (
	stored: StoredMessage,
	message: Message,
	talk: Talk,
): readonly AdapterEvent[] => {
	const {role} = message;
	const reader = ROLES.get(role);
	if (reader === undefined && role !== '') talk.batch.unknown(`message/${role}`);
	const events =
		reader?.(stored, message, talk) ?? readParts(OTHER_PARTS, stored.parts(), message, talk);
	return events.map(event => {
		const isUndone = message.isUndone || talk.isUndone(stored.id, partIdOf(event, stored));
		const {text, fullLength} = capText(event.text);
		return compact({...event, text, fullLength, state: isUndone ? ('undone' as const) : undefined});
	});
};

/** The key of a part's event is its id, or that and a block number. */
const partIdOf = ({key}: AdapterEvent, {id}: StoredMessage): string =>
	key === eventKey(id) ? '' : key;
