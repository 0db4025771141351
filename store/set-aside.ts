import {existsSync, readdirSync, renameSync} from 'node:fs';
import {join} from 'node:path';

export const DATABASE_FILE = 'history.db';
const SUFFIX = '.damaged-';

/**
 * A damaged database is never deleted: it gets another name, with its log, and a new one takes its place, made from the agents'
 * files and our copy of them. @returns where it is now
 */
export const setAside = (folder: string, nowMs: number): string => {
	const path = join(folder, DATABASE_FILE);
	const stamp = new Date(nowMs).toISOString().replace(/[-:]/g, '').replace(/\..*$/, '');
	const aside = `${path}${SUFFIX}${stamp}`;
	for (const ending of ['-wal', '-shm'])
		if (existsSync(path + ending)) renameSync(path + ending, aside + ending);
	renameSync(path, aside);
	return aside;
};

/** Databases that were set aside, the newest last. */
export const damagedDatabases = (folder: string): readonly string[] =>
	readdirSync(folder)
		.filter(name => name.startsWith(DATABASE_FILE + SUFFIX) && !/-(?:wal|shm)$/.test(name))
		.sort()
		.map(name => join(folder, name));
