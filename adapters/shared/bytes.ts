/** The bytes of a file from an offset on, plain or decompressed; offsets count decompressed bytes. */

import type {Problem} from '../model.js';
import {type OpenFile, openFile} from './open-file.js';
import {decompressOpenFile, isZstdFile} from './zstd.js';

/** Largest output of one compressed file; what lies beyond is a problem. */
const STREAM_CAP = 4 * 1024 ** 3;

export interface ByteInput {
	/** Fills a part of `into`, at least one byte; 0 = the end. */
	read(into: Uint8Array): number;
	/** Why a compressed file ended early, known at its end. */
	problem(): Problem | undefined;
	close(): void;
}

const plainInput = (file: OpenFile, offset: number): ByteInput => {
	let position = offset;
	return {
		read(into) {
			const read = file.read(into, position);
			position += read;
			return read;
		},
		problem: () => undefined,
		close: file.close,
	};
};

const zstdInput = (file: OpenFile, offset: number, capBytes: number): ByteInput => {
	const chunks = decompressOpenFile(file, {capBytes});
	let left: Uint8Array = new Uint8Array(0);
	let toSkip = offset;
	let problem: Problem | undefined;
	/** False at the end. */
	const advance = (): boolean => {
		const step = chunks.next();
		if (step.done === true) {
			problem = step.value ?? problem;
			return false;
		}
		const skipped = Math.min(toSkip, step.value.length);
		toSkip -= skipped;
		left = step.value.subarray(skipped);
		return true;
	};
	return {
		read(into) {
			while (left.length === 0) if (!advance()) return 0;
			const part = left.subarray(0, into.length);
			into.set(part);
			left = left.subarray(part.length);
			return part.length;
		},
		problem: () => problem,
		close() {
			chunks.return(undefined);
			file.close();
		},
	};
};

/** @throws SourceUnreadable */
export const openBytes = (path: string, offset: number, capBytes = STREAM_CAP): ByteInput => {
	const file = openFile(path);
	return isZstdFile(file) ? zstdInput(file, offset, capBytes) : plainInput(file, offset);
};
