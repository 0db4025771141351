/** Decompresses Zstandard data in bounded memory: node's own decoder where it has one, else fzstd block by block. */

import * as zlib from 'node:zlib';
import {Decompress} from 'fzstd';
import type {Problem} from '../model.js';
import {errorText} from './errors.js';
import {type OpenFile, openFile} from './open-file.js';
import {
	BLOCK_HEADER_BYTES,
	blockHeader,
	CHECKSUM_BYTES,
	frameHeader,
	HEADER_BYTES,
	isFrameStart,
} from './zstd-frames.js';

/** Decoder of one whole frame. */
export type FrameDecoder = (frame: Uint8Array, options: {maxOutputLength: number}) => Uint8Array;

export interface DecompressOptions {
	/** Output beyond this is not given. */
	readonly capBytes: number;
	/** Decoder to use for small files instead of node's own. */
	readonly decoder?: FrameDecoder | undefined;
}

/** In node from 22.15 and 23.8 on: 406 MB/s against 43 to 51 of fzstd. */
const nativeDecoder =
	'zstdDecompressSync' in zlib ? (zlib.zstdDecompressSync as FrameDecoder) : undefined;

/** Node's decoder works on whole frames in memory: larger files and outputs are streamed. */
const NATIVE_FILE_LIMIT = 8 * 1024 * 1024;
const NATIVE_OUTPUT_LIMIT = 64 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** Compressed bytes with a look ahead. */
interface Input {
	/** Up to `count` bytes from the present place on; fewer only at the end. Valid until the next call. */
	peek(count: number): Uint8Array;
	skip(count: number): void;
}

const bufferInput = (bytes: Uint8Array): Input => {
	let place = 0;
	return {
		peek: count => bytes.subarray(place, place + count),
		skip(count) {
			place += count;
		},
	};
};

const fileInput = (file: OpenFile): Input => {
	// Holds the longest block and its header, whatever is still before it.
	const buffer = new Uint8Array(2 * READ_BYTES);
	let start = 0;
	let end = 0;
	let position = 0;
	const readMore = (): number => {
		buffer.copyWithin(0, start, end);
		end -= start;
		start = 0;
		const read = file.read(buffer.subarray(end), position);
		position += read;
		end += read;
		return read;
	};
	return {
		peek(count) {
			while (end - start < count && readMore() > 0);
			return buffer.subarray(start, Math.min(end, start + count));
		},
		skip(count) {
			const beyond = Math.max(0, count - (end - start));
			position += beyond;
			start = Math.min(end, start + count);
		},
	};
};

const truncated = (detail: string): Problem => ({code: 'truncated', detail: `zstd: ${detail}`});

/** How a frame ended: whole, in the middle of the data, or badly. */
type FrameEnd = 'whole' | 'torn' | Problem;

/** One frame, block by block; a block that is not whole is left out. */
function* streamFrame(
	input: Input,
	header: {readonly headerBytes: number; readonly hasChecksum: boolean},
): Generator<Uint8Array, FrameEnd> {
	const output: Uint8Array[] = [];
	const decoder = new Decompress(chunk => output.push(chunk));
	decoder.push(input.peek(header.headerBytes).slice());
	input.skip(header.headerBytes);
	for (;;) {
		const start = input.peek(BLOCK_HEADER_BYTES);
		if (start.length < BLOCK_HEADER_BYTES) return 'torn';
		const block = blockHeader(start);
		if (block === undefined) return truncated('not a block');
		const sizeBytes = BLOCK_HEADER_BYTES + block.bodyBytes;
		const bytes = input.peek(sizeBytes);
		if (bytes.length < sizeBytes) return 'torn';
		try {
			decoder.push(block.isLast ? lastPush(bytes, header.hasChecksum) : kept(bytes), block.isLast);
		} catch (error) {
			return truncated(errorText(error));
		}
		input.skip(sizeBytes);
		yield* output.splice(0);
		if (!block.isLast) continue;
		input.skip(header.hasChecksum ? CHECKSUM_BYTES : 0);
		return 'whole';
	}
}

/** fzstd holds on to a push that leaves it with less than a header could take, and copies all others. */
const kept = (bytes: Uint8Array): Uint8Array =>
	bytes.length < HEADER_BYTES ? bytes.slice() : bytes;

/** fzstd waits for a checksum, which it does not compare. */
const lastPush = (block: Uint8Array, hasChecksum: boolean): Uint8Array => {
	if (!hasChecksum) return block;
	const bytes = new Uint8Array(block.length + CHECKSUM_BYTES);
	bytes.set(block);
	return bytes;
};

/** All frames of the input. */
function* streamFrames(input: Input): Generator<Uint8Array, Problem | undefined> {
	for (;;) {
		const start = input.peek(HEADER_BYTES);
		const header = frameHeader(start);
		if (header.kind === 'garbage') return truncated(header.why);
		if (header.kind === 'torn') return undefined;
		if (header.kind === 'skippable') {
			input.skip(header.sizeBytes);
			continue;
		}
		const end = yield* streamFrame(input, header);
		if (end === 'torn') return undefined;
		if (end !== 'whole') return end;
	}
}

/** Where the frame that begins at `start` ends, if all of it is there. */
const frameEnd = (bytes: Uint8Array, start: number): number | undefined => {
	const header = frameHeader(bytes.subarray(start, start + HEADER_BYTES));
	if (header.kind === 'skippable') return start + header.sizeBytes;
	if (header.kind !== 'frame') return undefined;
	let place = start + header.headerBytes;
	for (;;) {
		if (place + BLOCK_HEADER_BYTES > bytes.length) return undefined;
		const block = blockHeader(bytes.subarray(place));
		if (block === undefined) return undefined;
		place += BLOCK_HEADER_BYTES + block.bodyBytes;
		if (block.isLast) break;
	}
	place += header.hasChecksum ? CHECKSUM_BYTES : 0;
	return place <= bytes.length ? place : undefined;
};

/** Whole frames by node's decoder; from the first one that it does not take on, fzstd goes on. */
function* nativeFrames(
	bytes: Uint8Array,
	decode: FrameDecoder,
	maxOutputLength: number,
): Generator<Uint8Array, Problem | undefined> {
	let start = 0;
	for (;;) {
		const end = frameEnd(bytes, start);
		if (end === undefined) break;
		try {
			yield decode(bytes.subarray(start, end), {maxOutputLength});
		} catch {
			break; // too large, or damaged: the part that is whole can still be had
		}
		start = end;
	}
	return yield* streamFrames(bufferInput(bytes.subarray(start)));
}

/** Cuts the output at the cap. */
function* capped(
	chunks: Generator<Uint8Array, Problem | undefined>,
	capBytes: number,
): Generator<Uint8Array, Problem | undefined> {
	let left = capBytes;
	for (;;) {
		const step = chunks.next();
		if (step.done === true) return step.value;
		if (step.value.length > left) {
			yield step.value.subarray(0, left);
			return {code: 'output-cap', detail: `more than ${capBytes} bytes when decompressed`};
		}
		left -= step.value.length;
		if (step.value.length > 0) yield step.value;
	}
}

/** Told by the first bytes, whatever the name says. */
export const isZstdFile = (file: OpenFile): boolean => {
	const magic = new Uint8Array(4);
	return file.read(magic, 0) === 4 && isFrameStart(magic);
};

export const isZstd = (path: string): boolean => {
	const file = openFile(path);
	try {
		return isZstdFile(file);
	} finally {
		file.close();
	}
};

const readWhole = (file: OpenFile): Uint8Array => {
	const bytes = new Uint8Array(file.sizeBytes);
	let filled = 0;
	for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
		read = file.read(bytes.subarray(filled), filled);
	}
	return bytes.subarray(0, filled);
};

/** As `decompressFile`, of a file that is open; closes it. */
export function* decompressOpenFile(
	file: OpenFile,
	{capBytes, decoder = nativeDecoder}: DecompressOptions,
): Generator<Uint8Array, Problem | undefined> {
	try {
		const chunks =
			decoder !== undefined && file.sizeBytes <= NATIVE_FILE_LIMIT
				? nativeFrames(readWhole(file), decoder, NATIVE_OUTPUT_LIMIT)
				: streamFrames(fileInput(file));
		return yield* capped(chunks, capBytes);
	} finally {
		file.close();
	}
}

/**
 * The content of a compressed file in chunks, frame after frame. A frame that ends too early gives what is whole and no problem
 * (its writer is still at it); garbage and the cap are returned as a problem.
 *
 * @throws SourceUnreadable
 */
export function* decompressFile(
	path: string,
	options: DecompressOptions,
): Generator<Uint8Array, Problem | undefined> {
	return yield* decompressOpenFile(openFile(path), options);
}

/** The content of a compressed blob up to the cap, or as much of it as is whole. */
export const decompressBuffer = (
	bytes: Uint8Array,
	capBytes: number,
	onProblem?: (problem: Problem) => void,
): Uint8Array => {
	const frames =
		nativeDecoder === undefined
			? streamFrames(bufferInput(bytes))
			: nativeFrames(bytes, nativeDecoder, Math.min(capBytes, NATIVE_OUTPUT_LIMIT));
	const chunks = capped(frames, capBytes);
	const parts: Uint8Array[] = [];
	for (;;) {
		const step = chunks.next();
		if (step.done === true) {
			if (step.value !== undefined) onProblem?.(step.value);
			return Buffer.concat(parts);
		}
		parts.push(step.value);
	}
};
