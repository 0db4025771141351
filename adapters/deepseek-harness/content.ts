/** Content blocks as text and events. */

import type {Changes} from '../shared/calls/changes.js';
import {callFacts, callText} from '../shared/calls/facts.js';
import {compact} from '../shared/compact.js';
import {base64Bytes, capText, placeholder} from '../shared/content.js';
import {at, entryOf, listOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {parseRecord} from '../shared/records.js';
import {type Form, type Reading, type Row, rememberCall} from './state.js';

const PLACEHOLDERS = {image: 'image', file: 'file', audio: 'audio', document: 'document'} as const;

const isPlaceholder = (type: string): type is keyof typeof PLACEHOLDERS =>
	Object.hasOwn(PLACEHOLDERS, type);

/** The text of a block; undefined for one that holds none. */
const blockText = (block: unknown): string | undefined => {
	const type = stringOf(at(block, 'type')) ?? '';
	if (type === 'text') return stringOf(at(block, 'text'));
	if (!isPlaceholder(type)) return undefined;
	const data = textOf(at(block, 'data'));
	return placeholder(PLACEHOLDERS[type], {
		mediaType: textOf(at(block, 'mediaType')) ?? textOf(at(block, 'mimeType')),
		sizeBytes: data === undefined ? undefined : base64Bytes(data),
		name: textOf(at(block, 'name')) ?? textOf(at(block, 'fileName')),
	});
};

/** Content is a list of blocks, or a text. */
export const contentText = (content: unknown): string =>
	typeof content === 'string'
		? content
		: listOf(content)
				.map(blockText)
				.filter(text => text !== undefined && text !== '')
				.join('\n');

export const emit = ({batch}: Reading, {key, atMs, locator}: Row, form: Form, block = 0): void => {
	if (form.text.trim() === '' && form.tool === undefined) return;
	const place = compact({key: block === 0 ? key : `${key}.${block}`, atMs, locator});
	batch.event({...form, ...capText(form.text), ...place});
};

const CHANGES: Changes = {
	read: 'read',
	edit: 'edit',
	multi_edit: 'edit',
	multiedit: 'edit',
	write: 'write',
	apply_patch: 'edit',
};

/** A call from a message, from an event of its own, or put together from pieces. */
export const callForm = (
	{state}: Reading,
	call: {readonly id: unknown; readonly name: unknown; readonly arguments: unknown},
): Form => {
	const name = textOf(call.name) ?? 'unknown';
	const callId = textOf(call.id);
	const stated = stringOf(call.arguments) ?? '';
	const args = parseRecord(stated) ?? recordOf(call.arguments);
	const text = callText(args);
	rememberCall(state, callId, name);
	return {
		kind: 'tool_use',
		text: text === '' ? stated : text,
		tool: {
			...callFacts(args, entryOf(CHANGES, name)),
			...compact({name, callId}),
		},
	};
};
