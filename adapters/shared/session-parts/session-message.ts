/**
 * Rows of `session_message`, the newer form of a talk (empty after usual runs of OpenCode 1.18.34, the only form in some databases
 * of Kilo): the kind stands in a column and the content in one list. They are read as messages with parts.
 */

import type {Locator} from '../../model.js';
import {listOf, recordOf} from '../narrow.js';
import type {Json, StoredMessage} from './records.js';

export interface NewMessage {
	readonly id: string;
	readonly type: string;
	readonly locator: Locator;
	readonly createdAt: unknown;
	data(): Json | undefined;
}

/** What the other form says of the same message: fields of the message, and its parts. */
interface OldForm {
	readonly message: Json;
	readonly parts: readonly Json[];
}

type Convert = (data: Json) => OldForm;

const text = (value: unknown): Json => ({type: 'text', text: value});
const none: Convert = () => ({message: {}, parts: []});

const toolBlock = (block: Json): Json => {
	const {id, name, state, time} = block;
	const [start, end] = [recordOf(time)['created'], recordOf(time)['completed']];
	return {type: 'tool', callID: id, tool: name, state: {time: {start, end}, ...recordOf(state)}};
};

const user: Convert = data => ({
	message: {role: 'user'},
	parts: [
		text(data['text']),
		...listOf(data['files']).map(file => ({...recordOf(file), type: 'file'})),
	],
});

const assistant: Convert = data => ({
	message: {role: 'assistant'},
	parts: listOf(data['content']).map(block => {
		const fields = recordOf(block);
		return fields['type'] === 'tool' ? toolBlock(fields) : fields;
	}),
});

/** A command that the user ran; the older form has it as a tool call as well. */
const shell: Convert = ({command, output}) => ({
	message: {role: 'assistant'},
	parts: [{type: 'tool', tool: 'shell', state: {status: 'completed', input: {command}, output}}],
});

const TYPES: ReadonlyMap<string, Convert> = new Map([
	['user', user],
	['synthetic', data => ({message: {role: 'user', synthetic: true}, parts: [text(data['text'])]})],
	['assistant', assistant],
	['shell', shell],
	[
		'compaction',
		data => ({message: {role: 'assistant', summary: true}, parts: [text(data['summary'])]}),
	],
	...['system', 'agent-switched', 'model-switched'].map(type => [type, none] as const),
]);

/** A kind that is not known keeps its name as the role, and is counted as such. */
const convert = (type: string, data: Json): OldForm =>
	TYPES.get(type)?.(data) ?? {message: {role: type}, parts: []};

export const newMessage = ({id, type, locator, createdAt, data}: NewMessage): StoredMessage => {
	let read: {readonly record: Json | undefined} | undefined;
	const record = (): Json | undefined => {
		read ??= {record: data()};
		return read.record;
	};
	return {
		id,
		locator,
		createdAt,
		data: () => {
			const fields = record();
			return fields && {...fields, ...convert(type, fields).message};
		},
		parts: () =>
			convert(type, record() ?? {}).parts.map((part, block) => ({
				id: block === 0 ? id : `${id}.${block}`,
				data: part,
				locator,
			})),
	};
};
