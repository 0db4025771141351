/** `message` records: what people type, what is put into their mouth, and what models answer. */

import {type AdapterEvent, eventKey} from '../model.js';
import {compact} from '../shared/compact.js';
import {oneLine} from '../shared/content.js';
import {entryOf, listOf, recordOf, textOf} from '../shared/narrow.js';
import {recall} from '../shared/pairs.js';
import {eventOf} from '../shared/record-events.js';
import {remember} from './progress.js';
import {type Block, blockText, type Row} from './row.js';
import {callEvent, resultEvent} from './tools.js';

const REMINDER = /<(system-reminder|system-notification)>[\s\S]*?<\/\1>/g;
const SKILL_ECHO = /^Skill "[^"]*" activated:/;
/** `/name`, `/name args`; no path. */
const COMMAND = /^\/[a-z][\w:-]*(?:\s|$)/i;

/** Context for the model only, notices for the user only, and what hooks print. */
const isInjected = ({message, record, context}: Row): boolean =>
	context.progress.isChild === true ||
	[message, record].some(
		({visibility, hookEventName, isUserVisible, hiddenFromUserViews}) =>
			visibility === 'llm_only' ||
			visibility === 'user_only' ||
			textOf(hookEventName) !== undefined ||
			isUserVisible === false ||
			hiddenFromUserViews === true,
	);

interface Piece {
	readonly place: number;
	readonly text: string;
	readonly isTyped: boolean;
}

/** Early versions put reminders before the prompt, in the same message or even the same text. */
const piecesOf = (block: Block, canBeTyped: boolean): readonly Piece[] => {
	const whole = blockText(block);
	if (whole === undefined || whole.trim() === '') return [];
	const {place} = block;
	if (block.type !== 'text') return [{place, text: whole, isTyped: canBeTyped}];
	const rest = whole.replaceAll(REMINDER, '').trim();
	if (!canBeTyped || rest === '' || SKILL_ECHO.test(rest)) {
		return [{place, text: whole, isTyped: false}];
	}
	return [{place, text: rest === whole.trim() ? whole : rest, isTyped: true}];
};

/** An edited prompt hangs on the same record as the one that it replaces: that one and its answers are taken back. */
const noteBranch = ({record, id, context}: Row, key: string): void => {
	const parent = textOf(record['parentId']);
	if (parent === undefined || parent === id) return;
	const {progress, batch} = context;
	const replaced = recall(progress.prompts, parent);
	if (replaced !== undefined && replaced !== key) batch.undo(replaced, key);
	remember(progress, 'prompts', [parent, key]);
};

const promptEvents = (row: Row, pieces: readonly Piece[]): readonly AdapterEvent[] => {
	const [first] = pieces;
	if (first === undefined) return [];
	const text = pieces.map(piece => piece.text).join('\n');
	row.context.progress.firstText ??= oneLine(text, 400);
	noteBranch(row, eventKey(row.id, first.place));
	const input = COMMAND.test(text) ? ('command' as const) : undefined;
	const fields = compact({kind: 'message' as const, role: 'user' as const, input});
	return [eventOf(row, {block: first.place, text}, fields)];
};

const userEvents = (row: Row): readonly AdapterEvent[] => {
	const {blocks, context} = row;
	const results = blocks
		.filter(({type}) => type === 'tool_result')
		.map(({place, block}) => resultEvent(row, place, block));
	const canBeTyped = results.length === 0 && !isInjected(row);
	const pieces = blocks.flatMap(block => piecesOf(block, canBeTyped));
	const notes = pieces.filter(({isTyped}) => !isTyped);
	const [task] = notes;
	if (context.progress.isChild === true && task !== undefined) {
		context.progress.firstText ??= oneLine(task.text, 400);
	}
	return [
		...results,
		...notes.map(({place, text}) => eventOf(row, {block: place, text}, {kind: 'meta'})),
		...promptEvents(
			row,
			pieces.filter(({isTyped}) => isTyped),
		),
	];
};

/** Reasoning that other services give beside the content. */
const reasoningBeside = ({message}: Row): string | undefined => {
	const summary = message['openaiReasoningSummary'];
	const parts = listOf(summary).flatMap(
		part => textOf(part) ?? textOf(recordOf(part)['text']) ?? [],
	);
	return (
		textOf(message['chatCompletionReasoningContent']) ??
		textOf(summary) ??
		(parts.length === 0 ? undefined : parts.join('\n'))
	);
};

const SEALED = '[sealed reasoning]';

type BlockReader = (row: Row, block: Block) => AdapterEvent | undefined;

const aboutOf = ({id, message}: Row): Pick<AdapterEvent, 'messageId' | 'model'> =>
	compact({messageId: id, model: textOf(message['model']) ?? textOf(message['modelId'])});

const saidEvent: BlockReader = (row, block) => {
	const text = blockText(block);
	if (text === undefined || text.trim() === '') return undefined;
	row.context.progress.lastText = oneLine(text, 400);
	const fields = {kind: 'message', role: 'assistant', ...aboutOf(row)} as const;
	return eventOf(row, {block: block.place, text}, fields);
};

const thoughtEvent =
	(textIn: (block: Record<string, unknown>) => string | undefined): BlockReader =>
	(row, {place, block}) => {
		const text = textIn(block);
		if (text === undefined) return undefined;
		return eventOf(row, {block: place, text}, {kind: 'reasoning', ...aboutOf(row)});
	};

const callOf: BlockReader = (row, {place, block}) => {
	const {messageId, model} = aboutOf(row);
	return callEvent(row, place, {
		callId: textOf(block['id']),
		name: textOf(block['name']) ?? 'unknown',
		args: recordOf(block['input'] ?? block['arguments']),
		messageId,
		model,
	});
};

const BLOCKS: Readonly<Record<string, BlockReader>> = {
	document: saidEvent,
	image: saidEvent,
	redacted_thinking: thoughtEvent(() => SEALED),
	text: saidEvent,
	thinking: thoughtEvent(block => textOf(block['thinking'])),
	tool_call: callOf,
	tool_result: (row, {place, block}) => resultEvent(row, place, block),
	tool_use: callOf,
};

const assistantEvents = (row: Row): readonly AdapterEvent[] => {
	const {blocks, context} = row;
	const {model} = aboutOf(row);
	if (model !== undefined) context.progress.model = model;
	const beside = blocks.some(({type}) => type === 'thinking') ? undefined : reasoningBeside(row);
	const thought =
		beside === undefined
			? []
			: [eventOf(row, {block: blocks.length, text: beside}, {kind: 'reasoning', ...aboutOf(row)})];
	const events = blocks.flatMap(block => {
		const read = entryOf(BLOCKS, block.type);
		if (read === undefined) context.batch.unknown(`block/${oneLine(block.type, 80)}`);
		return read?.(row, block) ?? [];
	});
	return [...thought, ...events];
};

export const messageEvents = (row: Row): readonly AdapterEvent[] => {
	const {role} = row.message;
	if (role === 'assistant') return assistantEvents(row);
	if (role === 'user') return userEvents(row);
	row.context.batch.unknown(`message/${oneLine(String(textOf(role) ?? 'none'), 80)}`);
	return [];
};
