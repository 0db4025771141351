/** Messages of both halves of a session as events. */

import {basename} from 'node:path';
import {type AdapterEvent, eventKey} from '../model.js';
import {compact} from '../shared/compact.js';
import {capText, placeholder} from '../shared/content.js';
import {at, firstText, isRecord, listOf, numberOf, stringOf, textOf} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';
import type {Row} from '../shared/sqlite.js';
import {timeMs} from '../shared/time.js';

export const TABLES = {'inbound.db': 'messages_in', 'outbound.db': 'messages_out'} as const;
export type Table = (typeof TABLES)[keyof typeof TABLES];

export interface Message {
	readonly table: Table;
	readonly id: string;
	readonly seq: number;
	readonly atMs: number | undefined;
	readonly row: Row;
	/** Undefined for a text that is no JSON. */
	readonly content: unknown;
}

const parsed = (text: unknown): unknown => {
	try {
		return JSON.parse(stringOf(text) ?? '');
	} catch {
		return undefined; // shown as it is
	}
};

export const messageOf = (row: Row, table: Table): Message => ({
	table,
	id: String(row['id']),
	seq: numberOf(row['seq']) ?? Number.MAX_SAFE_INTEGER,
	atMs: timeMs(row['timestamp']),
	row,
	content: parsed(row['content']),
});

/** Both halves count with the same numbers. */
export const byPlace = (a: Message, b: Message): number =>
	a.seq - b.seq || (a.atMs ?? 0) - (b.atMs ?? 0);

/** Who wrote a message of the chat. */
export const senderOf = ({content}: Message): string | undefined =>
	textOf(at(content, 'sender')) ??
	textOf(at(content, 'author', 'fullName')) ??
	textOf(at(content, 'author', 'userName'));

const attachmentText = (attachment: unknown): string => {
	const name = textOf(at(attachment, 'name')) ?? textOf(at(attachment, 'url'));
	const type = at(attachment, 'type');
	const kind = type === 'image' || type === 'audio' ? type : 'file';
	return placeholder(kind, {name: name === undefined ? undefined : basename(name)});
};

const incomingText = ({content, row}: Message): string => {
	if (!isRecord(content)) return stringOf(row['content']) ?? '';
	const {text, prompt, selectedOption, attachments} = content;
	const said = textOf(text) ?? textOf(prompt) ?? textOf(selectedOption);
	return [said ?? '', ...listOf(attachments).map(attachmentText)]
		.filter(part => part !== '')
		.join('\n');
};

const CHATS: ReadonlySet<unknown> = new Set(['chat', 'chat-sdk']);

/** Context, tasks, other agents and bots: nobody typed them for the agent. */
export const isTyped = ({content, row}: Message): boolean =>
	(!('kind' in row) || CHATS.has(row['kind'])) &&
	isRecord(content) &&
	row['trigger'] !== 0 &&
	['recurrence', 'series_id', 'source_session_id'].every(name => textOf(row[name]) === undefined) &&
	content['isFromMe'] !== true &&
	at(content, 'author', 'isBot') !== true;

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

const incomingForm = (message: Message, hasSenders: boolean): Form => {
	const text = incomingText(message);
	if (!isTyped(message))
		return {kind: 'meta', text: text || (stringOf(message.row['content']) ?? '')};
	const sender = hasSenders && text !== '' ? senderOf(message) : undefined;
	const said = {kind: 'message', role: 'user'} as const;
	if (isSlashCommand(text)) return {...said, text, input: 'command'};
	return {...said, text: sender === undefined ? text : `${sender}: ${text}`};
};

/** Cards have a plain form beside them. */
const outgoingText = ({content}: Message): string | undefined =>
	firstText(content, ['text', 'markdown', 'fallbackText', 'question']);

const outgoingForm = (message: Message): Form => {
	const text = outgoingText(message);
	const isSaid = message.row['kind'] !== 'system' && at(message.content, 'action') === undefined;
	return text !== undefined && isSaid
		? {kind: 'message', role: 'assistant', text}
		: {kind: 'meta', text: stringOf(message.row['content']) ?? ''};
};

/** Id or number of the message that a later one replaces. */
export const editedBy = ({table, content}: Message): string | undefined => {
	if (table !== 'messages_out' || at(content, 'operation') !== 'edit') return undefined;
	const target = at(content, 'messageId');
	return textOf(target) ?? numberOf(target)?.toString();
};

export interface Shown {
	/** Several people write: prompts say who. */
	readonly hasSenders: boolean;
	/** Ids and numbers of messages that were replaced. */
	readonly edited: ReadonlySet<string>;
}

export const eventOf = (
	message: Message,
	{hasSenders, edited}: Shown,
): AdapterEvent | undefined => {
	const {table, id, seq, atMs} = message;
	const isOut = table === 'messages_out';
	const form = isOut ? outgoingForm(message) : incomingForm(message, hasSenders);
	if (form.text.trim() === '') return undefined;
	const isEdited = isOut && (edited.has(id) || edited.has(String(seq)));
	return {
		...form,
		...capText(form.text),
		key: eventKey(id),
		locator: {table, row: id},
		...compact({atMs, state: isEdited ? ('undone' as const) : undefined}),
	};
};
