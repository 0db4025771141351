import type {Source} from '../../adapters/types.js';

/** What the store knows of a source (columns of `source` that decide whether it is read). */
export interface KnownSource {
	readonly id: number;
	readonly key: string;
	readonly path: string;
	readonly root_id: number;
	readonly session_id: number | null;
	readonly native_id: string | null;
	readonly mode: string;
	readonly rank: number;
	readonly preference: number;
	readonly stamps: string;
	readonly mark: string | null;
	readonly extra: string | null;
	readonly outside: string | null;
	readonly offset: number;
	readonly line_number: number;
	readonly prefix_hash: string | null;
	readonly is_complete: number;
	readonly parser: number;
	readonly state: string;
	/** Why the last try to read it failed. */
	readonly error: string | null;
}

/** `stamps` of a source as the store keeps them. With a mark the stamps say nothing (a database changes for other sessions, too). */
export const stampsOf = (source: Source): string =>
	JSON.stringify(
		source.files.map(file => [file.path, file.sizeBytes, file.mtimeMs, file.inode, file.device]),
	);

const text = (value: unknown): string | null =>
	value === undefined ? null : JSON.stringify(value);
export const extraOf = (source: Source): string | null => text(source.extra);
export const outsideOf = (source: Source): string | null => text(source.outside);

/** Nothing to do: the source is as it was when its last read ended. */
export const isUnchanged = (known: KnownSource, source: Source, parserVersion: number): boolean =>
	known.is_complete === 1 &&
	known.state === 'present' &&
	known.parser === parserVersion &&
	(source.mark === undefined ? known.stamps === stampsOf(source) : known.mark === source.mark) &&
	known.path === source.path &&
	known.extra === extraOf(source) &&
	known.outside === outsideOf(source) &&
	known.rank === (source.rank ?? 0) &&
	known.preference === (source.preference ?? 0);

/** The same bytes as at the last read: only a newer parser, or facts that lie outside, ask for another look. */
export const isSameContent = (known: KnownSource, source: Source): boolean =>
	source.mark === undefined ? known.stamps === stampsOf(source) : known.mark === source.mark;

/**
 * A source that is new by its key may be one that moved (archived, compressed, another folder): the row of a source of the same
 * session that is not found any more is taken over, with its cursor.
 */
export const findMoved = (
	source: Source,
	vanished: ReadonlyMap<string, readonly KnownSource[]>,
): KnownSource | undefined =>
	source.sessionId === undefined ? undefined : vanished.get(source.sessionId)?.[0];
