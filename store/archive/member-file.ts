import {createHash} from 'node:crypto';
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	fsyncSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	writeSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {MEMBER_HEADER_BYTES, memberLength} from './member.js';

export const MIRROR_FOLDER = 'mirror';
export const MIRROR_ENDING = '.mirror';

const HASH_CHARS = 40;

/** Name of a session's mirror file below the mirror folder. Tells nothing of the session, and is found without the database. */
const mirrorName = (agent: string, nativeId: string): string => {
	const hash = createHash('sha256')
		.update(`${agent}\0${nativeId}`)
		.digest('hex')
		.slice(0, HASH_CHARS);
	return `${hash.slice(0, 2)}/${hash}${MIRROR_ENDING}`;
};

/** A mirror that was written anew has a number: `<hash>.2.mirror`. */
const GENERATION = /^([\da-f]{2}\/[\da-f]{40})(?:\.(\d+))?\.mirror$/;

const generationOf = (name: string): number => Number(GENERATION.exec(name)?.[2] ?? 1);

export const nextGeneration = (name: string): string =>
	name.replace(GENERATION, `$1.${generationOf(name) + 1}${MIRROR_ENDING}`);

/** All files of the session that a mirror file is of, also what was left of others that came before it. */
export const siblingsOf = (folder: string, name: string): readonly string[] => {
	const [shelf = '', file = ''] = name.split('/');
	const path = join(folder, MIRROR_FOLDER, shelf);
	if (!existsSync(path)) return [];
	return readdirSync(path)
		.filter(other => other.startsWith(file.slice(0, HASH_CHARS)))
		.map(other => `${shelf}/${other}`);
};

/** The newest mirror file of a session, or the name that its first one gets. */
export const findMirrorName = (folder: string, agent: string, nativeId: string): string => {
	const first = mirrorName(agent, nativeId);
	return siblingsOf(folder, first)
		.filter(name => GENERATION.test(name))
		.reduce((best, name) => (generationOf(name) > generationOf(best) ? name : best), first);
};

export const mirrorPath = (folder: string, name: string): string =>
	join(folder, MIRROR_FOLDER, name);

export interface MemberWriter {
	/** Appends a member; returns where it stands. */
	append(member: Uint8Array): number;
	/** Until it stands on the disk. */
	flush(): void;
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
		flush: () => fsyncSync(file),
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
