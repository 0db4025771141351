/**
 * Transcripts of old builds, as text: a line `user:` or `assistant:` opens a block; in assistant blocks `[Thinking] …`,
 * `[Tool call] Name` and `[Tool result] …` have indented bodies, and what stands at the margin again is the answer.
 */

import {readFileSync, statSync} from 'node:fs';
import {sizeLabel} from '../shared/content.js';
import {errorText} from '../shared/errors.js';
import {type Batch, type Source, SourceUnreadable} from '../types.js';
import {readMessage} from './messages.js';
import {openTranscript, transcriptFacts} from './transcript-facts.js';

/** Long sessions of that time stayed far below. */
const TEXT_BYTES = 64 * 1024 * 1024;

interface TextLine {
	readonly text: string;
	readonly number: number;
	readonly offset: number;
	/** Without the line end. */
	readonly end: number;
}

/** Lines that are read as one: a whole user block, or one part of an assistant's. */
interface Segment {
	readonly kind: 'user' | 'prose' | 'Thinking' | 'Tool call' | 'Tool result';
	readonly lines: TextLine[];
	/** Line that opened the block. */
	readonly opener: number;
}

const HEADER = /^(user|assistant):\s*$/;
const MARK = /^\[(Thinking|Tool call|Tool result)\] ?(.*)$/m;
const ARGUMENT = /^\s+([\w.-]+)=(.*)$/;
const PATCH_END = '*** End Patch';

function* linesOf(bytes: Buffer): Generator<TextLine> {
	let number = 0;
	for (let offset = 0; offset < bytes.length; ) {
		const newline = bytes.indexOf(10, offset);
		const end = newline === -1 ? bytes.length : newline;
		number += 1;
		const text = bytes.toString('utf8', offset, end).replace(/\r$/, '');
		yield {text: number === 1 ? text.replace(/^\uFEFF/, '') : text, number, offset, end};
		offset = end + 1;
	}
}

const isInPatch = ({kind, lines}: Segment): boolean =>
	kind === 'Tool call' &&
	lines.some(({text}) => text.includes('*** Begin Patch')) &&
	!lines.some(({text}) => text.trim() === PATCH_END);

/** The segment that a line of an assistant block opens, or undefined if it goes on with the current one. */
const openedBy = (line: TextLine, current: Segment): Segment | undefined => {
	const {opener} = current;
	if (isInPatch(current)) return undefined;
	const mark = MARK.exec(line.text)?.[1];
	if (mark !== undefined) return {kind: mark as Segment['kind'], lines: [line], opener};
	if (current.kind === 'prose' || /^(?:\s|$)/.test(line.text)) return undefined;
	// A patch begins at the margin, right below the name of its tool.
	if (current.kind === 'Tool call' && line.text.startsWith('*** Begin Patch')) return undefined;
	return {kind: 'prose', lines: [line], opener};
};

const segmentsOf = (bytes: Buffer): readonly Segment[] => {
	const segments: Segment[] = [];
	for (const line of linesOf(bytes)) {
		const role = HEADER.exec(line.text)?.[1];
		const current = segments.at(-1);
		if (role !== undefined) {
			segments.push({kind: role === 'user' ? 'user' : 'prose', lines: [], opener: line.number});
			continue;
		}
		if (current === undefined) continue;
		const opened = current.kind === 'user' ? undefined : openedBy(line, current);
		if (opened === undefined) current.lines.push(line);
		else segments.push(opened);
	}
	return segments;
};

const bodyOf = ({lines}: Segment): string =>
	lines
		.map(({text}) => text)
		.join('\n')
		.trim();

/** Without the mark at its head. */
const markedBody = (segment: Segment): string => bodyOf(segment).replace(MARK, '$2').trim();

const callBlock = ({lines}: Segment): unknown => {
	const [first, ...rest] = lines.map(({text}) => text);
	const name = (first ?? '').replace(MARK, '$2').trim();
	const input: Record<string, string> = {};
	let field: string | undefined;
	for (const text of rest) {
		const [, argument, value = ''] = ARGUMENT.exec(text) ?? [];
		field = argument ?? field ?? 'input';
		const isMore = argument === undefined && input[field] !== undefined;
		input[field] = isMore ? `${input[field]}\n${text}` : argument === undefined ? text : value;
	}
	const trimmed = Object.entries(input).map(([key, value]) => [key, value.trimEnd()]);
	return {type: 'tool_use', name, input: Object.fromEntries(trimmed)};
};

const BLOCKS: Readonly<Record<Segment['kind'], (segment: Segment) => unknown>> = {
	prose: segment => ({type: 'text', text: bodyOf(segment)}),
	Thinking: segment => ({type: 'thinking', thinking: markedBody(segment)}),
	'Tool call': callBlock,
	'Tool result': segment => ({type: 'tool_result', content: markedBody(segment)}),
	user: segment => ({type: 'text', text: bodyOf(segment)}),
};

const load = (path: string): Buffer => {
	try {
		const {size} = statSync(path);
		if (size <= TEXT_BYTES) return readFileSync(path);
		throw new SourceUnreadable('limit', `${path}: text of ${sizeLabel(size)}`);
	} catch (error) {
		if (error instanceof SourceUnreadable) throw error;
		throw new SourceUnreadable('unreadable', `${path}: ${errorText(error)}`, {cause: error});
	}
};

/** A line that is still being written may yet become another. */
const wholeLines = (bytes: Buffer, {mode}: Source): Buffer =>
	mode === 'append' ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;

/** Reads the whole file: such transcripts are not written any more. */
export function* readTextTranscript(source: Source): Generator<Batch> {
	const bytes = wholeLines(load(source.path), source);
	const reading = openTranscript(source, undefined);
	const cursor = {offset: bytes.length, lineNumber: 0, state: null};
	for (const segment of segmentsOf(bytes)) {
		const [first] = segment.lines;
		const last = segment.lines.at(-1);
		if (first === undefined || last === undefined) continue;
		readMessage(
			{
				role: segment.kind === 'user' ? 'user' : 'assistant',
				record: {},
				content: [BLOCKS[segment.kind](segment)],
				key: `L${first.number}`,
				locator: {offset: first.offset, length: last.end - first.offset},
				messageId: `L${segment.opener}`,
			},
			reading,
		);
		reading.batch.patch(transcriptFacts(source, reading.carried));
		if (reading.batch.isFull()) yield reading.batch.take(cursor);
	}
	yield reading.batch.take(cursor);
}
