import {createHash} from 'node:crypto';
import {closeSync, fstatSync, openSync, readSync} from 'node:fs';

const SAMPLE_BYTES = 16 * 1024;

/**
 * Hash of samples of a file's first `offset` bytes: head, middle and tail, which is all of it up to 48 KiB. Tells whether a log
 * only grew, without reading it. Undefined when the file is shorter than `offset` or cannot be read.
 */
export const prefixHash = (path: string, offset: number): string | undefined => {
	let file: number | undefined;
	try {
		const open = openSync(path, 'r');
		file = open;
		if (fstatSync(open).size < offset) return undefined;
		return hashOfSamples(offset, (from, length) => {
			const buffer = Buffer.alloc(length);
			return buffer.subarray(0, readSync(open, buffer, 0, length, from));
		});
	} catch {
		return undefined; // reading the source will say what is wrong with it
	} finally {
		if (file !== undefined) closeSync(file);
	}
};

/** The same for bytes that are no plain file; undefined when there are fewer than `offset`. */
export const hashOfSamples = (
	offset: number,
	read: (from: number, length: number) => Uint8Array,
): string | undefined => {
	const hash = createHash('sha1').update(String(offset));
	for (const [from, length] of samples(offset)) {
		const bytes = read(from, length);
		if (bytes.length < length) return undefined;
		hash.update(bytes);
	}
	return hash.digest('base64');
};

const samples = (offset: number): readonly (readonly [from: number, length: number])[] => {
	if (offset <= 3 * SAMPLE_BYTES) return [[0, offset]];
	const middle = Math.floor(offset / 2) - SAMPLE_BYTES / 2;
	return [0, middle, offset - SAMPLE_BYTES].map(from => [from, SAMPLE_BYTES]);
};
