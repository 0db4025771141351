/** The neutral model: what every agent's store is turned into. Events, facts of a session, usage, problems. */

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
	/** The agent's own mark that a scheduler or a hook began it: automated as long as nobody types a prompt. */
	readonly isAutomated?: boolean;
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

/** Something in a store that could not be read as it should. Data, not an exception. */
export interface Problem {
	/** Kind, for counting. */
	readonly code: ProblemCode;
	/** Where: byte offset or row, free text, no transcript content. */
	readonly where?: string;
	/** One line for a person; may hold the first 200 characters of the offending record. */
	readonly detail: string;
}

export type ProblemCode =
	| 'malformed-line' // not JSON, or not an object
	| 'long-line' // beyond the line limit: scanned, not loaded
	| 'bad-record' // JSON, but a field that matters has the wrong shape
	| 'truncated' // a compressed stream or document that ends too early
	| 'output-cap' // a decompressed stream beyond its cap
	| 'missing-part' // a file that a record points to is not there
	| 'unreadable' // permission, I/O error, a directory that could not be listed
	| 'limit' // more files or deeper folders than the limits allow
	| 'unsupported-schema' // a database without the tables or columns that are needed
	| 'busy' // a database that is locked or changes while read: the old rows stay, next pass tries again
	| 'linked-out'; // a symbolic link that leads out of the root

/** A native id as an event key: colons cannot stand in a key (`%3A`). */
export const eventKey = (nativeId: string, block = 0): string => {
	const key = nativeId.replaceAll('%', '%25').replaceAll(':', '%3A');
	return block === 0 ? key : `${key}.${block}`;
};
