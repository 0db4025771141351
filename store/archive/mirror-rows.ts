import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import type {Extent, MirrorKind, VersionState} from './member.js';

/** A mirrored file of a session. */
export interface MirrorFile {
	readonly id: number;
	readonly number: number;
	readonly path: string;
	readonly root: string;
	readonly kind: MirrorKind;
	/** Bytes kept in all its versions together. */
	readonly kept: number;
	readonly stamp: string;
}

export interface MirrorRow {
	readonly session_id: number;
	readonly name: string;
	readonly committed: number;
}

export const mirrorRow = (database: Database, sessionId: number): MirrorRow | undefined =>
	prepared(database)('SELECT * FROM mirror WHERE session_id = ?').get(sessionId) as
		| MirrorRow
		| undefined;

export const mirrorFiles = (database: Database, sessionId: number): readonly MirrorFile[] =>
	prepared(database)(
		'SELECT id, number, path, root, kind, kept, stamp FROM mirror_file WHERE session_id = ? ORDER BY number',
	).all(sessionId) as MirrorFile[];

interface VersionRow {
	readonly number: number;
	readonly size: number;
	readonly hash: string;
	readonly extents: string;
}

/** All states of a file, the newest first. */
export const versionsOf = (database: Database, fileId: number): readonly VersionState[] =>
	(
		prepared(database)(
			'SELECT number, size, hash, extents FROM mirror_version WHERE file_id = ? ORDER BY number DESC',
		).all(fileId) as VersionRow[]
	).map(({number, size, hash, extents}) => ({
		number,
		sizeBytes: size,
		hash,
		extents: JSON.parse(extents) as readonly Extent[],
	}));

export const insertFile = (
	database: Database,
	sessionId: number,
	file: Pick<MirrorFile, 'number' | 'path' | 'root' | 'kind'>,
): number =>
	Number(
		prepared(database)(
			'INSERT INTO mirror_file(session_id, number, path, root, kind) VALUES (?, ?, ?, ?, ?)',
		).run(sessionId, file.number, file.path, file.root, file.kind).lastInsertRowid,
	);

export const writeVersion = (database: Database, fileId: number, state: VersionState): void => {
	prepared(database)('INSERT OR REPLACE INTO mirror_version VALUES (?, ?, ?, ?, ?)').run(
		fileId,
		state.number,
		state.sizeBytes,
		state.hash,
		JSON.stringify(state.extents),
	);
};

export interface MemberRow {
	readonly session_id: number;
	readonly position: number;
	readonly length: number;
	readonly file_id: number | null;
	readonly start: number;
	readonly size: number;
	readonly hash: string;
}

/** The member stands in the file: from here on it counts. */
export const commitMember = (database: Database, row: MemberRow): void => {
	const sql = prepared(database);
	sql(
		'INSERT INTO mirror_member VALUES (@session_id, @position, @length, @file_id, @start, @size, @hash)',
	).run(row);
	sql('UPDATE mirror SET committed = ? WHERE session_id = ?').run(
		row.position + row.length,
		row.session_id,
	);
	if (row.file_id !== null)
		sql('UPDATE mirror_file SET kept = max(kept, ?) WHERE id = ?').run(
			row.start + row.size,
			row.file_id,
		);
};

export const membersWithin = (
	database: Database,
	fileId: number,
	[start, size]: Extent,
): readonly MemberRow[] =>
	prepared(database)(
		'SELECT * FROM mirror_member WHERE file_id = ? AND start < ? AND start + size > ? ORDER BY start',
	).all(fileId, start + size, start) as MemberRow[];

const overlaps = ([start, size]: Extent, row: MemberRow): boolean =>
	start < row.start + row.size && row.start < start + size;

/**
 * Members whose bytes are lost no longer count, nor do the states of files that need them; the sources of the session are looked at
 * again. Returns how far the file counts.
 */
export const dropLost = (
	database: Database,
	sessionId: number,
	isLost: (row: MemberRow) => boolean,
): number => {
	const sql = prepared(database);
	const all = sql('SELECT * FROM mirror_member WHERE session_id = ? ORDER BY position').all(
		sessionId,
	) as MemberRow[];
	const lost = all.filter(isLost);
	const end = Math.max(0, ...all.filter(row => !isLost(row)).map(row => row.position + row.length));
	const drop = (row: MemberRow): void => {
		sql('DELETE FROM mirror_member WHERE session_id = ? AND position = ?').run(
			sessionId,
			row.position,
		);
		if (row.file_id === null) return;
		sql("UPDATE mirror_file SET stamp = '' WHERE id = ?").run(row.file_id);
		for (const {number, extents} of versionsOf(database, row.file_id))
			if (row.size === 0 || extents.some(extent => overlaps(extent, row)))
				sql('DELETE FROM mirror_version WHERE file_id = ? AND number = ?').run(row.file_id, number);
	};
	database
		.transaction(() => {
			for (const row of lost) drop(row);
			sql('UPDATE mirror SET committed = ? WHERE session_id = ?').run(end, sessionId);
			sql('UPDATE source SET mirrored = NULL WHERE session_id = ?').run(sessionId);
		})
		.immediate();
	return end;
};

/** Forgets what is known of a session's mirror; the file is the caller's. */
export const deleteMirrorRows = (database: Database, sessionId: number): void => {
	const sql = prepared(database);
	sql(
		'DELETE FROM mirror_version WHERE file_id IN (SELECT id FROM mirror_file WHERE session_id = ?)',
	).run(sessionId);
	for (const table of ['mirror_file', 'mirror_member', 'mirror'])
		sql(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
};
