import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	decompressBuffer,
	decompressFile,
	type FrameDecoder,
	isZstd,
} from '../../../adapters/shared/zstd.js';
import {skippableFrame, zstdFrame} from '../../helpers/zstd-frame.js';
import {scratchFolder} from './scratch.js';

const scratch = scratchFolder();
const CAP = 1_000_000;

const readAll = (content: Uint8Array, capBytes = CAP, decoder?: FrameDecoder) => {
	const chunks = decompressFile(scratch.write(content, 'z'), {capBytes, decoder});
	const parts: Uint8Array[] = [];
	for (;;) {
		const step = chunks.next();
		if (step.done === true) {
			return {bytes: Buffer.concat(parts).toString('latin1'), problem: step.value?.code};
		}
		parts.push(Buffer.from(step.value));
	}
};

/** One compressed block by the reference encoder: 40 times `backscroll `, with a checksum. */
const COMPRESSED = Buffer.from('KLUv/QRYlQAAWGJhY2tzY3JvbGwgAQCqVosXBEDegA==', 'base64');

const frames = fc.array(
	fc.record({
		content: fc.uint8Array({maxLength: 300}),
		blockBytes: fc.integer({min: 1, max: 200}),
		hasChecksum: fc.boolean(),
	}),
	{maxLength: 6},
);

describe('zstd', () => {
	it('gives back what many frames hold, from files and buffers', () => {
		fc.assert(
			fc.property(frames, list => {
				const data = Buffer.concat(
					list.flatMap(({content, ...options}) => [
						zstdFrame(content, options),
						skippableFrame(content),
					]),
				);
				const expected = Buffer.concat(list.map(({content}) => content)).toString('latin1');
				expect(readAll(data)).toEqual({bytes: expected, problem: undefined});
				expect(Buffer.from(decompressBuffer(data, CAP)).toString('latin1')).toBe(expected);
			}),
		);
	});

	it('reads compressed blocks', () => {
		expect(readAll(COMPRESSED)).toEqual({bytes: 'backscroll '.repeat(40), problem: undefined});
	});

	it('gives a beginning of the content and never throws, wherever it is cut', () => {
		const data = Buffer.concat([COMPRESSED, zstdFrame('0123456789'.repeat(9), {blockBytes: 30})]);
		const whole = readAll(data).bytes;
		for (let cut = 0; cut <= data.length; cut += 1) {
			const {bytes, problem} = readAll(data.subarray(0, cut));
			expect(whole.startsWith(bytes)).toBe(true);
			expect(problem).toBeUndefined();
		}
	});

	it('never throws on a flipped byte or on noise', () => {
		const data = Buffer.concat([COMPRESSED, zstdFrame('0123456789')]);
		fc.assert(
			fc.property(fc.nat(data.length - 1), fc.integer({min: 1, max: 255}), (place, flip) => {
				const damaged = Buffer.from(data);
				damaged[place] = (damaged[place] ?? 0) ^ flip;
				readAll(damaged);
			}),
			{numRuns: 400},
		);
		fc.assert(
			fc.property(fc.uint8Array({maxLength: 200}), noise => {
				readAll(Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), noise]));
			}),
			{numRuns: 400},
		);
	});

	it('refuses a window that would take all memory', () => {
		// Single segment, eight bytes of content size: 1 TiB.
		const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0]);
		expect(readAll(Buffer.concat([header, Buffer.alloc(40)])).problem).toBe('truncated');
	});

	it('stops at the cap and says so', () => {
		expect(readAll(zstdFrame('0123456789'), 4)).toEqual({bytes: '0123', problem: 'output-cap'});
		expect(readAll(zstdFrame('0123'), 4)).toEqual({bytes: '0123', problem: undefined});
		const problems: string[] = [];
		const cut = decompressBuffer(zstdFrame('0123456789'), 4, ({code}) => problems.push(code));
		expect(Buffer.from(cut).toString()).toBe('0123');
		expect(problems).toEqual(['output-cap']);
	});

	it('hands whole frames to another decoder, and does the rest itself', () => {
		const given: number[] = [];
		const decoder: FrameDecoder = frame => {
			given.push(frame.length);
			if (given.length === 3) throw new Error('too large');
			return Buffer.from(`<${frame.length}>`);
		};
		const parts = [zstdFrame('one'), zstdFrame('three', {hasChecksum: true}), zstdFrame('four')];
		const torn = zstdFrame('torn '.repeat(4), {blockBytes: 5}).subarray(0, 29);
		const {bytes, problem} = readAll(Buffer.concat([...parts, torn]), CAP, decoder);
		expect(given).toEqual(parts.map(part => part.length));
		expect(bytes).toBe(`<${given[0]}><${given[1]}>fourtorn torn `);
		expect(problem).toBeUndefined();
	});

	it('is told by content, not by name', () => {
		expect(isZstd(scratch.write(zstdFrame('x'), 'plain.jsonl'))).toBe(true);
		expect(isZstd(scratch.write('{"a":1}', 'b.jsonl.zst'))).toBe(false);
		expect(isZstd(scratch.write('(', 'c.zst'))).toBe(false);
	});
});
