/** Messages of a thread: `{"User": …}`, `{"Agent": …}`, `{"Compaction": …}` or `"Resume"`; those of versions before 0.3 name a role. */

import {type Changes, commonChange, type FileChange} from '../shared/calls/changes.js';
import {jsonText} from '../shared/content.js';
import {fileUriPath} from '../shared/file-uri.js';
import {at, entryOf, isRecord, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
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
	type Talk,
} from '../shared/rows/events.js';

interface Message {
	readonly place: Place;
	readonly talk: Talk;
}

type Content = Readonly<Record<string, unknown>>;

/** Name and body of `{"Name": body}` or `"Name"`. */
const tagged = (value: unknown): readonly [string, unknown] => {
	if (typeof value === 'string') return [value, undefined];
	return Object.entries(recordOf(value))[0] ?? ['none', undefined];
};

const unknownPart = ({talk}: Message, kind: string): void => talk.batch.unknown(kind.slice(0, 80));

const imageText = (image: unknown): string =>
	mediaText('image', {data: at(image, 'source'), mediaType: 'image/png'});

const lastStep = (path: string): string =>
	path.split(/[/\\]/).findLast(step => step !== '') ?? path;

/** Mentions are addresses, of files and of things in the editor, or `{"File": {"abs_path": …}}`. */
const mentionName = (uri: unknown): string => {
	const address = textOf(uri);
	if (address === undefined) {
		const [kind, body] = tagged(uri);
		const {name, abs_path: path, url} = recordOf(body);
		return textOf(name) ?? (typeof path === 'string' ? lastStep(path) : (textOf(url) ?? kind));
	}
	const [place = address] = address.split(/[?#]/);
	const name = /[?&](?:name|symbol)=([^&#]+)/.exec(address)?.[1];
	if (name !== undefined) return name.replaceAll('+', ' ');
	const path = fileUriPath(place);
	return path === undefined ? place : lastStep(path);
};

const mentionText = (mention: unknown): string =>
	mediaText('file', {name: mentionName(at(mention, 'uri'))});

const userPart = (part: unknown, message: Message): string => {
	const [kind, body] = tagged(part);
	if (kind === 'Text') return stringOf(body) ?? '';
	if (kind === 'Image') return imageText(body);
	if (kind === 'Mention') return mentionText(body);
	unknownPart(message, `user/${kind}`);
	return '';
};

const isMention = (part: unknown): boolean => tagged(part)[0] === 'Mention';

/** A mention is a word of the prompt, or was added as context: then the prompt does without. Pictures have a line of their own. */
const promptText = (content: readonly unknown[], message: Message): string => {
	const hasText = content.some(part => textOf(at(part, 'Text')) !== undefined);
	return content.reduce<string>((text, part) => {
		const next = userPart(part, message);
		const isInline = text === '' || next === '' || /\s$/.test(text) || /^[\s.,;:!?)]/.test(next);
		if (isInline) return text + next;
		return isMention(part) && hasText ? text : `${text}\n${next}`;
	}, '');
};

const emitPrompt = (text: string, {place, talk}: Message): void => {
	if (text.trim() === '') return;
	const isTask = talk.isSubagent && talk.task === undefined;
	if (isTask) talk.task = text;
	talk.batch.event(eventOf(place, 0, isTask ? {kind: 'meta', text} : promptForm(text)));
};

/** The prompt, then what its mentions bring along. */
const readUser = (body: unknown, message: Message): void => {
	const content = listOf(at(body, 'content'));
	emitPrompt(promptText(content, message), message);
	for (const [index, part] of content.entries()) {
		if (!isMention(part)) continue;
		const mention = at(part, 'Mention');
		const text = [mentionText(mention), stringOf(at(mention, 'content'))]
			.filter(Boolean)
			.join('\n');
		message.talk.batch.event(eventOf(message.place, index + 1, {kind: 'meta', text}));
	}
};

/** `edit_file` says in `mode` what it does. */
const EDIT_MODES: Changes = {
	create: 'create',
	overwrite: 'write',
};

const changeIn = (name: string, mode: unknown): FileChange | undefined => {
	if (name === 'delete_path') return 'delete';
	const stated = name === 'edit_file' ? entryOf(EDIT_MODES, stringOf(mode)) : undefined;
	return stated ?? commonChange(name);
};

const toolForm = (use: Content, {talk, place}: Message): Form => {
	const name = textOf(use['name']) ?? 'unknown';
	// While a call streams in, only its raw text is there.
	const args = isRecord(use['input']) ? use['input'] : argumentsOf(use['raw_input']);
	const call = {name, callId: textOf(use['id']), args};
	return callForm(call, {change: changeIn(name, args['mode']), names: talk.names, place});
};

const outputText = (part: unknown): string => {
	if (typeof part === 'string') return part;
	const image = at(part, 'Image');
	return image === undefined ? (stringOf(at(part, 'Text')) ?? '') : imageText(image);
};

const outcomeForm = (result: Content, talk: Talk): Form => {
	const {content, output} = result;
	const text = (Array.isArray(content) ? content : [content]).map(outputText).join('\n');
	const whole = text !== '' || output === null || output === undefined ? text : jsonText(output);
	return resultForm(
		whole,
		{
			callId: textOf(result['tool_use_id']),
			name: textOf(result['tool_name']),
			isError: result['is_error'] === true,
		},
		talk.names,
	);
};

const AGENT_PARTS: Readonly<Record<string, (body: unknown, message: Message) => Form | undefined>> =
	{
		RedactedThinking: () => undefined,
		Text: (body, {place}) => {
			const text = textOf(body);
			return text === undefined ? undefined : replyForm(text, place);
		},
		Thinking: (body, {place}) => {
			const text = textOf(at(body, 'text'));
			return text === undefined ? undefined : reasoningForm(text, place);
		},
		ToolUse: (body, message) => toolForm(recordOf(body), message),
	};

const emitResult = (result: unknown, index: number, {place, talk}: Message): void => {
	const at = {...place, key: `${place.key}-result`};
	talk.batch.event(eventOf(at, index, outcomeForm(recordOf(result), talk)));
};

/** Each result stands behind its call: in the map they have no order. */
const readAgent = (body: unknown, message: Message): void => {
	const content = listOf(at(body, 'content'));
	const results = new Map(Object.entries(recordOf(at(body, 'tool_results'))));
	for (const [index, part] of content.entries()) {
		const [kind, value] = tagged(part);
		const read = entryOf(AGENT_PARTS, kind);
		if (read === undefined) unknownPart(message, `agent/${kind}`);
		const form = read?.(value, message);
		if (form !== undefined) message.talk.batch.event(eventOf(message.place, index, form));
		const callId = textOf(at(value, 'id')) ?? '';
		const result = kind === 'ToolUse' ? results.get(callId) : undefined;
		if (result !== undefined) emitResult(result, index, message);
		if (kind === 'ToolUse') results.delete(callId);
	}
	for (const [index, result] of [...results.values()].entries()) {
		emitResult(result, content.length + index, message);
	}
};

const readCompaction = (body: unknown, message: Message): void => {
	const text = textOf(at(body, 'Summary'));
	if (text === undefined) unknownPart(message, `compaction/${tagged(body)[0]}`);
	else message.talk.batch.event(eventOf(message.place, 0, {kind: 'summary', text}));
};

const readResume = (_: unknown, {place, talk}: Message): void =>
	talk.batch.event(eventOf(place, 0, {kind: 'meta', text: 'Continue where you left off'}));

const KINDS: Readonly<Record<string, (body: unknown, message: Message) => void>> = {
	Agent: readAgent,
	Compaction: readCompaction,
	Resume: readResume,
	User: readUser,
};

const legacyForm = (segment: unknown, {place}: Message): Form | undefined => {
	const text = textOf(at(segment, 'text'));
	if (text === undefined) return undefined;
	return at(segment, 'type') === 'thinking' ? reasoningForm(text, place) : replyForm(text, place);
};

const legacyUser = (message: Content, {place, talk}: Message): void => {
	const texts = listOf(message['segments']).map(segment => stringOf(at(segment, 'text')) ?? '');
	const text = texts.join('');
	if (message['role'] !== 'system') emitPrompt(text, {place, talk});
	else if (text !== '') talk.batch.event(eventOf(place, 0, {kind: 'meta', text}));
	const context = textOf(message['context']);
	if (context === undefined) return;
	talk.batch.event(eventOf(place, 1, {kind: 'meta', text: context}));
};

/** Before 0.3: what was said in segments, calls and results in lists; results may stand in the next user message. */
const readLegacy = (message: Content, own: Message): void => {
	const {place, talk} = own;
	const segments = listOf(message['segments']);
	if (message['role'] !== 'assistant') legacyUser(message, own);
	else {
		for (const [index, segment] of segments.entries()) {
			const form = legacyForm(segment, own);
			if (form !== undefined) talk.batch.event(eventOf(place, index, form));
		}
	}
	for (const [index, use] of listOf(message['tool_uses']).entries()) {
		const at = {...place, key: `${place.key}-call`};
		talk.batch.event(eventOf(at, index, toolForm(recordOf(use), own)));
	}
	for (const [index, result] of listOf(message['tool_results']).entries()) {
		emitResult(result, index, own);
	}
};

const isLegacy = (message: unknown): boolean => typeof at(message, 'role') === 'string';

/** Emits the events of a message. */
export const readMessage = (value: unknown, message: Message): void => {
	if (isLegacy(value)) {
		readLegacy(recordOf(value), message);
		return;
	}
	const [kind, body] = tagged(value);
	const read = entryOf(KINDS, kind);
	if (read === undefined) unknownPart(message, kind);
	else read(body, message);
};
