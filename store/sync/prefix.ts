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
		file = openSync(path, 'r');
		if (fstatSync(file).size < offset) return undefined;
		const hash = createHash('sha1').update(String(offset));
		for (const [from, length] of samples(offset)) {
			const buffer = Buffer.alloc(length);
			if (readSync(file, buffer, 0, length, from) < length) return undefined;
			hash.update(buffer);
		}
		return hash.digest('base64');
	} catch {
		return undefined; // reading the source will say what is wrong with it
	} finally {
		if (file !== undefined) closeSync(file);
	}
};

const samples = (offset: number): readonly (readonly [from: number, length: number])[] => {
	if (offset <= 3 * SAMPLE_BYTES) return [[0, offset]];
	const middle = Math.floor(offset / 2) - SAMPLE_BYTES / 2;
	return [0, middle, offset - SAMPLE_BYTES].map(from => [from, SAMPLE_BYTES]);
};
