import {accessSync, constants, readFileSync, statSync} from 'node:fs';
import {delimiter, dirname, isAbsolute, join, resolve} from 'node:path';
import type {SessionView} from '../../store/types.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import type {RunPlan} from './plan.js';

/** Written to so recently, a session is probably open somewhere. */
const RUNNING_MS = 60_000;

export interface DirectoryCheck {
	readonly path: string;
	readonly exists: boolean;
	/** The directory itself, else its nearest parent that exists; null if that is `/`, or for a path of another system. */
	readonly nearest: string | null;
	/** Main checkout of the repository it belongs, or belonged, to, if that is another directory and exists. */
	readonly checkout: string | null;
}

/** What is found out before an agent is started. Plain data: the sheet and the command line put it into words. */
export interface ResumeChecks {
	/** Where the program lies; null: not on the PATH. */
	readonly binary: {readonly name: string; readonly path: string | null};
	/** null: any directory will do. */
	readonly directory: DirectoryCheck | null;
	readonly branchNow: string | null;
	readonly branchThen: string | null;
	readonly lastWrittenMs: number | null;
	/** Since then; null when it is not known. */
	readonly idleMs: number | null;
	/** The agent says so, or it was written to within the last minute. */
	readonly isPerhapsRunning: boolean;
}

export interface CheckSurroundings {
	/** The PATH variable. */
	readonly pathEnv: string;
	readonly now: number;
}

const isDirectory = (path: string): boolean => {
	try {
		return statSync(path).isDirectory();
	} catch {
		// Absent, unreadable, or a name that this system does not allow: in all cases no place to start in.
		return false;
	}
};

const isProgram = (path: string): boolean => {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		// Not there or not executable: the next folder of the PATH is tried.
		return false;
	}
};

/** Where a shell would find the program. */
export const findProgram = (name: string, pathEnv: string): string | null => {
	if (name.includes('/')) return isProgram(name) ? name : null;
	const folders = pathEnv.split(delimiter).filter(folder => isAbsolute(folder));
	return folders.map(folder => join(folder, name)).find(isProgram) ?? null;
};

/** The root of the file system exists always, and is no place that anybody worked in. */
const nearestExisting = (path: string): string | null => {
	if (!isAbsolute(path)) return null;
	for (let current = dirname(path); current !== dirname(current); current = dirname(current))
		if (isDirectory(current)) return current;
	return null;
};

const readSmall = (path: string): string | undefined => {
	try {
		if (statSync(path).size > 65_536) return undefined;
		return readFileSync(path, 'utf8').trim();
	} catch {
		// No repository, or none that can be read: nothing is said about it then.
		return undefined;
	}
};

interface Repository {
	/** Folder with HEAD: `.git`, or `.git/worktrees/<name>` of the main checkout. */
	readonly folder: string;
	readonly top: string;
}

/** The repository around a directory, read without running git. */
const repositoryOf = (directory: string): Repository | undefined => {
	for (let top = directory; ; top = dirname(top)) {
		const dotGit = join(top, '.git');
		if (isDirectory(dotGit)) return {folder: dotGit, top};
		const target = /^gitdir: (.+)$/.exec(readSmall(dotGit) ?? '')?.[1];
		if (target !== undefined) return {folder: resolve(top, target), top};
		if (dirname(top) === top) return undefined;
	}
};

/** Branch that is checked out there; a detached head is named by its commit. */
export const branchOf = (directory: string): string | null => {
	const repository = repositoryOf(directory);
	const head = repository && readSmall(join(repository.folder, 'HEAD'));
	if (head === undefined) return null;
	const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
	if (branch !== undefined) return sanitizeLine(branch);
	return /^[0-9a-f]{7,}$/.test(head) ? `detached at ${head.slice(0, 7)}` : null;
};

/** Main checkout of the worktree that a directory lies in; null if it lies in the main checkout itself, or in none. */
export const mainCheckoutOf = (directory: string): string | null => {
	const repository = repositoryOf(directory);
	if (!repository) return null;
	const common = readSmall(join(repository.folder, 'commondir'));
	if (common === undefined) return null;
	const main = dirname(resolve(repository.folder, common));
	return main === repository.top || !isDirectory(main) ? null : main;
};

const checkDirectory = (path: string, session: SessionView): DirectoryCheck => {
	const exists = isAbsolute(path) && isDirectory(path);
	const nearest = exists ? path : nearestExisting(path);
	const stored = session.projectDir;
	const isElsewhere = stored !== null && isAbsolute(stored) && stored !== path;
	const checkout =
		(nearest === null ? null : mainCheckoutOf(nearest)) ??
		(isElsewhere && isDirectory(stored) ? stored : null);
	return {path, exists, nearest, checkout};
};

const writtenMs = (location: string): number | null => {
	try {
		return statSync(location).mtimeMs;
	} catch {
		// The source is gone, or one of several in a database: the session's own times have to do.
		return null;
	}
};

/** Looks at the machine: a few `stat` calls and small files, no other program. */
export const checkResume = (
	plan: RunPlan,
	session: SessionView,
	{pathEnv, now}: CheckSurroundings,
): ResumeChecks => {
	const name = plan.argv[0] ?? '';
	const directory = plan.cwd === null ? null : checkDirectory(plan.cwd, session);
	const lastWrittenMs = writtenMs(session.location) ?? session.updatedAtMs;
	const idleMs = lastWrittenMs === null ? null : Math.max(0, now - lastWrittenMs);
	return {
		binary: {name, path: findProgram(name, pathEnv)},
		directory,
		branchNow: directory?.exists ? branchOf(directory.path) : null,
		branchThen: session.branch,
		lastWrittenMs,
		idleMs,
		isPerhapsRunning: session.isRunning || (idleMs !== null && idleMs < RUNNING_MS),
	};
};

/** Directories to offer instead of a missing one, the best first. */
export const otherDirectories = ({directory}: ResumeChecks): readonly string[] => {
	if (!directory || directory.exists) return [];
	const found = [directory.checkout, directory.nearest].filter(path => path !== null);
	return [...new Set(found)];
};

/** Why it cannot be started as things are: one line, or null. */
export const obstacle = (checks: ResumeChecks): string | null => {
	const {binary, directory} = checks;
	if (directory && !directory.exists) {
		const others = otherDirectories(checks).map(sanitizeLine);
		const kind = isAbsolute(directory.path) ? 'is gone' : 'is not a directory of this system';
		const offer =
			others.length === 0
				? 'name another one with --dir'
				: `there is still ${others.join(' and ')} (--dir ${others[0]})`;
		return `${sanitizeLine(directory.path)} ${kind}; ${offer}`;
	}
	return binary.path === null ? `${sanitizeLine(binary.name)} is not on the PATH` : null;
};
