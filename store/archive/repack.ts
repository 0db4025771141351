import {renameSync, rmSync} from 'node:fs';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {PIECE_BYTES} from './content.js';
import {type MemberHead, memberHash, packMember, unpackMember} from './member.js';
import {mirrorPath, nextGeneration, openMemberFile, withFile} from './member-file.js';
import {
	commitMember,
	type MemberRow,
	type MirrorFile,
	mirrorFiles,
	mirrorRow,
	versionsOf,
} from './mirror-rows.js';

/**
 * A session that is followed while it is written leaves a small member with each pass, and these take more than twice what they would
 * together: real transcripts come to 0.23 of their size in pieces of 4 KB, to 0.10 in pieces of 1 MB. So such a mirror is written
 * anew from time to time, beside the old one.
 */
const SMALL_BYTES = 64 * 1024;
const SMALL_MEMBERS = 32;

/** Sessions with many small members that belong together. */
export const scatteredMirrors = (database: Database): readonly number[] =>
	(
		prepared(database)(
			`SELECT session_id AS id FROM (
				SELECT session_id, count(*) - 1 AS extra FROM mirror_member
				WHERE file_id IS NOT NULL AND size < ? GROUP BY session_id, file_id
			) GROUP BY session_id HAVING sum(extra) >= ?`,
		).all(SMALL_BYTES, SMALL_MEMBERS) as {id: number}[]
	).map(({id}) => id);

/**
 * Joins the members of a session. The new file is whole before the rows mean it, and the old one goes after that: wherever it is
 * killed, one of the two counts. A mirror that is damaged stays as it is.
 */
export const repackMirror = (database: Database, folder: string, sessionId: number): void => {
	const before = mirrorRow(database, sessionId);
	if (before === undefined) return;
	const old = mirrorPath(folder, before.name);
	const name = nextGeneration(before.name);
	const path = mirrorPath(folder, name);
	const draft = `${path}.draft`;
	const rows = withFile(old, read => {
		const output = openMemberFile(draft, 0);
		try {
			const copy = createCopy(sessionId, {read, append: output.append});
			if (!copyAll(database, sessionId, copy)) return undefined;
			output.flush();
			return copy.rows;
		} finally {
			output.close();
		}
	});
	if (rows === undefined) {
		rmSync(draft, {force: true});
		return;
	}
	renameSync(draft, path);
	replaceRows(database, {sessionId, name, rows});
	rmSync(old);
};

interface Copy {
	readonly rows: readonly MemberRow[];
	/** What a member of the old file holds; undefined when it is damaged. */
	unpack(row: MemberRow): ReturnType<typeof unpackMember>;
	/** As it is. */
	take(row: MemberRow): void;
	add(head: MemberHead, fileId?: number, bytes?: Buffer): void;
}

const createCopy = (
	sessionId: number,
	file: {
		read(position: number, length: number): Buffer;
		append(member: Buffer): number;
	},
): Copy => {
	const rows: MemberRow[] = [];
	const append = (member: Buffer, row: Pick<MemberRow, 'file_id' | 'start' | 'size'>): void => {
		const position = file.append(member);
		const hash = memberHash(member);
		rows.push({...row, session_id: sessionId, position, length: member.length, hash});
	};
	const bytesOf = ({position, length}: MemberRow): Buffer => file.read(position, length);
	return {
		rows,
		unpack: row => unpackMember(bytesOf(row)),
		take: row => append(bytesOf(row), row),
		add: (head, fileId, bytes) =>
			append(packMember(head, bytes), {
				file_id: fileId ?? null,
				start: head.start ?? 0,
				size: bytes?.length ?? 0,
			}),
	};
};

/** False: a member of the old file is damaged. */
const copyAll = (database: Database, sessionId: number, copy: Copy): boolean => {
	const members = prepared(database)(
		'SELECT * FROM mirror_member WHERE session_id = ? ORDER BY position',
	).all(sessionId) as MemberRow[];
	const heads = members.filter(({file_id}) => file_id === null).map(row => copy.unpack(row)?.head);
	const first = heads.find(head => head?.mirror !== undefined);
	if (first?.mirror === undefined || heads.includes(undefined)) return false;
	copy.add({mirror: first.mirror});
	return mirrorFiles(database, sessionId).every(file => {
		const imported = heads.find(head => head?.file === file.number && head.imported)?.imported;
		const {id, number, path, root, kind} = file;
		copy.add({file: number, path, root, kind, ...(imported && {imported})});
		if (
			!joinFile(
				copy,
				file,
				members.filter(({file_id}) => file_id === id),
			)
		)
			return false;
		for (const state of versionsOf(database, id).toReversed()) copy.add({file: number, state});
		return true;
	});
};

/** Writes the kept bytes of a file in members as large as they may be. */
const joinFile = (copy: Copy, {id, number}: MirrorFile, members: readonly MemberRow[]): boolean => {
	let start = 0;
	let held: Buffer[] = [];
	let size = 0;
	const write = (): void => {
		if (size > 0) copy.add({file: number, start, size}, id, Buffer.concat(held));
		held = [];
		size = 0;
	};
	for (const row of members.toSorted((a, b) => a.start - b.start)) {
		if (row.size + size > PIECE_BYTES || row.start !== start + size) write();
		if (size === 0) start = row.start;
		// Unpacking it and packing it again would change nothing.
		if (size === 0 && row.size > PIECE_BYTES / 2) {
			copy.take(row);
			start += row.size;
			continue;
		}
		const payload = copy.unpack(row)?.payload;
		if (payload?.length !== row.size) return false;
		held.push(payload);
		size += row.size;
	}
	write();
	return true;
};

const replaceRows = (
	database: Database,
	{
		sessionId,
		name,
		rows,
	}: {readonly sessionId: number; readonly name: string; readonly rows: readonly MemberRow[]},
): void => {
	const sql = prepared(database);
	database
		.transaction(() => {
			sql('DELETE FROM mirror_member WHERE session_id = ?').run(sessionId);
			sql('UPDATE mirror SET name = ? WHERE session_id = ?').run(name, sessionId);
			for (const row of rows) commitMember(database, row);
		})
		.immediate();
};
