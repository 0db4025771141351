import {existsSync} from 'node:fs';
import {prepared} from '../statements.js';
import {addExtent, deltaOf} from './chunks.js';
import {type Content, PIECE_BYTES} from './content.js';
import type {Extent, MemberHead, VersionState} from './member.js';
import {type MirrorFile, versionsOf} from './mirror-rows.js';
import type {SessionMirror} from './mirror-session.js';
import {plainPath} from './plain-path.js';

/** A rewritten file is compared with what was kept of it up to this size; beyond, all of it is kept anew. */
const COMPARED_BYTES = 64 * 1024 * 1024;

/** Keeps what is new in a file or in the rows of a session. Yields the raw bytes of each member that it wrote. */
export function* mirrorContent(
	mirror: SessionMirror,
	content: Content,
	more: Pick<MemberHead, 'imported'> = {},
): Generator<number, void> {
	const files = mirror.files().filter(({kind}) => kind === content.kind);
	const known =
		files.find(({path}) => plainPath(path) === plainPath(content.path)) ??
		movedFile(mirror, files, content);
	if (known?.path === content.path && known.stamp === content.stamp) return;
	const file = known ?? mirror.add(content, more);
	if (file.path !== content.path) mirror.move(file, content);
	const last = versionsOf(mirror.database, file.id)[0];
	if (last === undefined) yield* grow(mirror, file, {content, last: emptyVersion(1)});
	else if (content.prefixHash(last.sizeBytes) === last.hash)
		yield* grow(mirror, file, {content, last});
	else yield* rewrite(mirror, file, {content, last});
	prepared(mirror.database)('UPDATE mirror_file SET stamp = ? WHERE id = ?').run(
		content.stamp,
		file.id,
	);
}

const emptyVersion = (number: number): VersionState => ({
	number,
	sizeBytes: 0,
	hash: '',
	extents: [],
});

/** A file that was moved: what was kept of it is how the content begins. */
const movedFile = (
	{database}: SessionMirror,
	files: readonly MirrorFile[],
	content: Content,
): MirrorFile | undefined =>
	files.find(file => {
		const last = versionsOf(database, file.id)[0];
		return (
			last !== undefined &&
			last.sizeBytes > 0 &&
			!existsSync(file.path) &&
			content.prefixHash(last.sizeBytes) === last.hash
		);
	});

interface Change {
	readonly content: Content;
	readonly last: VersionState;
}

/** Keeps what stands behind the last state. */
function* grow(
	mirror: SessionMirror,
	file: MirrorFile,
	{content, last}: Change,
): Generator<number, void> {
	const extents: Extent[] = [...last.extents];
	let sizeBytes = last.sizeBytes;
	let start = file.kept;
	// Where hashing means unpacking all over again, only the end is a state.
	let held: Buffer | undefined;
	const stateNow = (): VersionState | undefined => {
		const hash = content.prefixHash(sizeBytes);
		return hash === undefined ? undefined : {number: last.number, sizeBytes, hash, extents};
	};
	const write = (bytes: Buffer, hasState: boolean): void => {
		addExtent(extents, [start, bytes.length]);
		sizeBytes += bytes.length;
		const state = hasState ? stateNow() : undefined;
		mirror.append(file, {start, bytes, ...(state && {state})});
		start += bytes.length;
	};
	for (const piece of content.read(last.sizeBytes)) {
		if (held !== undefined) {
			write(held, content.canSeek);
			yield held.length;
		}
		held = piece;
	}
	if (held !== undefined) {
		write(held, true);
		yield held.length;
	} else if (last.hash === '')
		mirror.append(file, {start, bytes: Buffer.alloc(0), state: emptyState(last)});
}

/** An empty file is a file: it comes back as one. */
const emptyState = ({number}: VersionState): VersionState => ({
	...emptyVersion(number),
	hash: 'empty',
});

/** A new state of a file that did not only grow. What it shares with earlier ones is not kept twice, what they had stays. */
function* rewrite(
	mirror: SessionMirror,
	file: MirrorFile,
	{content, last}: Change,
): Generator<number, void> {
	const pieces: Buffer[] = [];
	let sizeBytes = 0;
	for (const piece of content.read(0)) {
		pieces.push(piece);
		sizeBytes += piece.length;
		if (sizeBytes > COMPARED_BYTES) break;
	}
	const before =
		Math.max(sizeBytes, file.kept) > COMPARED_BYTES
			? undefined
			: mirror.reader.kept(file.id, [0, file.kept]);
	if (before === undefined) {
		yield* grow(mirror, file, {content, last: emptyVersion(last.number + 1)});
		return;
	}
	const {extents, added} = deltaOf(before, Buffer.concat(pieces));
	const hash = content.prefixHash(sizeBytes);
	if (hash === undefined) return; // shorter by now: the next pass sees what it is
	const bytes = Buffer.concat(added);
	const state = {number: last.number + 1, sizeBytes, hash, extents};
	for (let from = 0; from === 0 || from < bytes.length; from += PIECE_BYTES) {
		const piece = bytes.subarray(from, from + PIECE_BYTES);
		const isLast = from + PIECE_BYTES >= bytes.length;
		mirror.append(file, {start: file.kept + from, bytes: piece, ...(isLast && {state})});
		yield piece.length;
	}
}
