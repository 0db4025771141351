import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Database} from '../open.js';
import {prepared} from '../statements.js';
import {memberHash} from './member.js';
import {mirrorPath, withFile} from './member-file.js';
import {dropLost, type MemberRow} from './mirror-rows.js';

interface MirrorDamage {
	readonly session: string;
	/** Path of the mirror file. */
	readonly path: string;
	/** Members that are missing or not what was written. */
	readonly members: number;
	/** Members that they were found among. */
	readonly of: number;
}

export interface MirrorCheck {
	readonly files: number;
	readonly members: number;
	readonly sizeBytes: number;
	readonly damage: readonly MirrorDamage[];
}

interface Mirrored {
	readonly session_id: number;
	readonly name: string;
	readonly ref: string;
}

/**
 * Compares every member with the hash that was noted when it was written. What is damaged counts no longer, so that the next pass
 * keeps it anew where the source is still there.
 */
export const verifyMirror = async (database: Database, folder: string): Promise<MirrorCheck> => {
	const sql = prepared(database);
	const mirrors = sql(
		"SELECT session_id, name, agent || ':' || native_id AS ref FROM mirror JOIN session ON session.id = session_id ORDER BY name",
	).all() as Mirrored[];
	const damage: MirrorDamage[] = [];
	let [members, sizeBytes] = [0, 0];
	for (const {session_id, name, ref} of mirrors) {
		const rows = sql('SELECT * FROM mirror_member WHERE session_id = ? ORDER BY position').all(
			session_id,
		) as MemberRow[];
		members += rows.length;
		sizeBytes += rows.reduce((sum, {length}) => sum + length, 0);
		const path = mirrorPath(folder, name);
		const damaged = damagedMembers(path, rows);
		if (damaged.size > 0) {
			damage.push({session: ref, path, members: damaged.size, of: rows.length});
			dropLost(database, session_id, ({position}) => damaged.has(position));
		}
		await nextTurn();
	}
	return {files: mirrors.length, members, sizeBytes, damage};
};

const damagedMembers = (path: string, rows: readonly MemberRow[]): ReadonlySet<number> => {
	const isWhole = withFile(path, read => {
		const sound = rows.filter(
			({position, length, hash}) => memberHash(read(position, length)) === hash,
		);
		return new Set(sound.map(({position}) => position));
	});
	return new Set(rows.map(({position}) => position).filter(position => !isWhole?.has(position)));
};
