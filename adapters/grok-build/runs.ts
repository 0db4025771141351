/** Messages and thoughts come in chunks: those that follow each other are one event, under the key of the first. */

import type {AdapterEvent} from '../model.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, capText, placeholder} from '../shared/content.js';
import {numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {promptForm} from './prompts.js';
import type {Line, Reading, Run, RunKind} from './state.js';

const TEXT_LIMIT = 262_144;

interface Piece {
	readonly text: string;
	readonly isBlock: boolean;
}

const NOTHING: Piece = {text: '', isBlock: false};

/** A content block of the protocol as text. */
export const pieceOf = (content: unknown): Piece => {
	const block = recordOf(content);
	const type = stringOf(block['type']) ?? '';
	if (type === 'text') return {text: stringOf(block['text']) ?? '', isBlock: false};
	const mediaType = textOf(block['mimeType']);
	if (type === 'image' || type === 'audio') {
		const data = textOf(block['data']);
		const sizeBytes = data === undefined ? undefined : base64Bytes(data);
		return {text: placeholder(type, {mediaType, sizeBytes}), isBlock: true};
	}
	if (!type.startsWith('resource')) return NOTHING;
	const resource = recordOf(block['resource']);
	const name = textOf(block['uri']) ?? textOf(resource['uri']) ?? textOf(block['name']);
	return {text: placeholder('file', {name}), isBlock: true};
};

const addPiece = (run: Run, {text, isBlock}: Piece): void => {
	if (text === '') return;
	const isNewLine = (isBlock || run.isBlock) && run.text !== '' && !run.text.endsWith('\n');
	const added = isNewLine ? `\n${text}` : text;
	run.length += added.length;
	if (run.text.length < TEXT_LIMIT) run.text = capText(run.text + added, TEXT_LIMIT).text;
	run.isBlock = isBlock;
};

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

const formOf = ({session}: Reading, run: Run): Form => {
	const {text, model} = run;
	if (run.kind === 'user' || run.kind === 'host') {
		return promptForm(text, run.kind === 'host', session);
	}
	if (run.kind === 'reasoning') return compact({kind: 'reasoning' as const, text, model});
	return compact({kind: 'message' as const, role: 'assistant' as const, text, model});
};

/** Hands over what the open run holds by now; it may be handed over again when it has grown. */
export const emitRun = (reading: Reading): void => {
	const {run} = reading.state;
	if (run === null || run.text.trim() === '') return;
	const {key, atMs, locator} = run;
	const fullLength = run.length > run.text.length ? run.length : undefined;
	reading.batch.event({...formOf(reading, run), ...compact({key, atMs, locator, fullLength})});
};

export const closeRun = (reading: Reading): void => {
	emitRun(reading);
	reading.state.run = null;
};

const openRun = (reading: Reading, line: Line, kind: RunKind, promptIndex: number | null): Run => {
	const {state} = reading;
	closeRun(reading);
	const {key, atMs, locator} = line;
	const isAnswer = kind === 'assistant' || kind === 'reasoning';
	const model = isAnswer ? (state.model ?? undefined) : undefined;
	const place = compact({key, atMs, locator, model});
	const run: Run = {kind, promptIndex, ...place, text: '', length: 0, isBlock: false};
	state.run = run;
	if (kind === 'user') state.promptStarts = [...state.promptStarts, key];
	return run;
};

const chunk = (reading: Reading, line: Line, kind: RunKind): void => {
	const {run} = reading.state;
	const promptIndex = kind === 'user' ? (numberOf(line.meta['promptIndex']) ?? null) : null;
	const isSame = run?.kind === kind && run.promptIndex === promptIndex;
	const open = isSame ? run : openRun(reading, line, kind, promptIndex);
	addPiece(open, pieceOf(line.update['content']));
};

export const userChunk = (reading: Reading, line: Line): void => {
	reading.state.model = textOf(line.meta['modelId']) ?? reading.state.model;
	chunk(reading, line, line.meta['hostTurn'] === true ? 'host' : 'user');
};
export const replyChunk = (reading: Reading, line: Line): void => chunk(reading, line, 'assistant');
export const thoughtChunk = (reading: Reading, line: Line): void =>
	chunk(reading, line, 'reasoning');
