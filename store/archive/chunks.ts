import {createHash} from 'node:crypto';
import type {Extent} from './member.js';

/**
 * What a rewritten file has in common with its earlier states, so that only new parts are kept again. Both are cut into chunks at
 * places that depend on the bytes around them: at line ends, and in long lines where a rolling hash says so. An insertion then
 * moves the cuts near it only.
 */
const MIN_CHUNK = 64;
const MAX_CHUNK = 16 * 1024;
/** One place in 2,048. */
const CUT_MASK = 0xffe0_0000;
const NEWLINE = 0x0a;

/** A fixed table of mixed bits, one word per byte value. */
const GEAR = Uint32Array.from({length: 256}, (_, index) => {
	let word = Math.imul(index + 1, 0x9e37_79b1);
	word = Math.imul(word ^ (word >>> 15), 0x85eb_ca6b);
	return (word ^ (word >>> 13)) >>> 0;
});

function* chunksOf(bytes: Buffer): Generator<Extent, void> {
	let start = 0;
	let hash = 0;
	for (let place = 0; place < bytes.length; place++) {
		const byte = bytes[place] as number;
		hash = ((hash << 1) + (GEAR[byte] as number)) | 0;
		const size = place + 1 - start;
		if (size < MIN_CHUNK) continue;
		if (byte !== NEWLINE && (hash & CUT_MASK) !== 0 && size < MAX_CHUNK) continue;
		yield [start, size];
		start = place + 1;
		hash = 0;
	}
	if (start < bytes.length) yield [start, bytes.length - start];
}

const keyOf = (bytes: Buffer, [start, size]: Extent): string =>
	createHash('sha1')
		.update(bytes.subarray(start, start + size))
		.digest('base64');

/** Joins an extent to the one before where they touch. */
export const addExtent = (extents: Extent[], [start, size]: Extent): void => {
	if (size === 0) return;
	const last = extents.at(-1);
	if (last !== undefined && last[0] + last[1] === start)
		extents[extents.length - 1] = [last[0], last[1] + size];
	else extents.push([start, size]);
};

export interface Delta {
	/** The new state, out of the kept bytes and behind them the added ones. */
	readonly extents: readonly Extent[];
	/** What has to be kept in addition. */
	readonly added: readonly Buffer[];
}

/** Makes a new state out of the bytes that are kept already, as far as they have it. */
export const deltaOf = (kept: Buffer, now: Buffer): Delta => {
	const places = new Map<string, number>();
	for (const chunk of chunksOf(kept)) {
		const key = keyOf(kept, chunk);
		if (!places.has(key)) places.set(key, chunk[0]);
	}
	const extents: Extent[] = [];
	const added: Buffer[] = [];
	let end = kept.length;
	for (const chunk of chunksOf(now)) {
		const [start, size] = chunk;
		const key = keyOf(now, chunk);
		const place = places.get(key);
		addExtent(extents, [place ?? end, size]);
		if (place !== undefined) continue;
		places.set(key, end);
		added.push(now.subarray(start, start + size));
		end += size;
	}
	return {extents, added};
};
