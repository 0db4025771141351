/** What all generations have in common: prompts, calls, results. */

import {basename} from 'node:path';
import type {AdapterEvent, FileTouch} from '../model.js';
import type {Changes} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {capText, placeholder} from '../shared/content.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {isSlashCommand} from '../shared/slash-command.js';
import type {Line, Reading} from './state.js';

export type Form = Pick<AdapterEvent, 'kind' | 'text'> & Partial<AdapterEvent>;
type Fields = Record<string, unknown>;

const HEAD_CHARS = 300;

const CHANGES: Changes = {
	read: 'read',
	read_file: 'read',
	edit: 'edit',
	edit_file: 'edit',
	write: 'write',
	write_file: 'write',
	create: 'create',
	create_file: 'create',
	delete: 'delete',
	delete_file: 'delete',
	move: 'move',
};

/** The event of one block of a record. */
export const eventOf = ({key, atMs, locator}: Line, block: number, form: Form): AdapterEvent => ({
	...form,
	...compact({key: block === 0 ? key : `${key}.${block}`, atMs, locator}),
});

const imageText = (image: unknown): string => {
	const path = textOf(at(image, 'path'));
	return placeholder('image', {
		mediaType: textOf(at(image, 'media_type')),
		name: path === undefined ? undefined : basename(path),
	});
};

/** Work that the program itself began has a `work_id`; nobody types into a sub-agent. */
export const promptForm = ({state, session}: Reading, user: Fields): Form => {
	const text = [stringOf(user['text']) ?? '', ...listOf(user['images']).map(imageText)]
		.filter(part => part !== '')
		.join('\n');
	const isStarted = user['work_id'] !== undefined && user['work_id'] !== null;
	if (isStarted || session.isSubagent) return {kind: 'meta', ...capText(text)};
	state.firstPrompt ??= text.slice(0, HEAD_CHARS);
	const input = isSlashCommand(text) ? ('command' as const) : undefined;
	return {kind: 'message', ...capText(text), ...compact({role: 'user' as const, input})};
};

export const replyForm = ({state}: Reading, text: string, messageId: string): Form => ({
	kind: 'message',
	...capText(text),
	...compact({role: 'assistant' as const, messageId, model: state.model ?? undefined}),
});

export const callForm = (
	call: Fields,
	{id, name}: {readonly id: unknown; readonly name: unknown},
): Form => {
	const args = parseRecord(stringOf(call['arguments_json']) ?? '') ?? {};
	const tool = textOf(name) ?? 'unknown';
	const stated = callText(args);
	return {
		kind: 'tool_use',
		...capText(stated === '' ? (stringOf(call['arguments_json']) ?? '') : stated),
		tool: {
			...callFacts(args, entryOf(CHANGES, tool)),
			...compact({name: tool, callId: textOf(id)}),
		},
	};
};

export const isFailure = (status: unknown): boolean =>
	textOf(status) !== undefined && status !== 'success';

/** Files that a turn touched, as the record of its end lists them. */
export const touchesOf = (files: unknown): readonly FileTouch[] =>
	listOf(files).flatMap(file => {
		const {path, action} = recordOf(file);
		const [name, verb] = [textOf(path), textOf(action)];
		const change = verb === undefined ? undefined : entryOf(CHANGES, verb);
		return name === undefined || change === undefined ? [] : [{path: name, change}];
	});
