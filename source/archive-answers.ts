/** Answers of the app about what is kept: an imported file, a fork of our own, what agents delete soon, a history made anew. */
import {resolve} from 'node:path';
import type {Adapter} from '../adapters/types.js';
import {knownDirectories} from '../store/directories.js';
import {type Database, takeSetAsideNotice} from '../store/open.js';
import {createLibrary} from '../store/read/library.js';
import {damagedDatabases} from '../store/set-aside.js';
import type {Questions} from './app/backend.js';
import {makeFork} from './archive/fork.js';
import {AppError} from './errors.js';
import {importReading, readConversations} from './import/import-file.js';
import {expandHome} from './paths.js';
import {retentionLine, retentionViews} from './retention.js';
import {createSurroundings, type SurroundingFacts} from './surroundings.js';

export interface ArchiveContext extends Omit<SurroundingFacts, 'projectDirs'> {
	readonly adapters: readonly Adapter[];
	/** Undefined: there is no store yet. */
	readonly reading: () => Database | undefined;
	readonly writing: () => Database;
	readonly folder: string;
	/** Where the app was started. */
	readonly cwd: string;
}

type Answered = 'fork' | 'importFile' | 'upkeep';

export const archiveAnswers = (context: ArchiveContext): Pick<Questions, Answered> => {
	const {adapters, folder, home, cwd, reading, writing} = context;
	const due = (nowMs: number): string | null => {
		const database = reading();
		if (database === undefined) return null;
		const surroundings = createSurroundings({
			...context,
			projectDirs: () => knownDirectories(database),
		});
		return retentionLine(retentionViews(database, {adapters, surroundings, nowMs})) ?? null;
	};
	return {
		fork(ref, upTo, nowMs) {
			const database = writing();
			const library = createLibrary(database);
			const session = library.session(ref);
			if (session === undefined) throw new AppError('this session is no longer in the history');
			const end = upTo === null ? undefined : library.event(upTo);
			return makeFork({database, library, folder, home, nowMs}, {session, end});
		},
		importFile(path, nowMs) {
			const reading = readConversations(resolve(cwd, expandHome(path, home)), {adapters});
			const imported = importReading({database: writing(), folder, home, nowMs}, reading);
			const problems = [
				...reading.problems,
				...imported.flatMap(({session}) => session.batches.flatMap(batch => batch.problems)),
			];
			return {
				sessions: imported.map(({ref}) => ref),
				isNew: imported.some(({isNew}) => isNew),
				notTaken: problems.length,
			};
		},
		upkeep(nowMs) {
			const isSetAside = damagedDatabases(folder).length > 0;
			return {
				due: due(nowMs),
				setAside: (isSetAside ? takeSetAsideNotice(writing()) : undefined) ?? null,
			};
		},
	};
};
