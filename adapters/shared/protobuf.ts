/** Reads protobuf without a schema: field numbers and wire types are all it needs. */

import {timeMs} from './time.js';

/** A field of a message. Numbers beyond 2^53 are not exact; 32 and 64 bit fields are given as bytes. */
export interface ProtoField {
	readonly number: number;
	readonly value: number | Uint8Array;
}

interface Step {
	readonly value: number;
	readonly end: number;
}

const MAX_VARINT_BYTES = 10;

const varintAt = (bytes: Uint8Array, start: number): Step | undefined => {
	let value = 0;
	let scale = 1;
	for (let place = start; place < start + MAX_VARINT_BYTES; place += 1) {
		const byte = bytes[place];
		if (byte === undefined) return undefined;
		value += (byte & 0x7f) * scale;
		if (byte < 0x80) return {value, end: place + 1};
		scale *= 128;
	}
	return undefined;
};

interface Read {
	readonly value: number | Uint8Array;
	readonly end: number;
}

const fixed =
	(size: number) =>
	(bytes: Uint8Array, start: number): Read => ({
		value: bytes.subarray(start, start + size),
		end: start + size,
	});

/** Wire type → how its value is read. Groups (3, 4) are out of use. */
const WIRE_TYPES: Readonly<Record<number, (bytes: Uint8Array, start: number) => Read | undefined>> =
	{
		0: varintAt,
		1: fixed(8),
		2(bytes, start) {
			const length = varintAt(bytes, start);
			if (length === undefined) return undefined;
			const end = length.end + length.value;
			return {value: bytes.subarray(length.end, end), end};
		},
		5: fixed(4),
	};

/** The fields of a message in their order; undefined when the bytes are none. */
export const protoFields = (bytes: Uint8Array): readonly ProtoField[] | undefined => {
	const fields: ProtoField[] = [];
	for (let place = 0; place < bytes.length; ) {
		const key = varintAt(bytes, place);
		if (key === undefined || key.value < 8) return undefined;
		const field = WIRE_TYPES[key.value % 8]?.(bytes, key.end);
		if (field === undefined || field.end > bytes.length) return undefined;
		fields.push({number: Math.floor(key.value / 8), value: field.value});
		place = field.end;
	}
	return fields;
};

/** All byte strings under a field number. */
export const bytesOf = (
	fields: readonly ProtoField[] | undefined,
	number: number,
): readonly Uint8Array[] =>
	(fields ?? []).flatMap(field =>
		field.number === number && typeof field.value !== 'number' ? [field.value] : [],
	);

/** The first text under a field number. */
export const protoText = (
	fields: readonly ProtoField[] | undefined,
	number: number,
): string | undefined => {
	const [bytes] = bytesOf(fields, number);
	return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
};

/** The first varint under a field number. */
export const protoNumber = (
	fields: readonly ProtoField[] | undefined,
	number: number,
): number | undefined => {
	const field = (fields ?? []).find(
		item => item.number === number && typeof item.value === 'number',
	);
	return typeof field?.value === 'number' ? field.value : undefined;
};

/** The bytes at the end of a path of field numbers; of a field that repeats the last one counts. */
export const protoAt = (bytes: Uint8Array, ...path: readonly number[]): Uint8Array | undefined =>
	path.reduce<Uint8Array | undefined>(
		(inner, number) =>
			inner === undefined ? undefined : bytesOf(protoFields(inner), number).at(-1),
		bytes,
	);

/** As `protoAt`, as text. */
export const textAt = (bytes: Uint8Array, ...path: readonly number[]): string | undefined => {
	const found = protoAt(bytes, ...path);
	return found === undefined ? undefined : Buffer.from(found).toString('utf8');
};

/** A `Timestamp`: seconds and nanoseconds. */
export const protoTimeMs = (bytes: Uint8Array | undefined): number | undefined => {
	const fields = bytes === undefined ? undefined : protoFields(bytes);
	const seconds = protoNumber(fields, 1);
	if (seconds === undefined) return undefined;
	return timeMs(seconds * 1000 + Math.floor((protoNumber(fields, 2) ?? 0) / 1_000_000));
};

const CONTROLS = /[\0-\x08\x0b-\x1f\x7f\ufffd]/;
const VALUE_DEPTH = 32;

const readableValue = (bytes: Uint8Array, depth: number): unknown => {
	const text = Buffer.from(bytes).toString('utf8');
	if (!CONTROLS.test(text)) return text;
	const fields = depth === 0 ? undefined : protoFields(bytes);
	return fields === undefined
		? {base64: Buffer.from(bytes).toString('base64')}
		: treeOf(fields, depth);
};

const treeOf = (fields: readonly ProtoField[], depth: number): Record<string, unknown[]> => {
	const tree: Record<string, unknown[]> = {};
	for (const {number, value} of fields) {
		const readable = typeof value === 'number' ? value : readableValue(value, depth - 1);
		tree[number] = [...(tree[number] ?? []), readable];
	}
	return tree;
};

/** A message for a person's eyes: lists of values by field number. What looks like text is text. */
export const protoTree = (bytes: Uint8Array): unknown => {
	const fields = protoFields(bytes);
	return fields === undefined ? readableValue(bytes, 0) : treeOf(fields, VALUE_DEPTH);
};
