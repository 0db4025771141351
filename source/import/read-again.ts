import {readFileSync} from 'node:fs';
import {adapters} from '../../adapters/registry.js';
import type {Batch} from '../../adapters/types.js';
import type {Provenance} from '../../store/import.js';
import {parseArchive} from '../archive/format.js';
import {AppError} from '../errors.js';
import {archiveBatches} from './archive.js';
import {type FoundSession, readImport} from './read-file.js';

/**
 * The kept file of an imported session, read again as it was then. `path` is where it lies for the moment; what cannot be read any
 * more gives nothing.
 */
export const readImportedAgain = (provenance: Provenance, path: string): readonly Batch[] => {
	if (provenance.format === 'archive') {
		const parsed = parseArchive(JSON.parse(readFileSync(path, 'utf8')));
		return 'archive' in parsed ? archiveBatches(parsed.archive, provenance.path) : [];
	}
	const from = provenance.format === 'transcript' ? provenance.agent : undefined;
	return sessionsIn(path, from).find(isThat(provenance))?.batches ?? [];
};

const isThat =
	({agent, originalId}: Provenance) =>
	(session: FoundSession): boolean =>
		session.agent === agent && session.originalId === originalId;

const sessionsIn = (path: string, from: string | undefined): readonly FoundSession[] => {
	try {
		return readImport(path, {adapters, from}).sessions;
	} catch (error) {
		if (error instanceof AppError) return []; // counted as unreadable by the caller
		throw error;
	}
};
