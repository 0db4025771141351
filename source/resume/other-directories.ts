/** Where a session can go on when its directory is gone. */
import {basename, dirname, isAbsolute, join, relative} from 'node:path';
import type {SessionView} from '../../store/types.js';
import {isDirectory, mainCheckoutOf, remoteOf, sameRemote, worktreesOf} from './repository.js';

export interface OtherDirectory {
	readonly path: string;
	/** Why it is offered, for a person. */
	readonly why: string;
}

export interface MissingDirectory {
	readonly path: string;
	readonly session: Pick<SessionView, 'projectDir' | 'branch' | 'resumeHint'>;
	/** Directories that other sessions worked in. */
	readonly knownDirectories: readonly string[];
}

/** Enough to choose from; more would be a list to search. */
const MAX_OFFERS = 6;
/** So many known directories are looked at: each costs a few `stat` calls. */
const MAX_KNOWN = 2000;

/** The root of the file system exists always, and is no place that anybody worked in. */
export const nearestExisting = (path: string): string | null => {
	if (!isAbsolute(path)) return null;
	for (let current = dirname(path); current !== dirname(current); current = dirname(current))
		if (isDirectory(current)) return current;
	return null;
};

const isInside = (path: string, folder: string): boolean => {
	const way = relative(folder, path);
	return way === '' || !(way.startsWith('..') || isAbsolute(way));
};

const isCheckout = (path: string): boolean => isDirectory(join(path, '.git'));

/** Main checkout that the missing directory was a worktree of, or lay in. */
export const checkoutFor = ({path, session, knownDirectories}: MissingDirectory): string | null => {
	const nearest = nearestExisting(path);
	const above = nearest === null ? null : mainCheckoutOf(nearest);
	if (above !== null) return above;
	const {projectDir} = session;
	const isElsewhere = projectDir !== null && isAbsolute(projectDir) && projectDir !== path;
	if (isElsewhere && isDirectory(projectDir)) return projectDir;
	const knows = (checkout: string) =>
		worktreesOf(checkout).some(worktree => isInside(path, worktree.path));
	return knownDirectories.slice(0, MAX_KNOWN).find(knows) ?? null;
};

/** Worktrees of the same checkout that are still there, the one with the session's branch first. */
const otherWorktrees = (checkout: string, branch: string | null): readonly OtherDirectory[] =>
	worktreesOf(checkout)
		.filter(({path}) => isDirectory(path))
		.map(worktree => ({...worktree, isSame: branch !== null && worktree.branch === branch}))
		.toSorted((a, b) => Number(b.isSame) - Number(a.isSame))
		.map(({path, branch: now}) => ({
			path,
			why: now === null ? 'another worktree' : `another worktree, on ${now}`,
		}));

/** The repository in another place: the same remote, as far as the session recorded one, else the same name. */
const movedCheckouts = (missing: MissingDirectory): readonly OtherDirectory[] => {
	const {path, session, knownDirectories} = missing;
	const project = session.projectDir ?? path;
	const {remote} = session.resumeHint;
	const wanted = remote === undefined ? null : sameRemote(remote);
	const inside = isInside(path, project) ? relative(project, path) : '';
	const placeIn = (checkout: string) => {
		const deep = join(checkout, inside);
		return isDirectory(deep) ? deep : checkout;
	};
	const others = knownDirectories
		.slice(0, MAX_KNOWN)
		.filter(known => isAbsolute(known) && known !== project && isCheckout(known));
	const isSame = (checkout: string) => {
		const origin = wanted === null ? null : remoteOf(checkout);
		return origin !== null && sameRemote(origin) === wanted;
	};
	return [
		...others.filter(isSame).map(known => ({path: placeIn(known), why: 'the same repository'})),
		...others
			.filter(known => basename(known) === basename(project))
			.map(known => ({path: placeIn(known), why: 'a repository of the same name'})),
	];
};

/** The best first; each exists. Empty: only another directory by name, or the command to copy, is left. */
export const directoriesInstead = (missing: MissingDirectory): readonly OtherDirectory[] => {
	const checkout = checkoutFor(missing);
	const nearest = nearestExisting(missing.path);
	const offers: readonly OtherDirectory[] = [
		...(checkout === null ? [] : [{path: checkout, why: 'main checkout'}]),
		...(checkout === null ? [] : otherWorktrees(checkout, missing.session.branch)),
		...(isAbsolute(missing.path) ? movedCheckouts(missing) : []),
	];
	const byPath = new Map<string, OtherDirectory>();
	for (const offer of offers) if (!byPath.has(offer.path)) byPath.set(offer.path, offer);
	const best = [...byPath.values()].slice(0, MAX_OFFERS - 1);
	return nearest === null || best.some(({path}) => path === nearest)
		? best
		: [...best, {path: nearest, why: 'nearest directory that exists'}];
};
