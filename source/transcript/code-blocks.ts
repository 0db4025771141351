import type {Token} from 'marked';
import type {EventView} from '../../store/types.js';
import {sanitizeForFile} from '../terminal/sanitize.js';
import {lexMarkdown} from './lexer.js';
import {commandOf} from './tool-input.js';

const fences = (tokens: readonly Token[], depth = 0): readonly string[] =>
	tokens.flatMap(token => {
		if (token.type === 'code') return [token['text'] as string];
		const inner: readonly Token[] = [
			...('tokens' in token && token.tokens ? token.tokens : []),
			...(token.type === 'list' ? (token['items'] as Token[]) : []),
		];
		return depth < 8 ? fences(inner, depth + 1) : [];
	});

const fencesOf = (text: string): readonly string[] =>
	/```|~~~|^ {4}|^\t/m.test(text) ? fences(lexMarkdown(text) ?? []) : [];

/** What is code in an event, for copying it: fenced blocks of a message, the command or the patch of a tool call. */
export const codeOf = (event: EventView, text: string): readonly string[] => {
	if (event.kind !== 'tool_use') return fencesOf(text).map(sanitizeForFile);
	const patch = event.tool?.patch ?? null;
	const command = commandOf(event.tool?.name ?? '', text);
	const code = patch !== null && patch.trim() !== '' ? patch : command;
	return code === undefined || code.trim() === '' ? [] : [sanitizeForFile(code)];
};
