/** `google.protobuf.Struct`: JSON as protobuf. */

import {bytesOf, type ProtoField, protoAt, protoFields, textAt} from '../shared/protobuf.js';

const DEPTH_LIMIT = 32;

const doubleIn = (value: ProtoField['value']): number | undefined =>
	typeof value !== 'number' && value.length === 8 ? Buffer.from(value).readDoubleLE() : undefined;

const listIn = (bytes: Uint8Array, depth: number): readonly unknown[] =>
	bytesOf(protoFields(bytes), 1).map(value => valueIn(value, depth));

const fieldsIn = (bytes: Uint8Array, depth: number): Record<string, unknown> =>
	Object.fromEntries(
		bytesOf(protoFields(bytes), 1).map(entry => [
			textAt(entry, 1) ?? '',
			valueIn(protoAt(entry, 2) ?? new Uint8Array(), depth),
		]),
	);

/** The kinds of a `Value` by field number. */
const KINDS: Readonly<Record<number, (value: ProtoField['value'], depth: number) => unknown>> = {
	1: () => null,
	2: doubleIn,
	3: value => (typeof value === 'number' ? undefined : Buffer.from(value).toString('utf8')),
	4: value => value === 1,
	5: (value, depth) => (typeof value === 'number' ? undefined : fieldsIn(value, depth - 1)),
	6: (value, depth) => (typeof value === 'number' ? undefined : listIn(value, depth - 1)),
};

const valueIn = (bytes: Uint8Array, depth: number): unknown => {
	const field = depth === 0 ? undefined : protoFields(bytes)?.at(-1);
	return field === undefined ? undefined : KINDS[field.number]?.(field.value, depth);
};

export const structOf = (bytes: Uint8Array): Readonly<Record<string, unknown>> =>
	fieldsIn(bytes, DEPTH_LIMIT);
