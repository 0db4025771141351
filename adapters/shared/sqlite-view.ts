/**
 * Private views of databases that cannot be opened in place without leaving a trace: a quiet WAL-mode file would get a `-shm` and
 * an empty `-wal` from a reader, and they would stay (measured with SQLite 3.53.2 on Linux).
 */

import {
	accessSync,
	type BigIntStats,
	constants,
	copyFileSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {SourceUnreadable} from '../types.js';
import {errorCode} from './errors.js';
import {openFile} from './open-file.js';

/** Up to this size a view is a buffer in memory. */
export const BUFFER_LIMIT = 64 * 1024 * 1024;
/** Bytes of the database header that are 2 for WAL mode and 1 for a rollback journal: write and read version. */
const VERSION_BYTES = [18, 19] as const;
const PREFIX = 'backscroll-view-';

let folder = tmpdir();
let isSwept = false;

/** Where views are kept that are too large for memory; on the file system of the stores a view costs no copy. */
export const setViewFolder = (path: string): void => {
	folder = path;
	isSwept = false;
};

/** How a database stands just now; any difference means that somebody works on it. */
export interface DatabaseState {
	readonly hasWal: boolean;
	readonly hasShm: boolean;
	readonly sizeBytes: number;
	readonly walBytes: number;
	readonly fingerprint: string;
}

const statOf = (path: string): BigIntStats | undefined =>
	statSync(path, {bigint: true, throwIfNoEntry: false});

const print = (stats: BigIntStats | undefined): string =>
	stats === undefined ? '-' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;

export const databaseState = (path: string): DatabaseState => {
	const database = statOf(path);
	const wal = statOf(`${path}-wal`);
	const hasShm = statOf(`${path}-shm`) !== undefined;
	if (database?.isFile() !== true) {
		throw new SourceUnreadable('unreadable', `${path}: not a regular file`);
	}
	return {
		hasWal: wal !== undefined,
		hasShm,
		sizeBytes: Number(database.size),
		walBytes: Number(wal?.size ?? 0n),
		fingerprint: [print(database), print(wal), hasShm].join(' '),
	};
};

const isWritable = (path: string): boolean => {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false; // whatever the reason, SQLite could not write its locks there
	}
};

const isWalMode = (path: string): boolean => {
	const file = openFile(path);
	try {
		const header = new Uint8Array(20);
		file.read(header, 0);
		return VERSION_BYTES.some(place => header[place] === 2);
	} finally {
		file.close();
	}
};

/**
 * Whether a reader in place leaves no trace: in rollback mode, and beside a running agent, whose `-wal` and `-shm` are there.
 * Opens the database file, so never call it while this process holds a lock on it: closing a file drops POSIX locks.
 */
export const canOpenInPlace = (path: string, state: DatabaseState): boolean =>
	state.hasWal ? state.hasShm && isWritable(`${path}-shm`) : !isWalMode(path);

/** What to open instead of the database itself. */
export interface View {
	readonly content: string | Buffer;
	/** The very file of the agent under another name: to be closed at once, its agent may want to clean up. */
	readonly isLink: boolean;
	dispose(): void;
}

const bufferView = (path: string): View => {
	const content = readFileSync(path);
	// An image in memory has no WAL; in rollback mode it needs none.
	for (const place of VERSION_BYTES) if (content.length > place) content[place] = 1;
	return {content, isLink: false, dispose() {}};
};

const tryTo = (action: () => void): boolean => {
	try {
		action();
		return true;
	} catch {
		return false; // not on this file system, or not with a file that is not ours: there is another way
	}
};

/** Tries the cheap ways first: a clone shares its blocks, a link the whole file. Links move the ctime of the original. */
const placeFile = (from: string, to: string, canLink: boolean): {readonly isLink: boolean} => {
	const isClone = tryTo(() => copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE));
	const isLink = !isClone && canLink && tryTo(() => linkSync(from, to));
	if (!isClone && !isLink) copyFileSync(from, to);
	return {isLink};
};

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
};

const remove = (path: string): void => {
	// What another user's process left, or a program holds open, is left to the next sweep.
	tryTo(() => rmSync(path, {recursive: true, force: true}));
};

/** Views of processes that were killed. They may hold what an agent keeps secret, so they must not lie about. */
const sweep = (): void => {
	if (isSwept) return;
	isSwept = true;
	for (const name of readdirSync(folder)) {
		const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0;
		if (pid > 0 && !isAlive(pid)) remove(join(folder, name));
	}
};

const fileView = (path: string, state: DatabaseState, canLink: boolean): View => {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	sweep();
	const own = mkdtempSync(join(folder, `${PREFIX}${process.pid}-`));
	const content = join(own, 'view.db');
	const dispose = () => remove(own);
	try {
		const {isLink} = placeFile(path, content, canLink);
		if (state.hasWal) placeFile(`${path}-wal`, `${content}-wal`, false);
		return {content, isLink, dispose};
	} catch (error) {
		dispose();
		throw error;
	}
};

/** @throws SourceUnreadable when the database is not what it was. */
export const checkUnchanged = (path: string, fingerprint: string): void => {
	if (databaseState(path).fingerprint === fingerprint) return;
	throw new SourceUnreadable('busy', `${path}: changed while it was read`);
};

/** A view of the database as it stands. @throws SourceUnreadable when it changes meanwhile. */
export const createView = (path: string, state: DatabaseState, bufferLimit: number): View => {
	const isSmall = state.sizeBytes <= bufferLimit;
	const view = isSmall && state.walBytes === 0 ? bufferView(path) : fileView(path, state, !isSmall);
	try {
		checkUnchanged(path, state.fingerprint);
		return view;
	} catch (error) {
		view.dispose();
		throw error;
	}
};
