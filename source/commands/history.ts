import {join} from 'node:path';
import {adapters} from '../../adapters/registry.js';
import {setViewFolder} from '../../adapters/shared/sqlite.js';
import type {Adapter, Surroundings} from '../../adapters/types.js';
import {mirrorPass} from '../../store/archive/mirror.js';
import {rebuildFromMirror} from '../../store/archive/rebuild.js';
import {knownDirectories} from '../../store/directories.js';
import {StoreError, storeErrorCode} from '../../store/errors.js';
import type {Library} from '../../store/library.js';
import {
	type Database,
	explainedAsync,
	openStore,
	openStoreReadOnly,
	setAsideDamaged,
	takeSetAsideNotice,
} from '../../store/open.js';
import {createLibrary} from '../../store/read/library.js';
import {syncPass} from '../../store/sync/engine.js';
import {acquireLock} from '../../store/sync/lock.js';
import type {SyncProgress} from '../../store/sync/protocol.js';
import type {SyncSummary} from '../../store/types.js';
import {counted} from '../app/format.js';
import {findContents} from '../archive/contents.js';
import {AppError} from '../errors.js';
import {readImportedAgain} from '../import/read-again.js';
import {createSurroundings} from '../surroundings.js';
import type {Invocation} from './command.js';
import {wholeText} from './events.js';
import {agentsOf} from './filters.js';
import type {FlagValues, freshFlags} from './flags.js';
import {note} from './output.js';

/** How long a command that lists reads what changed before it answers. */
const FRESHEN_MS = 10_000;
/** How often the lock says that its owner is alive. */
const HEARTBEAT_MS = 20_000;

export interface History {
	readonly database: Database;
	readonly library: Library;
}

export type FreshInvocation = Invocation & {
	readonly flags: FlagValues<typeof freshFlags> & {readonly agent?: readonly string[]};
};

/** Opens the history, brings it up to date as the flags say, and closes it after `use`. */
export const withHistory = async <T>(
	invocation: FreshInvocation,
	use: (history: History) => T | Promise<T>,
): Promise<T> =>
	invocation.flags.sync === false
		? withStore(invocation, {isReadOnly: true}, use)
		: withStore(invocation, {}, async history => {
				await freshen(invocation, history);
				return use(history);
			});

/** Opens the history as it is. */
export const withStore = async <T>(
	{paths}: Invocation,
	{isReadOnly = false}: {readonly isReadOnly?: boolean},
	use: (history: History) => T | Promise<T>,
): Promise<T> => {
	const {dataFolder} = paths;
	const attempt = async (): Promise<T> => {
		const database = open(dataFolder, isReadOnly);
		try {
			if (!isReadOnly) tellSetAside(database);
			return await use({database, library: libraryOf(database)});
		} finally {
			database.close();
		}
	};
	try {
		return await attempt();
	} catch (error) {
		// Damage may show only where somebody looks.
		if (isReadOnly || !isDamage(error) || setAsideDamaged(dataFolder) === undefined) throw error;
		return attempt();
	}
};

const isDamage = (error: unknown): boolean =>
	error instanceof StoreError ? error.code === 'damaged' : storeErrorCode(error) === 'damaged';

const tellSetAside = (database: Database): void => {
	const path = takeSetAsideNotice(database);
	if (path !== undefined)
		note(
			`the history was damaged: it lies in ${path} now, and a new one is made from the agents' files and our copy of them`,
		);
};

const open = (folder: string, isReadOnly: boolean): Database => {
	try {
		return (isReadOnly && openStoreReadOnly(folder)) || openStore(folder);
	} catch (error) {
		// Such as a file where the folder, or one above it, should be.
		if (error instanceof Error && 'syscall' in error)
			throw new AppError(`${folder} cannot hold the history: ${error.message}`, {cause: error});
		throw error;
	}
};

const libraryOf = (database: Database): Library =>
	createLibrary(database, {readWhole: event => wholeText(database, event)});

const freshen = async (invocation: FreshInvocation, {database}: History): Promise<void> => {
	const {wait, agent} = invocation.flags;
	const summary = await pass(invocation, database, {
		lockWaitMs: 0,
		agents: agentsOf(agent),
		...(!wait && {limitMs: FRESHEN_MS}),
	});
	if (summary === undefined) {
		note('another backscroll is reading just now: this is what it had before');
		return;
	}
	if (summary.pending > 0)
		note(`${counted(summary.pending, 'source')} not read yet: --wait waits for all`);
	if (summary.unreadable > 0)
		note(`${counted(summary.unreadable, 'source')} could not be read: see backscroll sources`);
};

export interface PassOptions {
	readonly lockWaitMs: number;
	/** Stops after so long; absent: to the end. */
	readonly limitMs?: number;
	readonly agents?: readonly string[] | undefined;
	readonly isFull?: boolean;
	/** Brings the mirror up to date behind it, unless the config turns it off. */
	readonly isMirroring?: boolean;
	readonly onProgress?: (progress: SyncProgress) => void;
}

/** One pass under the lock; undefined when another process holds it. */
export const pass = async (
	invocation: Invocation,
	database: Database,
	{lockWaitMs, agents, isFull, isMirroring, limitMs, onProgress}: PassOptions,
): Promise<SyncSummary | undefined> => {
	const {paths, host, config} = invocation;
	const lock = await acquireLock(paths.dataFolder, {waitMs: lockWaitMs});
	if (lock === undefined) return undefined;
	const heartbeat = setInterval(() => lock.touch(), HEARTBEAT_MS);
	// Private copies of agents' databases lie where ours do: a hard link needs the same file system.
	setViewFolder(join(paths.dataFolder, 'views'));
	try {
		const chosen = chosenAdapters(agents, config.hiddenAgents);
		const summary = await syncPass(database, {
			adapters: chosen,
			surroundings: surroundingsOf(invocation, database),
			now: host.now,
			...(isFull && {isFull}),
			...(limitMs !== undefined && {deadlineMs: host.now() + limitMs}),
			...(onProgress && {onProgress}),
		});
		// Before all sources are read nobody knows which sessions only the mirror has.
		if (summary.pending === 0 && agents === undefined)
			await rebuildFromMirror(database, {
				folder: paths.dataFolder,
				home: host.home,
				adapters,
				now: host.now,
				readImported: readImportedAgain,
			});
		if (isMirroring && config.mirror)
			await explainedAsync(paths.dataFolder, () =>
				mirrorPass(database, {
					folder: paths.dataFolder,
					adapters: chosen,
					findContents,
					now: host.now,
				}),
			);
		return summary;
	} finally {
		clearInterval(heartbeat);
		lock.release();
	}
};

export const surroundingsOf = (
	{host, config}: Invocation,
	database: Database | undefined,
): ((agent: string) => Surroundings) =>
	createSurroundings({
		home: host.home,
		platform: host.platform,
		env: host.env,
		extraRoots: config.roots,
		projectDirs: () => (database === undefined ? [] : knownDirectories(database)),
	});

/** Those that were asked for, else all but the hidden ones. */
export const chosenAdapters = (
	agents: readonly string[] | undefined,
	hiddenAgents: readonly string[],
): readonly Adapter[] =>
	adapters.filter(({id}) =>
		agents === undefined ? !hiddenAgents.includes(id) : agents.includes(id),
	);
