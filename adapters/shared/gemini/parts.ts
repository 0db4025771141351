/** Content of messages in the form of the Gemini API, which Gemini CLI and its forks write: a text, a part, or a list of parts. */

import {base64Bytes, capText, jsonText, type PlaceholderKind, placeholder} from '../content.js';
import {entryOf, isRecord, listOf, recordOf, stringOf, textOf} from '../narrow.js';
import {tell} from './prompts.js';

/** A text that is cut for its length says how long it was. */
export interface Capped {
	readonly text: string;
	readonly fullLength?: number;
}

export interface CallPart {
	readonly id: string | undefined;
	readonly name: string | undefined;
	readonly args: Record<string, unknown>;
}

export interface ResponsePart {
	readonly id: string | undefined;
	readonly name: string | undefined;
	readonly output: Capped;
	/** The response says so itself, by an `error` in the place of an `output`. */
	readonly isError: boolean;
}

interface TextPiece extends Capped {
	readonly kind: 'text' | 'thought';
	/** It stands for an image or a file. */
	readonly isMedia?: boolean;
}

export type Piece =
	| TextPiece
	| {readonly kind: 'call'; readonly call: CallPart}
	| {readonly kind: 'response'; readonly response: ResponsePart}
	| {readonly kind: 'unknown'; readonly type: string};

/** A piece and its place in the content, shown or not. */
export type Placed = Piece & {readonly place: number};

type Part = Record<string, unknown>;

const mediaKind = (mediaType: string): PlaceholderKind => {
	const [family] = mediaType.split('/');
	if (family === 'image' || family === 'audio') return family;
	return mediaType === 'application/pdf' ? 'document' : 'file';
};

const inlineData = (value: unknown): string => {
	const {mimeType, data, displayName} = recordOf(value);
	const mediaType = textOf(mimeType);
	return placeholder(mediaKind(mediaType ?? ''), {
		mediaType,
		sizeBytes: typeof data === 'string' ? base64Bytes(data) : undefined,
		name: textOf(displayName),
	});
};

const fileData = (value: unknown): string => {
	const {mimeType, fileUri, displayName} = recordOf(value);
	const mediaType = textOf(mimeType);
	return placeholder(mediaKind(mediaType ?? ''), {
		mediaType,
		name: textOf(displayName) ?? textOf(fileUri),
	});
};

const executableCode = (value: unknown): string => {
	const {language, code} = recordOf(value);
	return `\`\`\`${(stringOf(language) ?? '').toLowerCase()}\n${stringOf(code) ?? ''}\n\`\`\``;
};

/** Parts that read as text. */
const TEXTS: Readonly<Record<string, (value: unknown) => string>> = {
	inlineData,
	fileData,
	executableCode,
	codeExecutionResult: value => stringOf(recordOf(value)['output']) ?? '',
};

const MEDIA = new Set(['inlineData', 'fileData']);

/** What a tool answered: `{output}` or `{error}` as a rule, else whatever the tool made up. */
export const responseText = (response: unknown): string => {
	if (typeof response === 'string') return response;
	const record = recordOf(response);
	const stated = record['output'] ?? record['error'];
	if (typeof stated === 'string') return stated;
	if (stated === undefined && Object.keys(record).length === 0) return '';
	return jsonText(stated ?? record);
};

/** Tools of Gemini CLI frame what comes from outside (0.61.0); the frame is not the output. */
const FRAME = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/;

export const cappedOutput = (text: string): Capped => capText(FRAME.exec(text)?.[1] ?? text);

const responseOf = (value: unknown): Piece => {
	const {id, name, response} = recordOf(value);
	const {output, error} = recordOf(response);
	return {
		kind: 'response',
		response: {
			id: textOf(id),
			name: textOf(name),
			output: cappedOutput(responseText(response)),
			isError: output === undefined && error !== undefined && error !== null,
		},
	};
};

const callOf = (id: unknown, name: unknown, args: unknown): Piece => ({
	kind: 'call',
	call: {id: textOf(id), name: textOf(name), args: recordOf(args)},
});

/** Blocks of the other common form, `{type: 'text', …}`, as a public sample of Qwen Code has them. */
const BLOCKS: Readonly<Record<string, (block: Part) => Piece>> = {
	text: ({text}) => ({kind: 'text', ...capText(stringOf(text) ?? '')}),
	thinking: ({thinking}) => ({kind: 'thought', ...capText(stringOf(thinking) ?? '')}),
	tool_use: ({id, name, input}) => callOf(id, name, input),
	tool_result: ({tool_use_id: id, content, is_error: isError}) => ({
		kind: 'response',
		response: {
			id: textOf(id),
			name: undefined,
			output: cappedOutput(typeof content === 'string' ? content : textsOf(piecesOf(content)).text),
			isError: isError === true,
		},
	}),
};

const blockOf = (part: Part): Piece | undefined => entryOf(BLOCKS, stringOf(part['type']))?.(part);

const pieceOf = (part: Part): Piece => {
	const block = blockOf(part);
	if (block !== undefined) return block;
	if (isRecord(part['functionCall'])) {
		const {id, name, args} = part['functionCall'];
		return callOf(id, name, args);
	}
	if (isRecord(part['functionResponse'])) return responseOf(part['functionResponse']);
	const name = Object.keys(TEXTS).find(key => part[key] !== undefined);
	if (name !== undefined) {
		const media = MEDIA.has(name) ? {isMedia: true} : {};
		return {kind: 'text', text: TEXTS[name]?.(part[name]) ?? '', ...media};
	}
	const text = stringOf(part['text']);
	if (text === undefined) return {kind: 'unknown', type: Object.keys(part).sort()[0] ?? 'none'};
	return {kind: part['thought'] === true ? 'thought' : 'text', ...capText(text)};
};

/** Pieces of a content, in their order. */
export const piecesOf = (content: unknown): readonly Placed[] => {
	const parts = isRecord(content) || typeof content === 'string' ? [content] : listOf(content);
	return parts.map((part, place) => {
		const piece: Piece =
			typeof part === 'string' ? {kind: 'text', ...capText(part)} : pieceOf(recordOf(part));
		return {...piece, place};
	});
};

/** Pieces of text as one text; empty ones are left out. */
export const textsOf = (
	pieces: readonly Piece[],
	{kind = 'text', glue = '\n'}: {readonly kind?: 'text' | 'thought'; readonly glue?: string} = {},
): Capped => {
	const texts = pieces.flatMap(piece =>
		piece.kind === kind && piece.text.trim() !== '' ? [piece] : [],
	);
	const {text, fullLength} = capText(texts.map(piece => piece.text).join(glue));
	const lost = texts.reduce((sum, piece) => sum + (piece.fullLength ?? piece.text.length), 0);
	const isCut = fullLength !== undefined || texts.some(piece => piece.fullLength !== undefined);
	return isCut ? {text, fullLength: Math.max(lost, fullLength ?? 0)} : {text};
};

/** A prompt and what was added to it. */
export interface Prompt {
	readonly text: Capped;
	/** Of its first text. */
	readonly place: number;
	readonly added: Capped;
}

/**
 * Parts of a user message: `shown` is what was typed where the agent says so, else everything that does not look injected; images
 * and files belong to the prompt.
 */
export const promptOf = (pieces: readonly Placed[], shown: string | undefined): Prompt => {
	const texts = pieces.filter(({kind}) => kind === 'text') as readonly (Placed & TextPiece)[];
	const isAdded = ({text}: TextPiece): boolean =>
		shown === undefined ? tell(text) === 'meta' : text.trim() !== shown.trim();
	const added = texts.filter(piece => piece.isMedia !== true && isAdded(piece));
	const own = texts.filter(piece => !added.includes(piece));
	const typed: readonly TextPiece[] =
		shown === undefined
			? own
			: [{kind: 'text', ...capText(shown)}, ...own.filter(({isMedia}) => isMedia === true)];
	return {text: textsOf(typed), place: (own[0] ?? texts[0])?.place ?? 0, added: textsOf(added)};
};
