/** Parts of a message: `{type, data}`, each a text, a thought, a call, a result or a file. */

import type {Changes} from '../shared/calls/changes.js';
import {compact} from '../shared/compact.js';
import {at, booleanOf, entryOf, numberOf, recordOf, stringOf, textOf} from '../shared/narrow.js';
import {
	argumentsOf,
	callForm,
	eventOf,
	type Form,
	mediaText,
	type Place,
	reasoningForm,
	replyForm,
	resultForm,
	type Talk,
	userForm,
} from '../shared/rows/events.js';

export interface Message {
	readonly role: string;
	readonly isSummary: boolean;
	readonly place: Place;
	readonly talk: Talk;
}

type Data = Readonly<Record<string, unknown>>;

const CHANGES: Changes = {
	edit: 'edit',
	multiedit: 'edit',
	read: 'read',
	view: 'read',
	write: 'write',
};

const textForm = (text: string, {role, isSummary, place, talk}: Message): Form => {
	// After a compaction the summary is given to the model as the user's.
	if (isSummary) return {kind: 'summary', text};
	if (role === 'assistant') return replyForm(text, place);
	if (role !== 'user') return {kind: 'meta', text};
	return userForm(text, talk);
};

const called = (data: Data, {talk, place}: Message): Form => {
	const name = textOf(data['name']) ?? 'unknown';
	return callForm(
		{name, callId: textOf(data['id']), args: argumentsOf(data['input'])},
		{change: entryOf(CHANGES, name), names: talk.names, place},
	);
};

const answered = (data: Data, {talk}: Message): Form => {
	const media = textOf(data['data']);
	const picture =
		media === undefined ? '' : mediaText('image', {data: media, mediaType: data['mime_type']});
	return resultForm(
		[stringOf(data['content']) ?? '', picture].filter(text => text !== '').join('\n'),
		{
			callId: textOf(data['tool_call_id']),
			name: textOf(data['name']),
			isError: booleanOf(data['is_error']),
		},
		talk.names,
	);
};

/** `! command`: run by the user, and shown to the model with its output. */
const shellForms = (data: Data, {place, talk: {names}}: Message): readonly Form[] => {
	const shell = {name: 'shell', callId: undefined};
	const args = {command: stringOf(data['command']) ?? ''};
	const exitCode = numberOf(data['exit_code']);
	const isError = exitCode !== undefined && exitCode !== 0;
	return [
		callForm({...shell, args}, {change: undefined, names, place}),
		resultForm(stringOf(data['output']) ?? '', {...shell, isError, ...compact({exitCode})}, names),
	];
};

const FAILURES: ReadonlySet<unknown> = new Set(['canceled', 'content_filter', 'error']);

/** How a reply ended is worth a line only if it went wrong. */
const finished = ({reason, message, details}: Data): readonly Form[] => {
	if (!FAILURES.has(reason)) return [];
	const said = [message, details].map(textOf).filter(text => text !== undefined);
	return [{kind: 'meta', text: [`[${reason}]`, ...said].join(' ')}];
};

const media = (data: Data): string =>
	mediaText('image', {url: data['url'], data: data['Data'], mediaType: data['MIMEType']});

const PARTS: Readonly<Record<string, (data: Data, message: Message) => readonly Form[]>> = {
	binary: (data, message) => [textForm(media(data), message)],
	finish: finished,
	image_url: (data, message) => [textForm(media(data), message)],
	reasoning({thinking}, {place}) {
		const thought = textOf(thinking);
		return thought === undefined ? [] : [reasoningForm(thought, place)];
	},
	shell_command: shellForms,
	text({text}, message) {
		const said = textOf(text);
		return said === undefined ? [] : [textForm(said, message)];
	},
	tool_call: (data, message) => [called(data, message)],
	tool_result: (data, message) => [answered(data, message)],
};

const MEDIA: ReadonlySet<string> = new Set(['binary', 'image_url']);
const typeOf = (part: unknown): string => stringOf(at(part, 'type')) ?? 'none';

const withMedia = (form: Form, parts: readonly unknown[]): Form => ({
	...form,
	text: [
		form.text,
		...parts.filter(part => MEDIA.has(typeOf(part))).map(part => media(recordOf(at(part, 'data')))),
	].join('\n'),
});

/** Emits the events of a message, part by part. Files belong to its text: a prompt is one message. */
export const readParts = (parts: readonly unknown[], message: Message): void => {
	const {place, talk} = message;
	const spoken = parts.findIndex(
		part => typeOf(part) === 'text' && textOf(at(part, 'data', 'text')) !== undefined,
	);
	for (const [index, part] of parts.entries()) {
		const type = typeOf(part);
		const read = entryOf(PARTS, type);
		if (read === undefined) talk.batch.unknown(`part/${type.slice(0, 80)}`);
		if (spoken !== -1 && MEDIA.has(type)) continue;
		const [form, output] = read?.(recordOf(at(part, 'data')), message) ?? [];
		if (form === undefined) continue;
		talk.batch.event(eventOf(place, index, index === spoken ? withMedia(form, parts) : form));
		if (output === undefined) continue;
		talk.batch.event(eventOf({...place, key: `${place.key}-output`}, index, output));
	}
};
