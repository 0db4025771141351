import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {type MemberHead, memberHash, unpackMember} from './member.js';
import {readMembers} from './member-file.js';
import {commitMember, insertFile, type MirrorFile, writeVersion} from './mirror-rows.js';

/**
 * Makes the rows of a mirror file that the database does not know, out of the file itself. What is torn at its end is not counted.
 * @returns how far it counts
 */
export const adoptMirror = (
	database: Database,
	path: string,
	{sessionId, name}: {readonly sessionId: number; readonly name: string},
): number =>
	database
		.transaction(() => {
			prepared(database)('INSERT INTO mirror(session_id, name) VALUES (?, ?)').run(sessionId, name);
			const files = new Map<number, number>();
			return readMembers(path, (bytes, position) => {
				const member = unpackMember(bytes);
				const head = member?.head ?? {};
				const fileId = head.file === undefined ? null : fileOf(database, sessionId, {head, files});
				const size = member?.payload.length ?? 0;
				commitMember(database, {
					session_id: sessionId,
					position,
					length: bytes.length,
					file_id: head.start === undefined ? null : fileId,
					start: head.start ?? 0,
					size,
					hash: memberHash(bytes),
				});
				if (fileId !== null && head.state) writeVersion(database, fileId, head.state);
			});
		})
		.immediate();

const fileOf = (
	database: Database,
	sessionId: number,
	{head, files}: {readonly head: MemberHead; readonly files: Map<number, number>},
): number | null => {
	const {file: number = 0, path, root, kind} = head;
	const known = files.get(number);
	if (known !== undefined) {
		if (path !== undefined && root !== undefined)
			prepared(database)('UPDATE mirror_file SET path = ?, root = ? WHERE id = ?').run(
				path,
				root,
				known,
			);
		return known;
	}
	// The member that named it is damaged: what follows belongs to nothing that could be put back.
	if (path === undefined || root === undefined || kind === undefined) return null;
	const id = insertFile(database, sessionId, {number, path, root, kind});
	files.set(number, id);
	return id;
};

/** What a mirror file says of itself. */
export interface MirrorHead {
	readonly agent: string;
	readonly id: string;
	readonly files: readonly Pick<MirrorFile, 'path' | 'root' | 'kind'>[];
	/** Of an imported session: where it came from. */
	readonly imported?: Readonly<Record<string, unknown>>;
}

/** Reads only the heads; undefined when it is no mirror file. */
export const readMirrorHead = (path: string): MirrorHead | undefined => {
	let session: MemberHead['mirror'];
	let imported: MirrorHead['imported'];
	const files = new Map<number, Pick<MirrorFile, 'path' | 'root' | 'kind'>>();
	readMembers(path, bytes => {
		const head = unpackMember(bytes)?.head;
		session ??= head?.mirror;
		imported ??= head?.imported;
		if (head?.file === undefined || head.path === undefined || head.root === undefined) return;
		const kind = head.kind ?? files.get(head.file)?.kind;
		if (kind !== undefined) files.set(head.file, {path: head.path, root: head.root, kind});
	});
	if (session === undefined) return undefined;
	const {agent, id} = session;
	return {agent, id, files: [...files.values()], ...(imported && {imported})};
};
