/** Zstandard frames of raw (uncompressed) blocks: valid data without an encoder. */

const BLOCK_BYTES = 100_000;

export interface FrameOptions {
	readonly hasChecksum?: boolean;
	readonly blockBytes?: number;
}

/** One frame: magic, descriptor, a window of 128 KiB, then blocks of three header bytes and their content. */
export const zstdFrame = (content: string | Uint8Array, options: FrameOptions = {}): Buffer => {
	const {hasChecksum = false, blockBytes = BLOCK_BYTES} = options;
	const bytes = Buffer.from(content);
	const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, hasChecksum ? 4 : 0, 7 << 3])];
	for (let start = 0; start === 0 || start < bytes.length; start += blockBytes) {
		const block = bytes.subarray(start, start + blockBytes);
		const header = Buffer.alloc(3);
		header.writeUIntLE((block.length << 3) | (start + blockBytes >= bytes.length ? 1 : 0), 0, 3);
		parts.push(header, block);
	}
	return Buffer.concat(hasChecksum ? [...parts, Buffer.alloc(4)] : parts);
};

/** Data of somebody else between frames. */
export const skippableFrame = (content: Uint8Array): Buffer => {
	const header = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
	header.writeUInt32LE(content.length, 4);
	return Buffer.concat([header, content]);
};
