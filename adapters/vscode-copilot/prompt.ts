/** What a request says: the typed text, what hangs on it, and what the model got instead. */

import type {AdapterEvent, PromptInput} from '../model.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, placeholder} from '../shared/content.js';
import {at, isRecord, listOf, stringOf, textOf} from '../shared/narrow.js';
import {eventOf, noteEvents, partsText, type Turn} from './turn.js';

const variablesOf = ({request}: Turn): readonly unknown[] =>
	listOf(at(request, 'variableData', 'variables'));

const isImage = (variable: unknown): boolean =>
	at(variable, 'kind') === 'image' ||
	(stringOf(at(variable, 'mimeType')) ?? '').startsWith('image/');

/** Bytes stand as base64 text, as an object of numbered bytes, or somewhere else. */
const sizeOf = (value: unknown): number | undefined => {
	if (typeof value === 'string') return base64Bytes(value);
	if (Array.isArray(value)) return value.length;
	return isRecord(value) && Object.hasOwn(value, '0') ? Object.keys(value).length : undefined;
};

const imageText = (variable: unknown): string =>
	placeholder('image', {
		name: textOf(at(variable, 'name')),
		mediaType: textOf(at(variable, 'mimeType')),
		sizeBytes: sizeOf(at(variable, 'value')),
	});

const typedText = ({request}: Turn): string => {
	const {message, slashCommand} = request;
	const text =
		stringOf(message) ?? stringOf(at(message, 'text')) ?? partsText(at(message, 'parts'));
	const command = textOf(at(slashCommand, 'name'));
	return text.trim() === '' && command !== undefined ? `/${command}` : text;
};

const inputOf = ({request, isHeadless}: Turn): PromptInput | undefined => {
	if (isHeadless) return 'headless';
	return isRecord(request['slashCommand']) ? 'command' : undefined;
};

export const promptText = (turn: Turn): string =>
	[typedText(turn), ...variablesOf(turn).filter(isImage).map(imageText)]
		.filter(text => text.trim() !== '')
		.join('\n');

/** A button was pressed: the text is made by the editor. */
const isGenerated = ({request}: Turn): boolean =>
	request['confirmation'] !== undefined && request['confirmation'] !== null;

export const promptEvents = (turn: Turn): readonly AdapterEvent[] => {
	const text = promptText(turn);
	const names = variablesOf(turn)
		.filter(variable => !isImage(variable))
		.flatMap(variable => textOf(at(variable, 'name')) ?? []);
	const attached = names.length === 0 ? undefined : `attached: ${names.join(', ')}`;
	const fields = compact({kind: 'message' as const, role: 'user' as const, input: inputOf(turn)});
	const prompt =
		text === '' ? [] : [eventOf(turn, {text}, isGenerated(turn) ? {kind: 'meta'} : fields)];
	return [
		...prompt,
		...noteEvents(turn, {part: 'attached', text: attached, pointer: '/variableData'}),
		...noteEvents(turn, {
			part: 'sent',
			text: partsText(turn.metadata['renderedUserMessage']),
			pointer: '/result/metadata/renderedUserMessage',
		}),
	];
};
