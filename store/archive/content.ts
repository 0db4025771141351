import type {Adapter, Source} from '../../adapters/types.js';
import type {Database} from '../open.js';
import type {MirrorKind} from './member.js';

/** Something that the mirror keeps: the bytes of a file, or rows written as lines. */
export interface Content {
	readonly path: string;
	readonly root: string;
	readonly kind: MirrorKind;
	/** Changes whenever the bytes may have. */
	readonly stamp: string;
	/** Bytes from a place on, in pieces of at most `PIECE_BYTES`. @throws SourceUnreadable */
	read(from: number): Iterable<Buffer>;
	/** Hash of samples of the first bytes; undefined when there are not so many. */
	prefixHash(sizeBytes: number): string | undefined;
	/** False: `prefixHash` has to go through all bytes before. */
	readonly canSeek: boolean;
}

/** Raw bytes of one member: as much as is unpacked to read one record back. */
export const PIECE_BYTES = 1024 * 1024;

export interface SourcePlace {
	readonly sourceId: number;
	readonly source: Source;
	readonly root: string;
	/** Files that sources of several sessions name, such as an index: what they say of a session is in its facts. */
	readonly shared: ReadonlySet<string>;
}

/** What there is to keep of a source. Other sessions' files and databases are no part of it. @throws SourceUnreadable */
export type FindContents = (
	database: Database,
	adapter: Adapter,
	place: SourcePlace,
) => readonly Content[];
