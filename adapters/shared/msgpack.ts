/** Reads MessagePack, extension types included. */

/** A value of a kind that the format leaves to its users. */
export interface MsgpackExtension {
	readonly extension: number;
	readonly data: Uint8Array;
}

export const isExtension = (value: unknown): value is MsgpackExtension =>
	typeof value === 'object' && value !== null && 'extension' in value && 'data' in value;

const DEPTH_LIMIT = 200;

/** Reading beyond the end throws what `unpack` catches. */
interface Input {
	readonly buffer: Buffer;
	place: number;
	depth: number;
}

class MalformedError extends Error {}

const take = (input: Input, count: number): number => {
	const start = input.place;
	if (start + count > input.buffer.length) throw new MalformedError('too short');
	input.place += count;
	return start;
};

const unsigned = (input: Input, size: number): number =>
	size === 8
		? Number(input.buffer.readBigUInt64BE(take(input, size)))
		: input.buffer.readUIntBE(take(input, size), size);

const signed = (input: Input, size: number): number =>
	size === 8
		? Number(input.buffer.readBigInt64BE(take(input, size)))
		: input.buffer.readIntBE(take(input, size), size);

const bytes = (input: Input, count: number): Buffer =>
	input.buffer.subarray(take(input, count), input.place);

const text = (input: Input, count: number): string => bytes(input, count).toString();

const list = (input: Input, count: number): unknown[] => {
	const values: unknown[] = [];
	for (let index = 0; index < count; index += 1) values.push(read(input));
	return values;
};

/** Of a key that comes twice the last one counts. */
const map = (input: Input, count: number): Record<string, unknown> => {
	const entries: [string, unknown][] = [];
	for (let index = 0; index < count; index += 1) entries.push([String(read(input)), read(input)]);
	return Object.fromEntries(entries);
};

const extension = (input: Input, count: number): MsgpackExtension => ({
	extension: signed(input, 1),
	data: bytes(input, count),
});

type Reader = (input: Input, count: number) => unknown;

const sized = (readValue: Reader, size: number) => (input: Input) =>
	readValue(input, unsigned(input, size));

const fixed = (readValue: Reader, count: number) => (input: Input) => readValue(input, count);

/** By first byte, from 0xc0 on. 0xc1 is never used. */
const FORMATS: readonly (((input: Input) => unknown) | undefined)[] = [
	() => null,
	undefined,
	() => false,
	() => true,
	...[1, 2, 4].map(size => sized(bytes, size)),
	...[1, 2, 4].map(size => sized(extension, size)),
	input => input.buffer.readFloatBE(take(input, 4)),
	input => input.buffer.readDoubleBE(take(input, 8)),
	...[1, 2, 4, 8].map(size => fixed(unsigned, size)),
	...[1, 2, 4, 8].map(size => fixed(signed, size)),
	...[1, 2, 4, 8, 16].map(count => fixed(extension, count)),
	...[1, 2, 4].map(size => sized(text, size)),
	...[2, 4].map(size => sized(list, size)),
	...[2, 4].map(size => sized(map, size)),
];

const readOne = (input: Input): unknown => {
	const first = unsigned(input, 1);
	if (first < 0x80) return first;
	if (first >= 0xe0) return first - 0x100;
	if (first < 0x90) return map(input, first & 0x0f);
	if (first < 0xa0) return list(input, first & 0x0f);
	if (first < 0xc0) return text(input, first & 0x1f);
	const format = FORMATS[first - 0xc0];
	if (format === undefined) throw new MalformedError('no such format');
	return format(input);
};

const read = (input: Input): unknown => {
	if (input.depth >= DEPTH_LIMIT) throw new MalformedError('nested too deeply');
	input.depth += 1;
	const value = readOne(input);
	input.depth -= 1;
	return value;
};

/** The one value that the bytes hold; undefined when they are cut off, malformed, or more than one. */
export const unpack = (packed: Uint8Array): {readonly value: unknown} | undefined => {
	const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
	const input: Input = {buffer, place: 0, depth: 0};
	try {
		const value = read(input);
		return input.place === packed.byteLength ? {value} : undefined;
	} catch (error) {
		if (error instanceof MalformedError) return undefined;
		throw error;
	}
};
