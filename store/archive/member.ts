import {createHash} from 'node:crypto';
import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib';

/**
 * A mirror file is a row of members. Each is a short header and a Brotli stream of its own, which holds one line of JSON that says what
 * it is, then bytes as they stand in the agent's file. The length of a member stands in its header: members can be walked without
 * unpacking them, and without the database.
 */
export interface MemberHead {
	/** Only in the first member of a file. */
	readonly mirror?: {
		readonly version: 1;
		readonly agent: string;
		readonly id: string;
		readonly path: string;
	};
	/** Number of the mirrored file inside of the session. */
	readonly file?: number;
	/** Where it lies, and what it is; said when it is new or has moved. */
	readonly path?: string;
	readonly root?: string;
	readonly kind?: MirrorKind;
	/** Place of these bytes among all that were kept of the file. */
	readonly start?: number;
	readonly size?: number;
	/** The file as it is with these bytes. */
	readonly state?: VersionState;
	/** Of an imported session: what its bytes are and where they came from. */
	readonly imported?: Readonly<Record<string, unknown>>;
}

/** `file`: bytes of a file. `rows`: one JSON line per row of a database, `{table, row, raw}`. `import`: a file that was imported. */
export type MirrorKind = 'file' | 'rows' | 'import';

/** One state of a file: which of the kept bytes it is made of. A rewritten file shares what did not change with its earlier states. */
export interface VersionState {
	/** Counts up when the file was rewritten; stays while it only grows. */
	readonly number: number;
	readonly sizeBytes: number;
	/** Tells whether the file only grew, see `prefixHash`. */
	readonly hash: string;
	readonly extents: readonly Extent[];
}

/** A run of kept bytes. */
export type Extent = readonly [start: number, size: number];

/** `BKM1`, the length of the whole member (4 bytes), and the first 8 bytes of the SHA-256 of what follows. */
const MAGIC = Buffer.from('BKM1');
const LENGTH_AT = MAGIC.length;
const CHECK_AT = LENGTH_AT + 4;
const CHECK_BYTES = 8;
export const MEMBER_HEADER_BYTES = CHECK_AT + CHECK_BYTES;

/**
 * Brotli sees the 2 to 16 MB behind it, gzip 32 KB: agents write what a tool gave twice into one record, and whole files again and
 * again. Real transcripts of Claude Code and Codex come to 0.099 of their size instead of 0.131, random words to 0.319 instead of
 * 0.358, for the same CPU. Level 9 gains 0.5 % of what level 5 leaves and takes seven times as long.
 */
const LEVEL = 5;
/** 4 MB: more than any member holds. */
const WINDOW_BITS = 22;

const checkOf = (packed: Uint8Array): Buffer =>
	createHash('sha256').update(packed).digest().subarray(0, CHECK_BYTES);

export const packMember = (head: MemberHead, payload: Uint8Array = new Uint8Array()): Buffer => {
	const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), payload]);
	const packed = brotliCompressSync(bytes, {
		params: {
			[constants.BROTLI_PARAM_QUALITY]: LEVEL,
			[constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
			[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
		},
	});
	const header = Buffer.alloc(MEMBER_HEADER_BYTES);
	MAGIC.copy(header);
	header.writeUInt32LE(MEMBER_HEADER_BYTES + packed.length, LENGTH_AT);
	checkOf(packed).copy(header, CHECK_AT);
	return Buffer.concat([header, packed]);
};

/** Length of the member that begins with these bytes; undefined when it is none of ours. */
export const memberLength = (header: Buffer): number | undefined =>
	header.length >= MEMBER_HEADER_BYTES && MAGIC.equals(header.subarray(0, MAGIC.length))
		? header.readUInt32LE(LENGTH_AT)
		: undefined;

export interface Member {
	readonly head: MemberHead;
	readonly payload: Buffer;
}

/** Undefined when the bytes are damaged. */
export const unpackMember = (member: Buffer): Member | undefined => {
	const packed = member.subarray(MEMBER_HEADER_BYTES);
	const check = member.subarray(CHECK_AT, MEMBER_HEADER_BYTES);
	if (memberLength(member) !== member.length || !checkOf(packed).equals(check)) return undefined;
	try {
		const bytes = brotliDecompressSync(packed);
		const end = bytes.indexOf(0x0a);
		return {
			head: JSON.parse(bytes.toString('utf8', 0, end)) as MemberHead,
			payload: bytes.subarray(end + 1),
		};
	} catch {
		return undefined; // the caller says what is lost
	}
};

export const memberHash = (member: Uint8Array): string =>
	createHash('sha256').update(member).digest('base64');
