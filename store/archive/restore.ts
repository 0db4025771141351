import {randomBytes} from 'node:crypto';
import {
	closeSync,
	constants,
	copyFileSync,
	existsSync,
	fsyncSync,
	linkSync,
	lstatSync,
	mkdirSync,
	openSync,
	realpathSync,
	rmSync,
	writeSync,
} from 'node:fs';
import {basename, dirname, join, sep} from 'node:path';
import type {Database} from '../open.js';
import {withSubagents} from '../session-tree.js';
import {prepared} from '../statements.js';
import {prefixHash} from '../sync/prefix.js';
import {PIECE_BYTES} from './content.js';
import type {VersionState} from './member.js';
import {createMirrorReader, type MirrorReader} from './mirror-read.js';
import {type MirrorFile, mirrorFiles, versionsOf} from './mirror-rows.js';
import {plainPath} from './plain-path.js';

export type Restored =
	| {
			readonly written: readonly string[];
			/** Were there already and stay as they are. */
			readonly existing: readonly string[];
	  }
	/** Why it cannot be put back. Nothing was written. */
	| {readonly reason: string};

/**
 * Puts the files of a session, and those of its sub-agents, back to where its agent looks for them: the same bytes, for the owner
 * only, each as a whole or not at all, never over an existing file. The one place where anything of an agent's is written.
 * @throws Error of the file system
 */
export const restoreSession = (database: Database, folder: string, sessionId: number): Restored => {
	const sessions = withSubagents(database, [sessionId]);
	const all = sessions.flatMap(id => mirrorFiles(database, id));
	const files = all.filter(({kind}) => kind === 'file');
	const refusal = refusalOf(database, sessionId, all);
	if (refusal !== undefined) return {reason: refusal};
	const reader = createMirrorReader(database, folder);
	const written: string[] = [];
	const existing: string[] = [];
	for (const file of files) {
		const [state] = versionsOf(database, file.id);
		if (state === undefined) continue;
		// Agents take either form of a transcript.
		const target = plainPath(file.path);
		if (isTaken(file.path) || isTaken(target)) existing.push(target);
		else (writeBack(reader, {file, state, target}) ? written : existing).push(target);
	}
	return {written, existing};
};

const refusalOf = (
	database: Database,
	sessionId: number,
	all: readonly MirrorFile[],
): string | undefined => {
	const {is_imported} = prepared(database)('SELECT is_imported FROM session WHERE id = ?').get(
		sessionId,
	) as {is_imported: number};
	if (is_imported === 1) return 'it was imported: no agent has it, and none would know it';
	const files = all.filter(({kind}) => kind === 'file');
	if (files.length === 0)
		return all.length === 0
			? 'its raw records were not mirrored before they went away'
			: 'its agent keeps sessions in a database, which is never written to; another agent can take it over';
	const [{root}] = files as [MirrorFile];
	if (!existsSync(root)) return `${root} is not there: it may be on a disk that is not mounted`;
	const outside = files.find(file => !isWithin(plainPath(file.path), file.root));
	return outside && `${outside.path} no longer lies in ${outside.root}`;
};

const isTaken = (path: string): boolean => lstatSync(path, {throwIfNoEntry: false}) !== undefined;

/** Below the root, also when a folder on the way has become a link. */
const isWithin = (path: string, root: string): boolean => {
	const isBelow = (inner: string, outer: string) =>
		inner === outer || inner.startsWith(outer + sep);
	if (!isBelow(path, root) || path.split(sep).includes('..')) return false;
	let above = dirname(path);
	while (!isTaken(above)) above = dirname(above);
	return isBelow(realpathSync(above), realpathSync(root));
};

/** False when the file came into being meanwhile. */
const writeBack = (
	reader: MirrorReader,
	{
		file,
		state,
		target,
	}: {readonly file: MirrorFile; readonly state: VersionState; readonly target: string},
): boolean => {
	mkdirSync(dirname(target), {recursive: true, mode: 0o700});
	const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
	try {
		writeDraft(reader, {file, state, draft});
		return publish(draft, target);
	} finally {
		rmSync(draft, {force: true});
	}
};

const writeDraft = (
	reader: MirrorReader,
	{
		file,
		state,
		draft,
	}: {readonly file: MirrorFile; readonly state: VersionState; readonly draft: string},
): void => {
	const out = openSync(draft, 'wx', 0o600);
	try {
		for (let from = 0; from < state.sizeBytes; from += PIECE_BYTES) {
			const size = Math.min(PIECE_BYTES, state.sizeBytes - from);
			const bytes = reader.version(file.id, state, [from, size]);
			if (bytes === undefined)
				throw new Error(`our copy of ${file.path} is damaged: backscroll mirror verify says more`);
			for (let done = 0; done < size; ) done += writeSync(out, bytes, done);
		}
		fsyncSync(out);
	} finally {
		closeSync(out);
	}
	if (state.sizeBytes > 0 && prefixHash(draft, state.sizeBytes) !== state.hash)
		throw new Error(`our copy of ${file.path} is damaged: backscroll mirror verify says more`);
};

/** A link, unlike a rename, never replaces what is there. */
const publish = (draft: string, target: string): boolean => {
	try {
		linkSync(draft, target);
		return true;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : '';
		if (code === 'EEXIST') return false;
		if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'EMLINK')
			throw error;
		// A file system without links.
		copyFileSync(draft, target, constants.COPYFILE_EXCL);
		return true;
	}
};
