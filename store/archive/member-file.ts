import {createHash} from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readSync,
	writeSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {MEMBER_HEADER_BYTES, memberLength} from './member.js';

export const MIRROR_FOLDER = 'mirror';

/** Name of a session's mirror file below the mirror folder. Tells nothing of the session, and is found without the database. */
export const mirrorName = (agent: string, nativeId: string): string => {
	const hash = createHash('sha256').update(`${agent}\0${nativeId}`).digest('hex').slice(0, 40);
	return `${hash.slice(0, 2)}/${hash}.gz`;
};

export const mirrorPath = (folder: string, name: string): string =>
	join(folder, MIRROR_FOLDER, name);

export interface MemberWriter {
	/** Appends a member; returns where it stands. */
	append(member: Uint8Array): number;
	close(): void;
}

/** Opens a mirror file for appending. What lies behind `committedBytes` was torn by a crash and is cut off. */
export const openMemberFile = (path: string, committedBytes: number): MemberWriter => {
	mkdirSync(dirname(path), {recursive: true, mode: 0o700});
	const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
	let end = committedBytes;
	try {
		if (fstatSync(file).size > end) ftruncateSync(file, end);
	} catch (error) {
		closeSync(file);
		throw error;
	}
	return {
		append(member) {
			const position = end;
			for (let done = 0; done < member.length; )
				done += writeSync(file, member, done, member.length - done, position + done);
			end += member.length;
			return position;
		},
		close: () => closeSync(file),
	};
};

const readAt = (file: number, position: number, length: number): Buffer => {
	const buffer = Buffer.alloc(length);
	return buffer.subarray(0, readSync(file, buffer, 0, length, position));
};

/** Runs `action` with a reader of the file; undefined when there is no such file. */
export const withFile = <T>(
	path: string,
	action: (read: (position: number, length: number) => Buffer, sizeBytes: number) => T,
): T | undefined => {
	let file: number;
	try {
		file = openSync(path, 'r');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
		throw error;
	}
	try {
		return action((position, length) => readAt(file, position, length), fstatSync(file).size);
	} finally {
		closeSync(file);
	}
};

/** The whole members of a mirror file, with their places; ends at the first torn or foreign byte. */
export const readMembers = (
	path: string,
	each: (member: Buffer, position: number) => void,
): number =>
	withFile(path, (read, sizeBytes) => {
		let position = 0;
		while (position < sizeBytes) {
			const length = memberLength(read(position, MEMBER_HEADER_BYTES));
			if (length === undefined || length < MEMBER_HEADER_BYTES || position + length > sizeBytes)
				break;
			each(read(position, length), position);
			position += length;
		}
		return position;
	}) ?? 0;
