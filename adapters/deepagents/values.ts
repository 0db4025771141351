/** Values as LangGraph packs them: objects are extensions that hold `[module, class, arguments, method]`. */

import {isExtension, unpack} from '../shared/msgpack.js';
import {entryOf, isRecord, listOf, stringOf} from '../shared/narrow.js';
import {jsonIn} from '../shared/rows/events.js';
import type {Row} from '../shared/sqlite.js';

type Json = Readonly<Record<string, unknown>>;

/** Extensions can hold extensions, without an end. */
const DEPTH_LIMIT = 100;

/** What a write does to the messages. */
export type Change =
	| {readonly kind: 'message'; readonly message: Json}
	/** All messages before it are replaced. */
	| {readonly kind: 'reset'};

const DECODERS: Readonly<
	Record<string, (value: unknown) => {readonly value: unknown} | undefined>
> = {
	json(value) {
		const parsed = jsonIn(value instanceof Uint8Array ? Buffer.from(value).toString() : value);
		return parsed === undefined ? undefined : {value: parsed};
	},
	msgpack: value => (value instanceof Uint8Array ? unpack(value) : undefined),
};

/** A packed value; undefined when it is damaged, null when its kind holds nothing that can be read. */
export const decoded = (
	type: unknown,
	value: unknown,
): {readonly value: unknown} | undefined | null => {
	const decode = entryOf(DECODERS, stringOf(type));
	return decode === undefined ? null : decode(value);
};

const TYPES: Readonly<Record<string, string>> = {
	AIMessage: 'ai',
	AIMessageChunk: 'ai',
	HumanMessage: 'human',
	RemoveMessage: 'remove',
	SystemMessage: 'system',
	ToolMessage: 'tool',
};

const OVERWRITE = 'Overwrite';
const REMOVE_ALL = '__remove_all__';

const changeOf = (message: Json): Change =>
	message['type'] === 'remove' && message['id'] === REMOVE_ALL
		? {kind: 'reset'}
		: {kind: 'message', message};

/** The changes of a value: a message, a list of them, or what replaces the list. */
export const changesIn = (value: unknown, depth = DEPTH_LIMIT): readonly Change[] => {
	if (depth === 0) return [];
	if (Array.isArray(value)) return value.flatMap(item => changesIn(item, depth - 1));
	if (isRecord(value) && !isExtension(value)) return [changeOf(value)];
	const [, name, body] = isExtension(value) ? listOf(unpack(value.data)?.value) : [];
	if (name === OVERWRITE) {
		const inner = isRecord(body) && !isExtension(body) ? (body['value'] ?? body) : body;
		return [{kind: 'reset'}, ...changesIn(inner, depth - 1)];
	}
	if (!isRecord(body)) return [];
	return [changeOf({type: TYPES[stringOf(name) ?? ''], ...body})];
};

/** A value for a person's eyes. */
const readable = (value: unknown, depth = DEPTH_LIMIT): unknown => {
	if (value instanceof Uint8Array) return {base64: Buffer.from(value).toString('base64')};
	if (depth === 0) return '[nested too deeply]';
	if (isExtension(value)) {
		const inner = unpack(value.data);
		return readable(inner === undefined ? value.data : inner.value, depth - 1);
	}
	if (Array.isArray(value)) return value.map(item => readable(item, depth - 1));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, readable(inner, depth - 1)]),
	);
};

export const readableValue = ({type, value}: Row): unknown => {
	const found = decoded(type, value);
	return found === undefined || found === null ? readable(value) : readable(found.value);
};
