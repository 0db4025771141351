import type {Database} from '../open.js';
import {type Extent, unpackMember, type VersionState} from './member.js';
import {mirrorPath, withFile} from './member-file.js';
import {type MemberRow, membersWithin, mirrorRow} from './mirror-rows.js';

/** A record is followed by others of the same member most of the time. */
const UNPACKED_MEMBERS = 4;

/** Reads mirrored bytes back. Keeps the members that it unpacked last. */
export interface MirrorReader {
	/** Bytes that were kept of a file; undefined when a part of them is lost. */
	kept(fileId: number, extent: Extent): Buffer | undefined;
	/** Bytes of one state of a file. */
	version(fileId: number, state: VersionState, extent?: Extent): Buffer | undefined;
}

export const createMirrorReader = (database: Database, folder: string): MirrorReader => {
	const unpacked = new Map<string, Buffer>();

	const payloadOf = (row: MemberRow): Buffer | undefined => {
		const key = `${row.session_id} ${row.position} ${row.hash}`;
		const known = unpacked.get(key);
		if (known !== undefined) return known;
		const mirror = mirrorRow(database, row.session_id);
		const bytes =
			mirror && withFile(mirrorPath(folder, mirror.name), read => read(row.position, row.length));
		const payload = bytes && unpackMember(bytes)?.payload;
		if (payload === undefined || payload.length !== row.size) return undefined;
		const [oldest] = unpacked.keys();
		if (oldest !== undefined && unpacked.size >= UNPACKED_MEMBERS) unpacked.delete(oldest);
		unpacked.set(key, payload);
		return payload;
	};

	const kept = (fileId: number, extent: Extent): Buffer | undefined => {
		const [start, size] = extent;
		const parts: Buffer[] = [];
		let place = start;
		for (const row of membersWithin(database, fileId, extent)) {
			const payload = row.start <= place ? payloadOf(row) : undefined;
			if (payload === undefined) return undefined;
			const part = payload.subarray(place - row.start, start + size - row.start);
			parts.push(part);
			place += part.length;
		}
		return place === start + size ? Buffer.concat(parts) : undefined;
	};

	return {
		kept,
		version(fileId, state, extent = [0, state.sizeBytes]) {
			const parts: Buffer[] = [];
			for (const piece of piecesOf(state.extents, extent)) {
				const part = kept(fileId, piece);
				if (part === undefined) return undefined;
				parts.push(part);
			}
			const bytes = Buffer.concat(parts);
			return bytes.length === extent[1] ? bytes : undefined;
		},
	};
};

/** Which kept bytes a part of a file's state is made of. */
function* piecesOf(extents: readonly Extent[], [from, size]: Extent): Generator<Extent> {
	const to = from + size;
	let place = 0;
	for (const [start, length] of extents) {
		const first = Math.max(from, place);
		const last = Math.min(to, place + length);
		if (first < last) yield [start + first - place, last - first];
		place += length;
		if (place >= to) return;
	}
}
