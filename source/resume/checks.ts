import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import type {SessionView} from '../../store/types.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {directoriesInstead, type OtherDirectory} from './other-directories.js';
import type {RunPlan} from './plan.js';
import {branchOf, isDirectory} from './repository.js';

/** Written to so recently, a session is probably open somewhere. */
const RUNNING_MS = 60_000;

export interface DirectoryCheck {
	readonly path: string;
	readonly exists: boolean;
	/** Where else it can go on, the best first; empty while the directory exists. */
	readonly instead: readonly OtherDirectory[];
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
	/** Process that has the session open, by the agent's own record; null when there is none, or it has ended. */
	readonly runningPid: number | null;
	/** The agent says so, or the session was written to within the last minute. */
	readonly isPerhapsRunning: boolean;
}

export interface CheckSurroundings {
	/** The PATH variable. */
	readonly pathEnv: string;
	readonly now: number;
	/** Directories that other sessions worked in; asked for only when the session's own is gone. */
	readonly knownDirectories?: (() => readonly string[]) | undefined;
}

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

const checkDirectory = (
	path: string,
	session: SessionView,
	knownDirectories: CheckSurroundings['knownDirectories'],
): DirectoryCheck => {
	const exists = isAbsolute(path) && isDirectory(path);
	if (exists) return {path, exists, instead: []};
	const known = knownDirectories?.() ?? [];
	return {path, exists, instead: directoriesInstead({path, session, knownDirectories: known})};
};

const writtenMs = (location: string): number | null => {
	try {
		return statSync(location).mtimeMs;
	} catch {
		// The source is gone, or one of several in a database: the session's own times have to do.
		return null;
	}
};

/** Signal 0 asks without disturbing; a process of somebody else answers with EPERM. */
const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
};

/** Numbers below 1 mean groups of processes, not a process. */
const livePid = (text: string | undefined): number | null => {
	const pid = text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
	return pid !== null && isAlive(pid) ? pid : null;
};

/** Looks at the machine: a few `stat` calls and small files, no other program. */
export const checkResume = (
	plan: RunPlan,
	session: SessionView,
	{pathEnv, now, knownDirectories}: CheckSurroundings,
): ResumeChecks => {
	const name = plan.argv[0] ?? '';
	const directory = plan.cwd === null ? null : checkDirectory(plan.cwd, session, knownDirectories);
	const lastWrittenMs = writtenMs(session.location) ?? session.updatedAtMs;
	const idleMs = lastWrittenMs === null ? null : Math.max(0, now - lastWrittenMs);
	const {pid} = session.resumeHint;
	const runningPid = livePid(pid);
	const isFresh = idleMs !== null && idleMs < RUNNING_MS;
	return {
		binary: {name, path: findProgram(name, pathEnv)},
		directory,
		branchNow: directory?.exists ? branchOf(directory.path) : null,
		branchThen: session.branch,
		lastWrittenMs,
		idleMs,
		runningPid,
		isPerhapsRunning: session.isRunning || runningPid !== null || isFresh,
	};
};

/** Directories to offer instead of a missing one, the best first. */
export const otherDirectories = ({directory}: ResumeChecks): readonly string[] =>
	(directory?.instead ?? []).map(({path}) => path);

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
