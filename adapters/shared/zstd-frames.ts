/**
 * The outer form of Zstandard data (RFC 8878): frames of blocks. Walked here, because fzstd neither tells a torn frame from
 * garbage before it has thrown, nor bounds the window that it allocates.
 */

/** 128 MiB, what other decoders accept by default. */
const WINDOW_LIMIT = 2 ** 27;
const BLOCK_LIMIT = 2 ** 17;

/** Longest frame header: magic 4, descriptor 1, window 1, dictionary 4, content size 8. */
export const HEADER_BYTES = 18;
export const BLOCK_HEADER_BYTES = 3;
export const CHECKSUM_BYTES = 4;

export type FrameHeader =
	| {readonly kind: 'frame'; readonly headerBytes: number; readonly hasChecksum: boolean}
	/** Data of somebody else, to be passed over. */
	| {readonly kind: 'skippable'; readonly sizeBytes: number}
	/** The data ends in the header. */
	| {readonly kind: 'torn'}
	| {readonly kind: 'garbage'; readonly why: string};

export interface BlockHeader {
	readonly isLast: boolean;
	/** Bytes that follow the block header. */
	readonly bodyBytes: number;
}

const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

/** The four bytes that begin a frame. */
export const isFrameStart = (bytes: Uint8Array): boolean =>
	bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;

const isSkippableStart = (bytes: Uint8Array): boolean =>
	((bytes[0] ?? 0) & 0xf0) === 0x50 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;

const littleEndian = (bytes: Uint8Array): number => {
	let value = 0;
	for (const byte of [...bytes].reverse()) value = value * 256 + byte;
	return value;
};

const windowOf = (descriptor: number): number => {
	const base = 2 ** (10 + (descriptor >> 3));
	return base + (base / 8) * (descriptor & 7);
};

/** Reads the header that begins `bytes` (as many as there are, up to `HEADER_BYTES`). */
export const frameHeader = (bytes: Uint8Array): FrameHeader => {
	if (bytes.length < 5) return {kind: 'torn'};
	if (isSkippableStart(bytes)) {
		if (bytes.length < 8) return {kind: 'torn'};
		return {kind: 'skippable', sizeBytes: 8 + littleEndian(bytes.subarray(4, 8))};
	}
	if (!isFrameStart(bytes)) return {kind: 'garbage', why: 'no frame where one should begin'};
	const descriptor = bytes[4] ?? 0;
	const isSingleSegment = (descriptor & 0x20) !== 0;
	const dictionaryBytes = DICTIONARY_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3];
	const sizeFlag = (descriptor >> 6) as 0 | 1 | 2 | 3;
	const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag];
	const sizeAt = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
	if (bytes.length < sizeAt + sizeBytes) return {kind: 'torn'};
	if ((descriptor & 8) !== 0) return {kind: 'garbage', why: 'reserved bit in a frame header'};
	const window = isSingleSegment
		? littleEndian(bytes.subarray(sizeAt, sizeAt + sizeBytes)) + (sizeFlag === 1 ? 256 : 0)
		: windowOf(bytes[5] ?? 0);
	if (window > WINDOW_LIMIT) return {kind: 'garbage', why: `window of ${window} bytes`};
	return {
		kind: 'frame',
		headerBytes: sizeAt + sizeBytes,
		hasChecksum: (descriptor & 4) !== 0,
	};
};

/** Reads the three bytes before a block; undefined if they cannot be that. */
export const blockHeader = (bytes: Uint8Array): BlockHeader | undefined => {
	const value = littleEndian(bytes.subarray(0, BLOCK_HEADER_BYTES));
	const type = (value >> 1) & 3;
	const sizeBytes = value >> 3;
	if (type === 3 || sizeBytes > BLOCK_LIMIT) return undefined;
	// A run-length block states how often its one byte is repeated.
	return {isLast: (value & 1) !== 0, bodyBytes: type === 1 ? 1 : sizeBytes};
};
