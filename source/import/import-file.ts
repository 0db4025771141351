import type {Adapter} from '../../adapters/types.js';
import {importSession} from '../../store/import.js';
import type {Database} from '../../store/open.js';
import type {SessionRef} from '../../store/types.js';
import {fileContent} from '../archive/contents.js';
import {AppError} from '../errors.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {type FileReading, type FoundSession, readImport} from './read-file.js';

export interface ImportContext {
	readonly database: Database;
	/** Data folder. */
	readonly folder: string;
	readonly home: string;
	readonly nowMs: number;
}

export interface ImportedSession {
	readonly session: FoundSession;
	readonly ref: SessionRef;
	/** False: the same file was imported before. */
	readonly isNew: boolean;
}

/** What is in a file, as far as there was talk. @throws AppError */
export const readConversations = (
	path: string,
	options: {readonly adapters: readonly Adapter[]; readonly from?: string | undefined},
): FileReading => {
	const reading = readImport(path, options);
	const sessions = reading.sessions.filter(hasConversation);
	if (sessions.length === 0)
		throw new AppError(`${sanitizeLine(path)} holds no conversation`, {code: 'nothing'});
	return {...reading, sessions};
};

const hasConversation = ({batches}: FoundSession): boolean =>
	batches.some(({events}) => events.some(({kind}) => kind !== 'meta' && kind !== 'summary'));

/** Takes the sessions of a file into the history. @throws StoreError */
export const importReading = (
	{database, folder, home, nowMs}: ImportContext,
	{format, stamp, sha256, sessions}: FileReading,
): readonly ImportedSession[] =>
	sessions.map(session => {
		const {nativeId, agent, originalId, batches, forkOf} = session;
		const imported = importSession(
			database,
			{
				nativeId,
				provenance: {
					format,
					agent,
					originalId,
					path: stamp.path,
					sha256,
					importedAt: new Date(nowMs).toISOString(),
					...(forkOf !== undefined && {forkOf}),
				},
				batches,
				content: fileContent(stamp, '', 'import'),
			},
			{folder, home, nowMs},
		);
		return {session, ...imported};
	});
