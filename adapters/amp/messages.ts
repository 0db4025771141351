/** Messages of a thread, block by block. */

import {basename} from 'node:path';
import {type AdapterEvent, eventKey, type Locator} from '../model.js';
import type {Changes} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {capText, jsonText, placeholder} from '../shared/content.js';
import {at, entryOf, isRecord, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {isSlashCommand} from '../shared/slash-command.js';

/** Where the message stands, and what its events share. */
export interface Message {
	readonly role: string;
	readonly blocks: readonly unknown[];
	readonly key: string;
	readonly atMs: number | undefined;
	readonly locator: Locator;
	readonly model: string | undefined;
	/** A time of sending is the mark of what a person typed. */
	readonly isSent: boolean;
	/** Call id → tool name. */
	readonly names: Map<string, string>;
}

type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;

const eventOf = ({key, atMs, locator}: Message, block: number, form: Form): AdapterEvent => ({
	...form,
	...capText(form.text),
	...compact({key: eventKey(key, block), atMs, locator}),
});

const CHANGES: Changes = {
	Read: 'read',
	edit_file: 'edit',
	create_file: 'create',
	delete_file: 'delete',
	undo_edit: 'edit',
};

const callForm = (block: Record<string, unknown>, {names}: Message): Form => {
	const name = textOf(block['name']) ?? 'unknown';
	const callId = textOf(block['id']);
	if (callId !== undefined) names.set(callId, name);
	const args = recordOf(block['input']);
	const facts = callFacts(args, entryOf(CHANGES, name));
	return {
		kind: 'tool_use',
		text: callText(args),
		tool: {...facts, ...compact({name, callId})},
	};
};

const outputText = (run: Record<string, unknown>): string => {
	const {result} = run;
	if (typeof result === 'string') return result;
	const texts = Array.isArray(result)
		? [result.map(item => stringOf(at(item, 'text')) ?? '').join('\n')]
		: [at(result, 'output'), at(result, 'content'), at(run, 'error', 'message'), run['error']];
	const text = texts.map(stringOf).find(value => value !== undefined);
	return text ?? (result === undefined || result === null ? '' : jsonText(result));
};

const FAILURES: ReadonlySet<unknown> = new Set(['error', 'cancelled', 'rejected-by-user']);

const resultForm = (block: Record<string, unknown>, {names}: Message): Form => {
	const callId = textOf(block['toolUseID']) ?? textOf(block['tool_use_id']);
	const run = recordOf(block['run']);
	// -1 stands for none.
	const stated = numberOf(at(run, 'result', 'exitCode'));
	const exitCode = stated !== undefined && Number.isSafeInteger(stated) && stated >= 0;
	const isError = FAILURES.has(run['status']) || (exitCode && stated > 0);
	return {
		kind: 'tool_result',
		text: outputText(run),
		tool: compact({
			name: callId === undefined ? undefined : names.get(callId),
			callId,
			isError: isError ? true : undefined,
			exitCode: exitCode ? stated : undefined,
		}),
	};
};

const BLOCKS: Readonly<Record<string, (block: Record<string, unknown>, message: Message) => Form>> =
	{
		text: (block, {key, model}) => ({
			kind: 'message',
			text: stringOf(block['text']) ?? '',
			...compact({role: 'assistant' as const, messageId: key, model}),
		}),
		thinking: (block, {key, model}) => ({
			kind: 'reasoning',
			text: stringOf(block['thinking']) ?? '',
			...compact({messageId: key, model}),
		}),
		tool_use: callForm,
		tool_result: resultForm,
	};

const imageText = (block: Record<string, unknown>): string => {
	const source = recordOf(block['source']);
	const path = textOf(block['sourcePath']);
	return placeholder('image', {
		mediaType: textOf(source['mediaType']) ?? textOf(source['media_type']),
		name: path === undefined ? undefined : basename(path),
	});
};

const INJECTED = /^\s*<(?:system-reminder|environment|attached[-_]files)\b/;

const promptForm = (text: string, isCarrier: boolean): Form => {
	if (isCarrier || INJECTED.test(text)) return {kind: 'meta', text};
	const message = {kind: 'message', role: 'user', text} as const;
	return isSlashCommand(text) ? {...message, input: 'command'} : message;
};

/** Texts and images of a user message are one prompt. A message that brings results was sent by nobody unless it says so. */
export const promptEvents = (message: Message): readonly AdapterEvent[] => {
	const places: number[] = [];
	const texts: string[] = [];
	for (const [place, block] of message.blocks.entries()) {
		const {type, text} = recordOf(block);
		if (type !== 'text' && type !== 'image') continue;
		places.push(place);
		texts.push(type === 'text' ? (stringOf(text) ?? '') : imageText(recordOf(block)));
	}
	const text = texts.filter(part => part !== '').join('\n');
	const hasResults = message.blocks.some(block => at(block, 'type') === 'tool_result');
	const form = promptForm(text, hasResults && !message.isSent);
	return text.trim() === '' ? [] : [eventOf(message, places[0] ?? 0, form)];
};

export const blockEvents = (message: Message, report: (kind: string) => void): AdapterEvent[] =>
	message.blocks.flatMap((block, place) => {
		const type = stringOf(at(block, 'type')) ?? 'none';
		const isPrompt = message.role === 'user' && (type === 'text' || type === 'image');
		if (isPrompt || !isRecord(block)) return [];
		if (type === 'image') {
			const text = imageText(block);
			return [eventOf(message, place, {kind: 'message', role: 'assistant', text})];
		}
		const form = entryOf(BLOCKS, type)?.(block, message);
		if (form === undefined) {
			report(`block/${type.slice(0, 80)}`);
			return [];
		}
		return form.tool === undefined && form.text.trim() === ''
			? []
			: [eventOf(message, place, form)];
	});
