import {readFileSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';

/** The place a session worked in (DESIGN section 1, "project"). `isFound`: the directory existed when it was settled. */
export interface Project {
	readonly path: string;
	readonly label: string;
	readonly isFound: boolean;
}

const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** One spelling for a Windows path: upper-case drive, backslashes. Other paths stay as they are. */
export const normalisedPath = (path: string): string => {
	if (!WINDOWS_PATH.test(path)) return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
	const backslashed = path.replaceAll('/', '\\').replace(/\\+$/, '');
	return /^[a-z]:/.test(backslashed)
		? backslashed.charAt(0).toUpperCase() + backslashed.slice(1)
		: backslashed;
};

/** Main checkout of the repository around a directory that need not be known, such as a worktree made a minute ago. */
export const checkoutAround = (directory: string): string | undefined => {
	const parent = dirname(directory);
	if (parent === directory || !isAbsolute(directory)) return undefined;
	try {
		return mainCheckout(directory) ?? checkoutAround(parent);
	} catch {
		return undefined; // not to be entered: whatever lies there is nobody's checkout
	}
};

/** Finds projects; keeps what it looked up, so make one per pass. */
export const createProjectFinder = (home: string) => {
	const known = new Map<string, string | undefined>();

	/** Main checkout of the repository that an existing directory lies in. */
	const checkoutOf = (directory: string): string | undefined => {
		if (directory === home || dirname(directory) === directory) return undefined;
		if (known.has(directory)) return known.get(directory);
		const found = mainCheckout(directory) ?? checkoutOf(dirname(directory));
		known.set(directory, found);
		return found;
	};

	return (cwd: string, recordedCheckout: string | null): Project => {
		const directory = normalisedPath(cwd);
		if (WINDOWS_PATH.test(directory)) return project(directory, false);
		if (isDirectory(directory)) return project(checkoutOf(directory) ?? directory, true);
		if (recordedCheckout !== null) return project(normalisedPath(recordedCheckout), false);
		const above = isInWorktreesFolder(directory) ? nearestExisting(directory) : undefined;
		return project((above && checkoutOf(above)) ?? directory, false);
	};
};

const project = (path: string, isFound: boolean): Project => ({
	path,
	label: path.split(/[\\/]/).filter(Boolean).at(-1) ?? path,
	isFound,
});

const isInWorktreesFolder = (path: string): boolean => /\/\.?worktrees\//.test(`${path}/`);

const nearestExisting = (path: string): string | undefined => {
	const parent = dirname(path);
	if (parent === path) return undefined;
	return isDirectory(parent) ? parent : nearestExisting(parent);
};

/**
 * `.git` as a folder: a main checkout. As a file: `gitdir: <main>/.git/worktrees/<name>` of a worktree; a submodule's
 * (`…/.git/modules/…`) is a checkout of its own.
 */
const mainCheckout = (directory: string): string | undefined => {
	const git = join(directory, '.git');
	const kind = kindOf(git);
	if (kind === 'folder') return directory;
	if (kind !== 'file') return undefined;
	const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(git, 'utf8'))?.[1];
	if (pointer === undefined) return directory;
	const target = resolve(directory, pointer);
	const isWorktree = basename(dirname(target)) === 'worktrees';
	const folder = dirname(dirname(target));
	return isWorktree && basename(folder) === '.git' ? dirname(folder) : directory;
};

const kindOf = (path: string): 'folder' | 'file' | undefined => {
	const info = statSync(path, {throwIfNoEntry: false});
	if (info?.isDirectory()) return 'folder';
	return info?.isFile() ? 'file' : undefined;
};

const isDirectory = (path: string): boolean => {
	try {
		return statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
	} catch {
		return false; // a part of the path is a file, too long, or may not be entered: not a place to work in
	}
};
