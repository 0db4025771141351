import {renameSync, statSync} from 'node:fs';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {adoptMirror} from './adopt.js';
import {type MemberHead, memberHash, packMember, type VersionState} from './member.js';
import {findMirrorName, type MemberWriter, mirrorPath, openMemberFile} from './member-file.js';
import {createMirrorReader, type MirrorReader} from './mirror-read.js';
import {
	commitMember,
	dropLost,
	insertFile,
	type MirrorFile,
	type MirrorRow,
	mirrorFiles,
	mirrorRow,
	writeVersion,
} from './mirror-rows.js';

/** A session's mirror file, open for appending. */
export interface SessionMirror {
	readonly database: Database;
	readonly reader: MirrorReader;
	files(): readonly MirrorFile[];
	/** A new file of the session. */
	add(
		file: Pick<MirrorFile, 'path' | 'root' | 'kind'>,
		more?: Pick<MemberHead, 'imported'>,
	): MirrorFile;
	/** Keeps bytes of a file, and says what the file is with them. */
	append(
		file: MirrorFile,
		piece: {readonly start: number; readonly bytes: Uint8Array; readonly state?: VersionState},
	): void;
	/** The file lies elsewhere now. */
	move(file: MirrorFile, to: Pick<MirrorFile, 'path' | 'root'>): void;
	close(): void;
}

export interface MirroredSession {
	readonly id: number;
	/** Needed for a session that has no mirror yet, like the rest. */
	readonly agent?: string;
	readonly nativeId?: string;
	/** Where its source lies, for whoever looks into the file by himself. */
	readonly path?: string;
}

/**
 * Opens the mirror of a session, a new one when it has none. A file of the name that the database does not know is from before it was
 * lost: it goes on.
 */
export const openMirror = (
	database: Database,
	folder: string,
	session: MirroredSession,
): SessionMirror => {
	const {id, agent = '', nativeId = '', path: sourcePath = ''} = session;
	const known = mirrorRow(database, id);
	const name = known?.name ?? findMirrorName(folder, agent, nativeId);
	const path = mirrorPath(folder, name);
	const committed =
		known === undefined
			? takeOver(database, path, {sessionId: id, name})
			: settleLost(database, known, path);
	const members = openMemberFile(path, committed);
	const write = createWriter(database, id, members);
	// Also when a pass was killed before its first member counted.
	if (committed === 0 && nativeId !== '')
		write({head: {mirror: {version: 1, agent, id: nativeId, path: sourcePath}}});
	return {
		database,
		reader: createMirrorReader(database, folder),
		files: () => mirrorFiles(database, id),
		...createChanges(database, id, write),
		close: members.close,
	};
};

interface NewMember {
	readonly head: MemberHead;
	readonly fileId?: number;
	readonly bytes?: Uint8Array;
	/** Rows that become true with it, in the same transaction. */
	record?(): void;
}

type Write = (member: NewMember) => void;

/** The bytes come first; the rows that make them count follow. */
const createWriter =
	(database: Database, sessionId: number, members: MemberWriter): Write =>
	({head, fileId, bytes, record}) => {
		const member = packMember(head, bytes);
		const position = members.append(member);
		database
			.transaction(() => {
				commitMember(database, {
					session_id: sessionId,
					position,
					length: member.length,
					file_id: fileId ?? null,
					start: head.start ?? 0,
					size: bytes?.length ?? 0,
					hash: memberHash(member),
				});
				record?.();
			})
			.immediate();
	};

const createChanges = (
	database: Database,
	sessionId: number,
	write: Write,
): Pick<SessionMirror, 'add' | 'append' | 'move'> => ({
	add({path, root, kind}, more = {}) {
		const number = mirrorFiles(database, sessionId).length;
		const file = {number, path, root, kind};
		let id = 0;
		write({
			head: {file: number, path, root, kind, ...more},
			record() {
				id = insertFile(database, sessionId, file);
			},
		});
		return {...file, id, kept: 0, stamp: ''};
	},
	append(file, {start, bytes, state}) {
		write({
			head: {file: file.number, start, size: bytes.length, ...(state && {state})},
			fileId: file.id,
			bytes,
			record() {
				if (state) writeVersion(database, file.id, state);
			},
		});
	},
	move(file, {path, root}) {
		write({
			head: {file: file.number, path, root},
			record() {
				prepared(database)('UPDATE mirror_file SET path = ?, root = ? WHERE id = ?').run(
					path,
					root,
					file.id,
				);
			},
		});
	},
});

const sizeOf = (path: string): number => statSync(path, {throwIfNoEntry: false})?.size ?? 0;

/** A file in which nothing can be read is not written over: it gets another name. */
const takeOver = (
	database: Database,
	path: string,
	place: Parameters<typeof adoptMirror>[2],
): number => {
	const committed = adoptMirror(database, path, place);
	if (committed === 0 && sizeOf(path) > 0) renameSync(path, `${path}.damaged`);
	return committed;
};

/** A file that is shorter than it should be lost its end: what stood there is kept anew while its source is there. */
const settleLost = (
	database: Database,
	{session_id, committed}: MirrorRow,
	path: string,
): number => {
	const sizeBytes = sizeOf(path);
	if (sizeBytes >= committed) return committed;
	return dropLost(database, session_id, ({position, length}) => position + length > sizeBytes);
};
