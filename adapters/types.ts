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

/** Something in a store that could not be read as it should. Data, not an exception. */
export interface Problem {
	/** Kind, for counting: see `PROBLEM_CODES`. */
	readonly code: ProblemCode;
	/** Where: byte offset or row, free text, no transcript content. */
	readonly where?: string;
	/** One line for a person; may hold the first 200 characters of the offending record. */
	readonly detail: string;
}

export const PROBLEM_CODES = [
	'malformed-line', // not JSON, or not an object
	'long-line', // beyond the line limit: scanned, not loaded
	'bad-record', // JSON, but a field that matters has the wrong shape
	'truncated', // a compressed stream or document that ends too early
	'output-cap', // a decompressed stream beyond its cap
	'missing-part', // a file that a record points to is not there
	'unreadable', // permission, I/O error, a directory that could not be listed
	'limit', // more files or deeper folders than the limits allow
	'unsupported-schema', // a database without the tables or columns that are needed
	'busy', // a database that is locked or changes while read: the old rows stay, next pass tries again
	'linked-out', // a symbolic link that leads out of the root
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export const EVENT_KINDS = [
	'message',
	'reasoning',
	'tool_use',
	'tool_result',
	'summary',
	'meta',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Where the raw record of an event lies. */
export type Locator =
	/** A line of a file of the source; `path` only when it is not the source's primary path. Offsets count decompressed bytes. */
	| {readonly offset: number; readonly length: number; readonly path?: string}
	/** A row of the database. */
	| {readonly table: string; readonly row: string | number}
	/** A whole JSON document, and where in it. */
	| {readonly path: string; readonly pointer: string};

/** Who typed a user message, and whether the model got it. */
export type PromptInput =
	| 'typed' // by a person
	| 'command' // `/name args` or `! cmd` that reached the model
	| 'local' // a command that never reached the model (`/clear`, `/model`): shown, not counted
	| 'headless'; // a prompt given by a script or scheduler (agent's own mark): counted; a session with only these is automated

export interface FileTouch {
	/** As the record states it. */
	readonly path: string;
	readonly change: 'read' | 'edit' | 'write' | 'create' | 'delete' | 'move';
}

/** What is known of a tool call or its result apart from the text. */
export interface ToolFacts {
	/** Tool name as the agent states it; on results too where it is known. */
	readonly name?: string;
	/** Links call and result. */
	readonly callId?: string;
	readonly isError?: boolean;
	/** The argument that matters: command line, path, pattern, URL, name or task of the sub-agent. One line, at most 400 characters. */
	readonly subject?: string;
	readonly files?: readonly FileTouch[];
	readonly exitCode?: number;
	readonly durationMs?: number;
	/** Unified diff text of an edit (`--- a`, `+++ b`, `@@` hunks), at most 64 KiB. */
	readonly patch?: string;
	/** Native id of the sub-agent that this call started (as in its session id: the part after `/`, or its own id). */
	readonly agentId?: string;
}

/** Token usage of one model message. Numbers are counts; `input` is without cached tokens, `output` with reasoning tokens. */
export interface Usage {
	/** One model message = one key: repeated records with the same key count once, the last wins. */
	readonly key: string;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly reasoning?: number;
	readonly model?: string;
	/** Only where the store states it. */
	readonly costUsd?: number;
	readonly atMs?: number;
}

/** One step of a session in neutral form. */
export interface AdapterEvent {
	/**
	 * Unique within the session, stable across reads, no colon (use `eventKey()`): the native id, else a stable position.
	 * A record that gives several events: the bare key for block 0, `<key>.<block>` for the others.
	 */
	readonly key: string;
	readonly kind: EventKind;
	/** Only for `message`. */
	readonly role?: 'user' | 'assistant';
	readonly atMs?: number;
	/**
	 * Readable text, whole (the store caps what it shows and indexes the first 256 KiB; longer text may be cut there by the
	 * adapter if `fullLength` says so). Images and binaries are placeholders.
	 */
	readonly text: string;
	/** Length in UTF-16 units of the whole text when `text` was cut. */
	readonly fullLength?: number;
	/** Only on user messages; absent = `typed`. */
	readonly input?: PromptInput;
	/** Groups the assistant events of one model message: a reply is counted once per group. Absent = the event's own key. */
	readonly messageId?: string;
	readonly model?: string;
	readonly tool?: ToolFacts;
	readonly locator: Locator;
	/**
	 * `undone`: on an abandoned branch or rewound (replace mode). Absent = live, except that in append mode an event that was
	 * undone before stays so; an explicit `live` brings it back (the user returned to that branch).
	 */
	readonly state?: 'live' | 'undone';
}

/** How a session hangs on another one. */
export interface ParentLink {
	/** Native id of the parent session (of a nested sub-agent: the nearest agent that the store states, as in its session id). */
	readonly id: string;
	readonly relation: 'fork' | 'continuation' | 'subagent';
	readonly certainty: 'exact' | 'unknown';
	/** Key of the parent's first event that does not belong to the fork (pointer forks), if stated. */
	readonly beforeKey?: string;
	/** Tool call of the parent that started a sub-agent. */
	readonly callId?: string;
}

/**
 * What a source says of its session. All optional; later patches of one read replace earlier values field by field, `null`
 * takes a value back. The store merges the facts of several sources of one session (the owner's values win).
 */
export interface SessionFacts {
	/** Name given by the user in the agent. */
	readonly customTitle?: string | null;
	/** Name made by the agent or its model. */
	readonly generatedTitle?: string | null;
	/** Task description of a sub-agent. */
	readonly description?: string | null;
	/** The directory in which a resume must run. As recorded. */
	readonly cwd?: string | null;
	/** Other directories that the session worked in. */
	readonly directories?: readonly string[];
	/** Main checkout as the store itself records it (for directories that are gone). */
	readonly checkout?: string | null;
	readonly branch?: string | null;
	readonly model?: string | null;
	readonly agentVersion?: string | null;
	/** True for sub-agent transcripts. */
	readonly isSubagent?: boolean;
	readonly parent?: ParentLink | null;
	/** The conversation went on in this session (native id). */
	readonly continuedIn?: string | null;
	readonly archived?: boolean;
	/** Shown nowhere, counted by `sources` under this rule (such as `guardian`, `warm-up`). */
	readonly hiddenBy?: string | null;
	/** Total cost as the store states it, when it is not the sum of `Usage.costUsd`. */
	readonly costUsd?: number | null;
	/** Totals as the store states them, only where usage per message is not to be had. */
	readonly tokens?: Omit<Usage, 'key'> | null;
	/** Time of the first stamped record in file order: tells a fork's file from its parent's when both hold the same records. */
	readonly bornAtMs?: number;
	/** Fallbacks when no event carries a time. */
	readonly createdAtMs?: number;
	readonly updatedAtMs?: number;
	/** Tags and the like that the agent keeps. */
	readonly tag?: string | null;
	/** The place of this source fits the directory of the session (of several copies this one owns it). */
	readonly isAtHome?: boolean;
	/** Process id or lock that says that the agent runs it now. */
	readonly running?: boolean;
	/** Anything `resume` needs later; JSON and small. */
	readonly resumeHint?: Readonly<Record<string, string>>;
}

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
	 * A single transcript from anywhere, recognised by its first records (JSON objects, at most `FOREIGN_RECORDS`), as a source that
	 * `read` takes; undefined when it is not one of this agent's.
	 */
	foreign?(file: FileStamp, head: readonly Readonly<Record<string, unknown>>[]): Source | undefined;
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

/** A source that cannot be read at all just now. Its rows in our store stay as they are. */
export class SourceUnreadable extends Error {
	override readonly name = 'SourceUnreadable';
	readonly code: ProblemCode;
	constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}

/** A native id as an event key: colons cannot stand in a key (`%3A`). */
export const eventKey = (nativeId: string, block = 0): string => {
	const key = nativeId.replaceAll('%', '%25').replaceAll(':', '%3A');
	return block === 0 ? key : `${key}.${block}`;
};
