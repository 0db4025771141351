/** Looks into folders of an agent: bounded, in a stable order, and never out of the root through a link. */

import {type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync} from 'node:fs';
import {basename, dirname, join, sep} from 'node:path';
import type {Problem} from '../model.js';
import type {FileStamp} from '../types.js';
import {errorText, isAbsent} from './errors.js';

/** Folders below a root that are looked into, whatever an adapter asks for. */
const DEPTH_LIMIT = 12;
const FILE_LIMIT = 200_000;

export interface WalkOptions {
	/** How many levels of folders are looked into: 1 = only the root itself. */
	readonly depth: number;
	/** Which files to give; relative paths have forward slashes. */
	readonly accept: (relativePath: string, name: string) => boolean;
	/** Which folders to look into; absent = all. */
	readonly enter?: (relativePath: string, name: string) => boolean;
	/** For tests. */
	readonly fileLimit?: number;
}

export interface FoundFile {
	readonly path: string;
	/** Below the root, with forward slashes. */
	readonly relative: string;
	readonly stamp: FileStamp;
}

type Walked = (FoundFile & {readonly problem?: undefined}) | {readonly problem: Problem};

export type Listing =
	| {readonly entries: readonly Dirent[]; readonly problem?: undefined}
	| {readonly problem: Problem; readonly entries?: undefined};

const unreadable = (path: string, error: unknown): Problem => ({
	code: 'unreadable',
	where: path,
	detail: errorText(error),
});

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Entries of a folder by name; undefined when there is no such folder. */
export const listFolder = (path: string): Listing | undefined => {
	try {
		return {entries: readdirSync(path, {withFileTypes: true}).sort(byName)};
	} catch (error) {
		return isAbsent(error) ? undefined : {problem: unreadable(path, error)};
	}
};

const toStamp = (path: string, stats: Stats): FileStamp => ({
	path,
	sizeBytes: stats.size,
	mtimeMs: stats.mtimeMs,
	inode: stats.ino,
	device: stats.dev,
});

const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** What a link leads to, or undefined if that is gone or runs in circles. */
const targetOf = (path: string): string | undefined => {
	try {
		return realpathSync(path);
	} catch {
		return undefined; // a dangling link is as good as no file
	}
};

/**
 * State of a regular file; undefined for anything else. A link is followed only if it stays within `root` (default: its own
 * folder); the root itself may be a link.
 */
export const stampOf = (path: string, root = dirname(path)): FileStamp | undefined => {
	try {
		const own = lstatSync(path);
		if (own.isFile()) return toStamp(path, own);
		if (!own.isSymbolicLink()) return undefined;
		if (!isWithin(realpathSync(path), realpathSync(root))) return undefined;
		const target = statSync(path);
		return target.isFile() ? toStamp(path, target) : undefined;
	} catch {
		return undefined; // gone, or not ours to look at: `read` will say which
	}
};

/** `join` for parts that are normal already: it takes a tenth of a walk that finds nothing new. */
const below = (folder: string, relative: string): string =>
	sep === '/' && relative !== '' && !folder.endsWith('/')
		? `${folder}/${relative}`
		: join(folder, relative);

interface Folder {
	/** Below the root, with forward slashes and one at the end; the root is the empty string. */
	readonly relative: string;
	readonly real: string;
	readonly depth: number;
}

interface Walk {
	readonly root: string;
	readonly realRoot: string;
	readonly options: WalkOptions;
	readonly folders: Folder[];
	/** Links to folders wait until all real folders are done: those are found under their own name, and circles end. */
	readonly links: Folder[];
	readonly visited: Set<string>;
	files: number;
	isTooDeep: boolean;
}

const limitProblem = (path: string, detail: string): Walked => ({
	problem: {code: 'limit', where: path, detail},
});

/** Puts a folder on the list, or says that it lies too deep. */
const addFolder = (walk: Walk, list: Folder[], folder: Folder): Walked | undefined => {
	const {options} = walk;
	const isWanted = options.enter?.(folder.relative.slice(0, -1), basename(folder.relative)) ?? true;
	if (!isWanted) return undefined;
	if (folder.depth <= Math.min(options.depth, DEPTH_LIMIT)) {
		list.push(folder);
		return undefined;
	}
	if (options.depth < DEPTH_LIMIT || walk.isTooDeep) return undefined;
	walk.isTooDeep = true;
	return limitProblem(below(walk.root, folder.relative), `folders deeper than ${DEPTH_LIMIT}`);
};

const fileOf = (walk: Walk, relative: string, name: string): Walked | undefined => {
	if (!walk.options.accept(relative, name)) return undefined;
	const path = below(walk.root, relative);
	try {
		const stats = statSync(path);
		if (!stats.isFile()) return undefined;
		walk.files += 1;
		return {path, relative, stamp: toStamp(path, stats)};
	} catch (error) {
		return isAbsent(error) ? undefined : {problem: unreadable(path, error)};
	}
};

const linkOf = (walk: Walk, folder: Folder, name: string): Walked | undefined => {
	const relative = folder.relative + name;
	const path = below(walk.root, relative);
	const target = targetOf(path);
	if (target === undefined) return undefined;
	const isFolder = statSync(target, {throwIfNoEntry: false})?.isDirectory() ?? false;
	if (isWithin(target, walk.realRoot)) {
		return isFolder
			? addFolder(walk, walk.links, {
					relative: `${relative}/`,
					real: target,
					depth: folder.depth + 1,
				})
			: fileOf(walk, relative, name);
	}
	const isWanted = isFolder
		? folder.depth < walk.options.depth && (walk.options.enter?.(relative, name) ?? true)
		: walk.options.accept(relative, name);
	if (!isWanted) return undefined;
	return {problem: {code: 'linked-out', where: path, detail: 'a link that leads out of the root'}};
};

const entryOf = (walk: Walk, folder: Folder, entry: Dirent): Walked | undefined => {
	const {name} = entry;
	if (entry.isFile()) return fileOf(walk, folder.relative + name, name);
	if (entry.isSymbolicLink()) return linkOf(walk, folder, name);
	if (!entry.isDirectory()) return undefined;
	return addFolder(walk, walk.folders, {
		relative: `${folder.relative}${name}/`,
		real: below(folder.real, name),
		depth: folder.depth + 1,
	});
};

function* walkFolder(walk: Walk, folder: Folder): Generator<Walked, void> {
	if (walk.visited.has(folder.real)) return;
	walk.visited.add(folder.real);
	const listing = listFolder(below(walk.root, folder.relative));
	if (listing?.problem !== undefined) yield {problem: listing.problem};
	for (const entry of listing?.entries ?? []) {
		if (walk.files >= (walk.options.fileLimit ?? FILE_LIMIT)) return;
		const found = entryOf(walk, folder, entry);
		if (found !== undefined) yield found;
	}
}

/** What an adapter wants below a root, folder by folder in the order of names; and what cannot be looked at. */
export function* walkFiles(root: string, options: WalkOptions): Generator<Walked, void> {
	const realRoot = targetOf(root);
	if (realRoot === undefined) return;
	const walk: Walk = {
		root,
		realRoot,
		options,
		folders: [{relative: '', real: realRoot, depth: 1}],
		links: [],
		visited: new Set(),
		files: 0,
		isTooDeep: false,
	};
	for (;;) {
		const folder = walk.folders.shift() ?? walk.links.shift();
		if (folder === undefined) return;
		yield* walkFolder(walk, folder);
		if (walk.files >= (options.fileLimit ?? FILE_LIMIT)) {
			yield limitProblem(root, `more than ${options.fileLimit ?? FILE_LIMIT} files`);
			return;
		}
	}
}

/** The files among these, once all are found; the problems on the way. */
export function* findFiles(
	root: string,
	options: WalkOptions,
): Generator<{readonly problem: Problem}, readonly FoundFile[]> {
	const found: FoundFile[] = [];
	for (const walked of walkFiles(root, options)) {
		if (walked.problem === undefined) found.push(walked);
		else yield {problem: walked.problem};
	}
	return found;
}

/** Paths of the files alone, for folders whose problems do not matter. */
export const filesBelow = (root: string, options: WalkOptions): readonly string[] =>
	[...walkFiles(root, options)].flatMap(walked => ('path' in walked ? walked.path : []));

/** Files by the folder that they lie in. */
export const byFolder = (
	files: readonly FoundFile[],
	folderOf: (path: string) => string = dirname,
): ReadonlyMap<string, readonly FileStamp[]> => {
	const folders = new Map<string, FileStamp[]>();
	for (const {path, stamp} of files) {
		const known = folders.get(folderOf(path));
		if (known === undefined) folders.set(folderOf(path), [stamp]);
		else known.push(stamp);
	}
	return folders;
};
