/** What git keeps about a directory, read without running git: nothing of a repository is executed. */
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {sanitizeLine} from '../terminal/sanitize.js';

const MAX_BYTES = 65_536;
const MAX_WORKTREES = 500;

export const isDirectory = (path: string): boolean => {
	try {
		return statSync(path).isDirectory();
	} catch {
		// Absent, unreadable, or a name that this system does not allow: in all cases no place to start in.
		return false;
	}
};

const readSmall = (path: string): string | undefined => {
	try {
		if (statSync(path).size > MAX_BYTES) return undefined;
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

const repositoryOf = (directory: string): Repository | undefined => {
	for (let top = directory; ; top = dirname(top)) {
		const dotGit = join(top, '.git');
		if (isDirectory(dotGit)) return {folder: dotGit, top};
		const target = /^gitdir: (.+)$/.exec(readSmall(dotGit) ?? '')?.[1];
		if (target !== undefined) return {folder: resolve(top, target), top};
		if (dirname(top) === top) return undefined;
	}
};

const branchIn = (folder: string): string | null => {
	const head = readSmall(join(folder, 'HEAD'));
	if (head === undefined) return null;
	const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
	if (branch !== undefined) return sanitizeLine(branch);
	return /^[0-9a-f]{7,}$/.test(head) ? `detached at ${head.slice(0, 7)}` : null;
};

/** Branch that is checked out there; a detached head is named by its commit. */
export const branchOf = (directory: string): string | null => {
	const repository = repositoryOf(directory);
	return repository ? branchIn(repository.folder) : null;
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

export interface Worktree {
	readonly path: string;
	readonly branch: string | null;
}

/** Worktrees that a main checkout knows of, removed ones that were not pruned included. */
export const worktreesOf = (checkout: string): readonly Worktree[] => {
	const folder = join(checkout, '.git', 'worktrees');
	let names: readonly string[];
	try {
		names = readdirSync(folder).toSorted().slice(0, MAX_WORKTREES);
	} catch {
		return []; // no worktree was ever made, or this is no main checkout
	}
	return names.flatMap(name => {
		const dotGit = readSmall(join(folder, name, 'gitdir'));
		if (dotGit === undefined) return [];
		// Relative since git 2.48 where it is so configured.
		const path = dirname(resolve(folder, name, dotGit));
		return [{path, branch: branchIn(join(folder, name))}];
	});
};

/** `git@host:a/b.git`, `ssh://git@host/a/b` and `https://user:word@host/a/b.git` are one repository: `host/a/b`. */
export const sameRemote = (address: string): string =>
	address
		.trim()
		.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
		.replace(/^[^@/]*@/, '')
		.replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
		.replace(/(?:\.git)?\/*$/, '')
		.toLowerCase();

/** Address that the main checkout of a directory calls `origin`. */
export const remoteOf = (checkout: string): string | null => {
	const config = readSmall(join(checkout, '.git', 'config')) ?? '';
	const section = /^\[remote "origin"\]$([^[]*)/m.exec(config)?.[1] ?? '';
	return /^\s*url\s*=\s*(\S+)\s*$/m.exec(section)?.[1] ?? null;
};
