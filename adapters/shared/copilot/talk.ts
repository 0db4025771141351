/** What people and models say: `user.message`, `assistant.message`, `assistant.reasoning`. */

import type {AdapterEvent, PromptInput} from '../../model.js';
import {compact} from '../compact.js';
import {base64Bytes, oneLine, placeholder} from '../content.js';
import {firstText, isRecord, listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {eventOf} from '../record-events.js';
import {argumentsOf, copilotCallFacts, copilotCallText} from './calls.js';
import {openCall} from './progress.js';
import type {Row} from './row.js';

/** `skill-…`: a skill's text. `agent-…`: a message of another agent. */
const INJECTED_SOURCE = /^(?:skill|agent|system)(?:-|$)/;
const INJECTED_TEXT = /^\s*<skill-context\b/;
/** `/name`, `/name args`; no path. */
const COMMAND = /^\/[a-z][\w:-]*(?:\s|$)/i;
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp|bmp)$/i;

/** `parentAgentTaskId` is no sign: prompts that were typed carry it, too (1.0.102). */
const isInjected = ({data, agentId}: Row, text: string): boolean =>
	agentId !== undefined ||
	INJECTED_SOURCE.test(stringOf(data['source']) ?? '') ||
	data['isAutopilotContinuation'] === true ||
	INJECTED_TEXT.test(text);

const attachmentText = (value: unknown): string => {
	const attachment = recordOf(value);
	const [name, mediaType, content] = [
		['displayName', 'path', 'filePath', 'title', 'url'],
		['mimeType', 'mediaType'],
		['data'],
	].map(fields => firstText(attachment, fields));
	const isImage = mediaType?.startsWith('image/') ?? IMAGE_NAME.test(name ?? '');
	return placeholder(isImage ? 'image' : 'file', {
		name,
		mediaType,
		sizeBytes: content === undefined ? undefined : base64Bytes(content),
	});
};

const inputOf = ({data}: Row, text: string): PromptInput | undefined => {
	if (data['agentMode'] === 'shell') return 'local';
	return COMMAND.test(text) ? 'command' : undefined;
};

export const userEvents = (row: Row): readonly AdapterEvent[] => {
	const {data, context} = row;
	const typed = stringOf(data['content']) ?? '';
	const parts = [typed, ...listOf(data['attachments']).map(attachmentText)];
	const text = parts.filter(part => part.trim() !== '').join('\n');
	if (text === '') return [];
	if (isInjected(row, typed)) {
		if (context.agentId !== undefined) context.progress.description ??= oneLine(typed, 200);
		return [eventOf(row, {text}, {kind: 'meta'})];
	}
	context.progress.firstPrompt ??= oneLine(typed, 400);
	const input = inputOf(row, typed);
	const shown = input === 'local' ? `! ${text}` : text;
	return [eventOf(row, {text: shown}, compact({kind: 'message', role: 'user', input} as const))];
};

const messageOf = ({data}: Row): Pick<AdapterEvent, 'messageId' | 'model'> =>
	compact({messageId: textOf(data['messageId']), model: textOf(data['model'])});

/** The same reasoning comes alone and with its message. */
const isNewReasoning = ({context: {progress}}: Row, text: string): boolean => {
	const start = `${text.length} ${oneLine(text, 100)}`;
	if (progress.reasoning === start) return false;
	progress.reasoning = start;
	return true;
};

export const reasoningEvents = (row: Row, from: string, block = 0): readonly AdapterEvent[] => {
	const text = textOf(row.data[from]);
	if (text === undefined || !isNewReasoning(row, text)) return [];
	return [eventOf(row, {block, text}, {kind: 'reasoning', ...messageOf(row)})];
};

/** A call that a message asks for, or that was started without one. */
export const callEvent = (
	row: Row,
	block: number,
	{callId, name, args}: {callId: string | undefined; name: string; args: unknown},
): AdapterEvent => {
	const given = argumentsOf(args);
	if (callId !== undefined) openCall(row.context.progress, callId, name);
	return eventOf(
		row,
		{block, text: copilotCallText(given)},
		{
			kind: 'tool_use',
			...messageOf(row),
			tool: {...compact({name, callId}), ...copilotCallFacts(name, given)},
		},
	);
};

/** Blocks: 0 the text, 1 the reasoning, then the calls. */
export const assistantEvents = (row: Row): readonly AdapterEvent[] => {
	const {data, context} = row;
	const about = messageOf(row);
	if (about.model !== undefined) context.progress.model = about.model;
	const text = textOf(data['content']);
	const said =
		text === undefined
			? []
			: [eventOf(row, {text}, {kind: 'message', role: 'assistant', ...about})];
	const calls = listOf(data['toolRequests']).flatMap((value, place) => {
		if (!isRecord(value)) return [];
		const [callId, name] = [textOf(value['toolCallId']), textOf(value['name']) ?? 'unknown'];
		return [callEvent(row, place + 2, {callId, name, args: value['arguments']})];
	});
	return [...reasoningEvents(row, 'reasoningText', 1), ...said, ...calls];
};
