/** Messages in the form of chat completions: `role`, `content` as text or parts, `tool_calls`, `tool_call_id`. */

import {at, isRecord, listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {argumentsOf, type Call, mediaText} from './events.js';

export interface ChatContent {
	/** Texts, and what stands for pictures and other files. */
	readonly text: string;
	readonly thoughts: string;
	/** Kinds of parts that are not known. */
	readonly unknown: readonly string[];
}

const urlOf = (part: Record<string, unknown>, name: string): unknown =>
	at(part, name, 'url') ?? part[name] ?? part['url'];

/** A part as text. */
const MEDIA: Readonly<Record<string, (part: Record<string, unknown>) => string>> = {
	image_url: part => mediaText('image', {url: urlOf(part, 'image_url')}),
	image: part =>
		mediaText('image', {
			url: urlOf(part, 'image'),
			data: part['data'],
			mediaType: part['mimeType'] ?? part['mime_type'],
		}),
	audio_url: part => mediaText('audio', {url: urlOf(part, 'audio_url')}),
	file: part => mediaText('file', {url: part['url'], name: part['name'] ?? part['filename']}),
};
const TEXTS: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'plain']);
const THOUGHTS: ReadonlySet<string> = new Set(['think', 'thinking', 'reasoning']);

export const chatContent = (content: unknown): ChatContent => {
	if (typeof content === 'string') return {text: content, thoughts: '', unknown: []};
	const texts: string[] = [];
	const thoughts: string[] = [];
	const unknown: string[] = [];
	for (const item of isRecord(content) ? [content] : listOf(content)) {
		const part = typeof item === 'string' ? {type: 'text', text: item} : recordOf(item);
		const type = stringOf(part['type']) ?? 'none';
		if (TEXTS.has(type)) texts.push(stringOf(part['text']) ?? '');
		else if (THOUGHTS.has(type)) thoughts.push(stringOf(part['think'] ?? part['thinking']) ?? '');
		else if (Object.hasOwn(MEDIA, type)) texts.push(MEDIA[type]?.(part) ?? '');
		else unknown.push(type.slice(0, 80));
	}
	return {
		text: texts.filter(text => text !== '').join('\n'),
		thoughts: thoughts.join('\n'),
		unknown,
	};
};

/** `{id, function: {name, arguments}}`, or the same without `function`. */
export const chatCalls = (calls: unknown): readonly Call[] =>
	listOf(calls)
		.filter(isRecord)
		.map(call => {
			const body = isRecord(call['function']) ? call['function'] : call;
			return {
				name: textOf(body['name']) ?? 'unknown',
				callId: textOf(call['id']) ?? textOf(call['call_id']),
				args: argumentsOf(body['arguments']),
			};
		});
