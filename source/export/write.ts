// biome-ignore lint/style/noRestrictedImports: the one file of this folder that touches the disk
import {lstatSync, mkdirSync, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import {AppError} from '../errors.js';
import {expandHome} from '../paths.js';

export interface ExportTarget {
	/** As given by `--output`: a file, an existing folder, or a folder to be made (trailing `/`). */
	readonly output: string;
	/** Name inside of a folder. */
	readonly defaultName: string;
	readonly home: string;
	/** What relative paths are relative to. */
	readonly workFolder: string;
	/** `output` is a folder, even if it does not exist yet: several files are to go there. */
	readonly isFolder?: boolean | undefined;
	/** Replaces an existing file. */
	readonly isForced: boolean;
	/** Mode of the file; absent: what the umask leaves. */
	readonly mode?: number | undefined;
}

const isDirectory = (path: string): boolean => {
	try {
		return statSync(path).isDirectory();
	} catch {
		// Absent or out of reach: writing to it says why.
		return false;
	}
};

/** A link that leads nowhere is taken as well: whoever made it meant another file. */
const isTaken = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false}) !== undefined;

const meansFolder = ({output, isFolder = false}: ExportTarget): boolean =>
	isFolder || /[/\\]$/.test(output);

/** The absolute path that `--output` means. */
export const exportPath = (target: ExportTarget): string => {
	const path = resolve(target.workFolder, expandHome(target.output, target.home));
	return meansFolder(target) || isDirectory(path) ? join(path, target.defaultName) : path;
};

/**
 * Writes an export as a whole or not at all.
 * @returns the path of the file.
 * @throws AppError when the file exists or cannot be written; nothing is left behind then.
 */
export const writeExport = async (text: string, target: ExportTarget): Promise<string> => {
	const path = exportPath(target);
	try {
		if (isDirectory(path)) throw new AppError(`${path} is a folder`);
		if (isTaken(path) && !target.isForced)
			throw new AppError(`${path} exists already; --force replaces it`);
		if (meansFolder(target)) mkdirSync(dirname(path), {recursive: true});
		await writeFileAtomic(path, text, target.mode === undefined ? {} : {mode: target.mode});
	} catch (error) {
		if (error instanceof AppError) throw error;
		const reason = error instanceof Error ? error.message : String(error);
		throw new AppError(`${path} cannot be written: ${reason}`, {cause: error});
	}
	return path;
};
