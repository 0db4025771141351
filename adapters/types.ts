/**
 * The contract between agents and the rest of backscroll: what an adapter finds, reads and says of one agent's store.
 *
 * Four families of stores have to fit (the names are used in comments all over the project):
 *
 * - **append** — a log that only grows (Codex rollouts, most Claude Code transcripts). `mode: 'append'`: the engine keeps a
 *   cursor (byte offset after the last whole line + the adapter's own small `state`) and hands it back; the adapter goes on
 *   from there. If the bytes before the cursor changed, the engine calls `read` without a cursor and reconciles by event key.
 * - **fold** — a log whose later lines change earlier ones (`$set`, `$rewindTo`, chunked deltas). `mode: 'replace'`: each
 *   change is read from the start, the adapter folds in memory and yields the final events; the engine reconciles by key.
 *   If folding is cheap (merge of adjacent deltas) `append` with the open fold in `state` is allowed: yield an event again
 *   under the same key and the newer content replaces the older one at the old position.
 * - **tree** — records with parent pointers. Append or replace; what a rewind left behind is reported by `undo` (append) or by
 *   `state: 'undone'` on the events (replace).
 * - **replace** — JSON documents and rows of a foreign database. `mode: 'replace'`: events of the session are yielded whole,
 *   events that are no longer there stay in our store and are marked.
 *
 * And three shapes of a source: a **file**; a **session folder** (one source, several `files`, the first is the primary one);
 * **rows of a database** (one source per session; `path` is the database file, `key` is `<path>#<row id>`, `mark` holds the
 * per-session change marker such as `updated_at:count:max(id)`, and `files` the database and its `-wal`).
 *
 * Rules for every adapter: content never throws (a bad record is a `Problem`, the next record is read); a source that cannot
 * be read at all throws `SourceUnreadable`; nothing is ever written; no clock, no network; times are UTC epoch milliseconds.
 */

import type {AdapterEvent, Locator, Problem, ProblemCode, SessionFacts, Usage} from './model.js';

/** What roots are resolved against. Never read `process.env` or `os.homedir()` in an adapter. */
export interface Surroundings {
	readonly home: string;
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Extra roots from the user's config for this agent (a synced copy of another machine, …). */
	readonly extraRoots: readonly {readonly path: string; readonly label?: string}[];
	/** Absolute directories that sessions of any agent were seen in; only for agents that keep a database per project. */
	readonly projectDirs: readonly string[];
}

/** A folder or database file where one agent keeps sessions. It need not exist. */
export interface Root {
	readonly path: string;
	/** Where it comes from: built in, an environment variable, or the user's config. */
	readonly from: 'default' | 'environment' | 'config';
	readonly label?: string;
	/**
	 * Environment that a resume needs so that the agent looks at this root, such as `{CODEX_HOME: '/x'}`; empty for the root the
	 * agent uses by itself in a clean environment.
	 */
	readonly resumeEnv: Readonly<Record<string, string>>;
}

/** State of one file of a source, as seen by `stat`. Any difference means: look again. */
export interface FileStamp {
	/** Absolute path. */
	readonly path: string;
	readonly sizeBytes: number;
	/** Nanoseconds would not fit a double exactly; milliseconds with fraction do well enough to notice a change. */
	readonly mtimeMs: number;
	readonly inode: number;
	readonly device: number;
}

/** The unit that is read as one. Cheap to make: discovery opens no transcript. */
export interface Source {
	/** Unique within the agent and stable over time: the absolute path, or `<database path>#<row id>`. */
	readonly key: string;
	/** The file a person would look at; also the locator base of its events. */
	readonly path: string;
	/** Everything that is read for this source; the first is the primary file (cursor and prefix hash belong to it). */
	readonly files: readonly FileStamp[];
	readonly mode: 'append' | 'replace';
	/** Change marker beyond the file stamps (database rows). With a mark, the stamps of `files` are not compared. */
	readonly mark?: string;
	/** Native session id when the place alone tells it (file name, row id); lets the engine see moves without reading. */
	readonly sessionId?: string;
	/**
	 * Form rank (DESIGN section 2): of several sources of one session those with the highest rank that could be read are shown;
	 * sources of equal rank are united by event key. Default 0.
	 */
	readonly rank?: number;
	/** Among sources of equal rank, the lower number owns the session (plain before compressed, active before archived). Default 0. */
	readonly preference?: number;
	/** Facts that lie outside of the source's own files (an index file with titles, an archive folder). They override `read`'s. */
	readonly outside?: SessionFacts;
	/** Whatever the adapter needs again in `read` and `raw`; must be JSON and small. */
	readonly extra?: unknown;
}

/** What `discover` yields: a source, or something it could not look at (unreadable folder, limit reached). */
export type Discovered = {readonly source: Source} | {readonly problem: Problem};

/** A point from which reading can go on. */
export interface Cursor {
	/** Bytes of the primary file (decompressed where it is compressed) that are consumed: after the last whole line. */
	readonly offset: number;
	/** Whole lines before `offset`. */
	readonly lineNumber: number;
	/** The adapter's own small state; JSON. */
	readonly state: unknown;
}

/**
 * A part of a source, committed with its cursor in one transaction. Keep batches near `BATCH_EVENTS` events or `BATCH_CHARS` of
 * text (`adapters/shared/batch.ts` does it). The last batch of a read may be empty of events but carries the final cursor.
 */
export interface Batch {
	/** Native session id; the same in every batch of a read. */
	readonly sessionId: string;
	/** Facts known by now, complete (not a difference): the adapter folds its patches, see `Facts` in `adapters/shared/batch.ts`. */
	readonly facts: SessionFacts;
	readonly events: readonly AdapterEvent[];
	readonly usage: readonly Usage[];
	readonly problems: readonly Problem[];
	/** Unknown record kinds, counted. Never a problem. */
	readonly unknown: Readonly<Record<string, number>>;
	/** Rewinds seen in this batch, applied after its events: marks the events from `fromKey` up to `toKey` (exclusive; absent = all so far) as undone. */
	readonly undo: readonly {readonly fromKey: string; readonly toKey?: string}[];
	readonly cursor: Cursor;
}

export const BATCH_EVENTS = 1000;
export const BATCH_CHARS = 4_000_000;

/** What `resume` is told of a session. Strings are as recorded, unsanitised. */
export interface ResumeRequest {
	readonly id: string;
	readonly cwd: string | null;
	readonly isSubagent: boolean;
	readonly parentId: string | null;
	readonly archived: boolean;
	/** Absolute path of the owning source. */
	readonly location: string;
	readonly resumeEnv: Readonly<Record<string, string>>;
	readonly hint: Readonly<Record<string, string>>;
}

/** What to run, or why not. `cwd` null: any directory will do. */
export type ResumePlan =
	| {
			readonly argv: readonly string[];
			readonly cwd: string | null;
			readonly env: Readonly<Record<string, string>>;
			/** argv that begins a new session from this one, where the agent can. */
			readonly forkArgv?: readonly string[];
	  }
	| {
			readonly reason: string;
			/** argv that takes the reason away, such as the agent's own unarchive command. */
			readonly first?: readonly string[];
	  };

/** What a new session begins with. */
export interface StartRequest {
	readonly cwd: string | null;
	/** The first prompt. */
	readonly prompt: string;
	/** Absolute path of a file that holds the prompt instead, for callers that cannot pass long arguments. */
	readonly promptFile?: string;
}

export interface Adapter {
	/** The same string everywhere: file name, fixture folder, database, `--agent`, config. */
	readonly id: string;
	/** Name for people: `Claude Code`. */
	readonly label: string;
	/** At most 8 columns, for rows: `Claude`. */
	readonly shortLabel: string;
	/** Raised when the same bytes would now give other events or facts: sources are read again in the background. */
	readonly parserVersion: number;
	/** Agent versions this was checked against. */
	readonly checked: readonly string[];
	/** True if event keys are unique across sessions (record uuids), so that equal keys prove copied records. */
	readonly hasGlobalKeys: boolean;
	/** Its stores lie in projects (`Surroundings.projectDirs`): it is looked at after the others. */
	readonly isPerProject?: true;
	roots(around: Surroundings): readonly Root[];
	/** Lists sources of an existing root, without opening transcripts. Unlistable folders are problems, not exceptions. */
	discover(root: Root): Iterable<Discovered>;
	/**
	 * Reads a source. `from` absent: from the start. Yields nothing at all for a source without a session id (an empty file).
	 * In replace mode the final state must be yielded whole.
	 * @throws SourceUnreadable when nothing can be read (permission, vanished, locked database).
	 */
	read(source: Source, from?: Cursor): Iterable<Batch>;
	/**
	 * The raw record of an event as the agent wrote it, or undefined when it is no longer there. Absent: the default for file
	 * locators (bytes of the line) does.
	 */
	raw?(source: Source, locator: Locator): string | undefined;
	/**
	 * Files that belong to a session although reading it does not need them whole, such as tool results that were moved out of the
	 * transcript: they are mirrored and restored with it. Beside these: the source's own files and those that locators name.
	 */
	companions?(source: Source): readonly string[];
	/** Rows that make up a session of a database, for the mirror. Absent: the raw records of its events. */
	rows?(source: Source): Iterable<RawRow>;
	/** When the agent deletes sessions of a root by itself, by its own setting; undefined when it does not. Only ever reads. */
	retention?(root: Root): Retention | undefined;
	/**
	 * A single transcript from anywhere, recognised by its first records (JSON objects, at most `FOREIGN_RECORDS`) or its name: where
	 * it would lie in a store, so that `discover` and `read` take it. Undefined when it is not one of this agent's.
	 */
	foreign?(
		head: readonly Readonly<Record<string, unknown>>[],
		name: string,
	): ForeignPlace | undefined;
	/** The command that goes on with a session. Pure. Full ids only; an id that does not look like the agent's own gives a reason. */
	resume(request: ResumeRequest): ResumePlan;
	/** The command that begins a new session with a first prompt. Pure. Absent: the agent takes none. */
	start?(request: StartRequest): ResumePlan;
	/** Flags with which the agent acts without asking. Never added but at a person's word. */
	readonly unattendedFlags?: readonly string[];
}

/** A row of a foreign database as the mirror keeps it; `raw` is what `Adapter.raw` gives for it. */
export interface RawRow {
	readonly table: string;
	readonly row: string | number;
	readonly raw: string;
}

/** An agent's own clean-up: sessions untouched for so many days are deleted. */
export interface Retention {
	readonly days: number;
	/** Of a project, beyond which the oldest go earlier. */
	readonly maxSessions?: number;
	/** Where it is set, for a person: `cleanupPeriodDays in ~/.claude/settings.json`. */
	readonly setting: string;
	/** False: nobody has set it, this is what the agent does by itself. */
	readonly isStated: boolean;
}

export const FOREIGN_RECORDS = 50;

/** Where a transcript that lies anywhere belongs. Paths are below a root, with slashes. */
export interface ForeignPlace {
	readonly at: string;
	/** Name of the root's folder, for an agent that tells by it what is in there. */
	readonly root?: string;
	/** Documents that the store would have as well, by path: without them the agent would not know the session. */
	readonly beside?: Readonly<Record<string, object>>;
	/** An exchange format: session ids are `<agent>/<id>`, of whatever agent the file says. */
	readonly namesAgents?: boolean;
	/** The records with their places (JSON pointers), when the file is a document that was made out of the transcript. */
	readonly records?: readonly {readonly pointer: string; readonly record: object}[];
}

/** A source that cannot be read at all just now. Its rows in our store stay as they are. */
export class SourceUnreadable extends Error {
	override readonly name = 'SourceUnreadable';
	readonly code: ProblemCode;
	constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
