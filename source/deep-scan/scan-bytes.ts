/** Finds a pattern in a stream of bytes, in bounded memory and without cutting lines. */
import type {ByteInput} from '../../adapters/shared/bytes.js';
import type {LiteralPattern} from './literal.js';

/** A place of the pattern, and the bytes around it. */
export interface ByteMatch {
	readonly kind: 'match';
	/** Of the match, in (decompressed) bytes. */
	readonly offset: number;
	/** What stands around it in the same line, for a line of text. */
	readonly around: string;
}

/** So many bytes were looked at since the last one. */
export interface Scanned {
	readonly kind: 'scanned';
	readonly sizeBytes: number;
}

// Larger ones cost more to collect than they spare in calls.
const CHUNK_BYTES = 256 * 1024;
const BEFORE_BYTES = 120;
const AFTER_BYTES = 480;
const LF = 10;

/**
 * Every match but those that overlap one before. `next` takes the offset from which on the next one is wanted, such as behind the
 * record that holds this one.
 */
export function* scanBytes(
	input: ByteInput,
	{inBytes, maxBytes}: Pick<LiteralPattern, 'inBytes' | 'maxBytes'>,
	chunkBytes = CHUNK_BYTES,
): Generator<ByteMatch | Scanned, void, number | undefined> {
	const carried = maxBytes + AFTER_BYTES;
	const buffer = takeBuffer(chunkBytes + carried + BEFORE_BYTES);
	/** Offset of the first byte in the buffer. */
	let base = 0;
	let filled = 0;
	let from = 0;
	for (let isOver = false; !isOver; ) {
		const before = filled;
		for (let read = -1; read !== 0 && filled < buffer.length; filled += read)
			read = input.read(buffer.subarray(filled));
		isOver = filled < buffer.length;
		// A match that begins later may go on, or be followed by more of its line, in the next chunk.
		const end = isOver ? filled : filled - carried;
		const text = buffer.toString('latin1', 0, filled);
		for (;;) {
			inBytes.lastIndex = Math.max(0, from - base);
			const found = inBytes.lastIndex < end ? inBytes.exec(text) : null;
			if (found === null || found.index >= end) break;
			const offset = base + found.index;
			const around = lineAround(buffer.subarray(0, filled), found.index, found[0].length);
			const wanted = yield {kind: 'match', offset, around};
			from = Math.max(wanted ?? 0, offset + found[0].length);
		}
		from = Math.max(from, base + end);
		yield {kind: 'scanned', sizeBytes: filled - before};
		const kept = Math.max(0, end - BEFORE_BYTES);
		buffer.copyWithin(0, kept, filled);
		base += kept;
		filled -= kept;
	}
	spare = buffer;
}

// Kept from one file to the next: thousands of small files would else leave a buffer each to the garbage collector.
let spare: Buffer | undefined;

const takeBuffer = (sizeBytes: number): Buffer => {
	const buffer = spare?.length === sizeBytes ? spare : Buffer.allocUnsafeSlow(sizeBytes);
	spare = undefined;
	return buffer;
};

/** The part of the line around a match that is near it, without halved characters. */
const lineAround = (bytes: Buffer, at: number, length: number): string => {
	const earliest = Math.max(0, at - BEFORE_BYTES);
	const start = bytes.subarray(earliest, at).lastIndexOf(LF) + 1 + earliest;
	const latest = Math.min(bytes.length, at + length + AFTER_BYTES);
	const lineEnd = bytes.subarray(at, latest).indexOf(LF);
	const end = lineEnd < 0 ? latest : at + lineEnd;
	return bytes.toString('utf8', start, end).replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, '');
};
