import {
	closeSync,
	openSync,
	readFileSync,
	statSync,
	unlinkSync,
	utimesSync,
	writeSync,
} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

const LOCK_FILE = 'sync.lock';
const RETRY_MS = 150;
/** A lock of another machine (shared home) counts as dead when its owner has not touched it for so long. */
const STALE_MS = 120_000;

export interface Lock {
	/** Tells others that the owner is alive; call it now and then during a long pass. */
	touch(): void;
	release(): void;
}

/**
 * One writer at a time across processes: a file with the owner's process id. The lock of a dead owner is taken over.
 * Returns undefined when another process still holds it after `waitMs`.
 */
export const acquireLock = async (
	folder: string,
	{waitMs}: {readonly waitMs: number},
): Promise<Lock | undefined> => {
	const path = join(folder, LOCK_FILE);
	for (let waited = 0; ; waited += RETRY_MS) {
		if (create(path)) return lockAt(path);
		if (isOwnerDead(path)) remove(path);
		else if (waited >= waitMs) return undefined;
		else await sleep(RETRY_MS);
	}
};

const lockAt = (path: string): Lock => ({
	touch() {
		const now = Date.now() / 1000;
		try {
			utimesSync(path, now, now);
		} catch {
			// The folder was removed under us: the database will say so.
		}
	},
	release: () => remove(path),
});

const create = (path: string): boolean => {
	try {
		const file = openSync(path, 'wx', 0o600);
		writeSync(file, JSON.stringify({pid: process.pid, host: hostname()}));
		closeSync(file);
		return true;
	} catch (error) {
		if (isCode(error, 'EEXIST')) return false;
		throw error;
	}
};

const remove = (path: string): void => {
	try {
		unlinkSync(path);
	} catch (error) {
		if (!isCode(error, 'ENOENT')) throw error;
	}
};

const isOwnerDead = (path: string): boolean => {
	try {
		const isStale = Date.now() - statSync(path).mtimeMs > STALE_MS;
		const owner: unknown = JSON.parse(readFileSync(path, 'utf8') || '{}');
		const {pid, host} = owner as {pid?: unknown; host?: unknown};
		if (typeof pid !== 'number' || host !== hostname()) return isStale;
		return pid !== process.pid && !isAlive(pid);
	} catch (error) {
		// Gone in the meantime, or half written by an owner that is just starting.
		return isCode(error, 'ENOENT');
	}
};

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return isCode(error, 'EPERM');
	}
};

const isCode = (error: unknown, code: string): boolean =>
	error instanceof Error && 'code' in error && error.code === code;
