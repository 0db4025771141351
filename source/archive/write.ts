import {createHash} from 'node:crypto';
import {lstatSync, readFileSync} from 'node:fs';
import {AppError} from '../errors.js';
import {type ExportTarget, exportPath, writeExport} from '../export/write.js';
import {archiveText} from './document.js';
import {type Archive, isArchive, parseArchive} from './format.js';

/**
 * Writes an archive for its owner only, as a whole or not at all. In place of an earlier archive (`isForced`) it takes the next
 * revision, and is refused when somebody else wrote there meanwhile.
 * @throws AppError
 */
export const writeArchive = async (
	archive: Archive,
	target: ExportTarget,
	onRead?: () => void,
): Promise<string> => {
	const path = exportPath(target);
	const before = target.isForced ? contentOf(path) : undefined;
	const text = archiveText({...archive, revision: revisionAfter(before)});
	onRead?.();
	if (target.isForced && hashOf(contentOf(path)) !== hashOf(before))
		throw new AppError(`${path} was changed by somebody else just now: nothing was written`);
	return writeExport(text, {...target, mode: 0o600});
};

const contentOf = (path: string): string | undefined =>
	lstatSync(path, {throwIfNoEntry: false})?.isFile() ? readFileSync(path, 'utf8') : undefined;

const hashOf = (text: string | undefined): string =>
	text === undefined ? '' : createHash('sha256').update(text).digest('hex');

const revisionAfter = (text: string | undefined): number => {
	if (text === undefined) return 1;
	try {
		const document: unknown = JSON.parse(text);
		const parsed = isArchive(document) ? parseArchive(document) : undefined;
		return parsed !== undefined && 'archive' in parsed ? parsed.archive.revision + 1 : 1;
	} catch {
		return 1; // no JSON: `--force` replaces whatever it is
	}
};
