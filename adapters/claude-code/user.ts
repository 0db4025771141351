/** `user` rows: prompts, tool results, and much that nobody typed. */

import type {AdapterEvent, PromptInput} from '../model.js';
import {oneLine} from '../shared/content.js';
import {at, textOf} from '../shared/narrow.js';
import {recall} from '../shared/pairs.js';
import {eventOf} from '../shared/record-events.js';
import {isPart, partText} from './parts.js';
import {remember} from './progress.js';
import {inputOf, isMarkedInjected, readPrompt, type Told} from './prompts.js';
import {resultEvent} from './results.js';
import {type Block, blockOf, blocksOf, kindName, type Row} from './row.js';

type Piece = Told & {readonly place: number};

/** Pieces of one kind as one text, at the place of the first. */
const joined = (pieces: readonly Piece[]): string => pieces.map(piece => piece.text).join('\n');

const readPieces = (blocks: readonly Block[], isInjected: boolean): readonly Piece[] =>
	blocks.flatMap((block): Piece[] => {
		const text = partText(block);
		if (text === undefined || text.trim() === '') return [];
		const {place} = block;
		if (isInjected) return [{kind: 'meta', text, place}];
		return [block.type === 'text' ? {...readPrompt(text), place} : {kind: 'message', text, place}];
	});

/** At most one prompt a row: its texts and images belong together, whatever context stands between them. */
const pieceEvents = (row: Row, pieces: readonly Piece[]): readonly AdapterEvent[] => {
	const prompt = pieces.filter(piece => piece.kind === 'message');
	const [first] = prompt;
	return pieces.flatMap(piece => {
		if (piece.kind !== 'message') {
			return [eventOf(row, {block: piece.place, text: piece.text}, {kind: piece.kind})];
		}
		if (piece !== first) return [];
		const input = inputOf(row.record, first.input);
		return [promptEvent(row, {block: first.place, text: joined(prompt)}, input)];
	});
};

const promptEvent = (
	row: Row,
	content: {block: number; text: string},
	input: PromptInput | undefined,
): AdapterEvent =>
	eventOf(
		row,
		content,
		input === undefined ? {kind: 'message', role: 'user'} : {kind: 'message', role: 'user', input},
	);

/** Prompt and context of a text or of blocks that a person gave. */
export const promptEvents = (row: Row, content: unknown): readonly AdapterEvent[] =>
	pieceEvents(row, readPieces(blocksOf(content) ?? [], false));

/**
 * A prompt that has the parent of an older prompt takes its place: the conversation went back there. Tool results and retries
 * share parents as well, so only prompts tell.
 */
const noteBranch = (row: Row, events: readonly AdapterEvent[]): void => {
	const {progress, batch} = row.context;
	const parent = textOf(row.record['parentUuid']);
	const prompt = events.find(event => event.role === 'user' && event.input !== 'local');
	if (parent === undefined || prompt === undefined) return;
	if (progress.prompts.some(([, key]) => key === prompt.key)) return;
	const older = recall(progress.prompts, parent);
	if (older !== undefined) batch.undo(older, prompt.key);
	remember(progress, 'prompts', [parent, prompt.key]);
};

/** The first text of a sub-agent is its task. */
const noteTask = ({context}: Row, pieces: readonly Piece[]): void => {
	const {progress, identity} = context;
	if (!identity.isSubagent || progress.task !== undefined) return;
	const text = joined(pieces).trim();
	if (text === '') return;
	progress.task = oneLine(text, 200);
	if (text === 'Warmup') progress.isWarmUp = true;
};

const isCall = ({type}: Block): boolean => type === 'tool_result' || type.endsWith('_tool_result');

export const userEvents = (row: Row): readonly AdapterEvent[] => {
	const {record, context} = row;
	const blocks = blocksOf(at(record, 'message', 'content'));
	if (blocks === undefined) {
		context.batch.problem({code: 'bad-record', where: row.id, detail: 'user row without content'});
		return [];
	}
	const results = blocks.filter(isCall);
	const isInjected = row.isSideChain || results.length > 0 || isMarkedInjected(record);
	const pieces = readPieces(blocks, isInjected);
	if (record['isCompactSummary'] === true) {
		return [eventOf(row, {block: pieces[0]?.place ?? 0, text: joined(pieces)}, {kind: 'summary'})];
	}
	for (const block of blocks) {
		if (!isPart(block) && !isCall(block)) context.batch.unknown(`block/${kindName(block.type)}`);
	}
	noteTask(row, pieces);
	const toolResult = results.length === 1 ? record['toolUseResult'] : undefined;
	const events = [
		...results.map(block => resultEvent(row, block, toolResult)),
		...pieceEvents(row, pieces),
	].sort((a, b) => blockOf(row, a) - blockOf(row, b));
	noteBranch(row, events);
	return events;
};
