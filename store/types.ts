/**
 * What the store answers: sessions, events and counts in the shape that the command line prints (DESIGN section 3) and the app
 * shows. Strings are as the agents wrote them; whoever shows them sanitises.
 */
import type {EventKind, FileTouch, ProblemCode, PromptInput} from '../adapters/model.js';

/** `<agent>:<native id>` */
export type SessionRef = string;
/** `<agent>:<session id>:<event key>` */
export type EventRef = string;

export type SessionKind = 'main' | 'subagent' | 'automated' | 'imported';
export type SourceState = 'present' | 'deleted' | 'archived';
export type TitleFrom =
	| 'own'
	| 'custom'
	| 'generated'
	| 'description'
	| 'prompt'
	| 'reply'
	| 'none';
export type EventState = 'live' | 'undone' | 'copied' | 'gone';

export interface TokenCounts {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly reasoning: number;
}

export interface ParentView {
	readonly ref: SessionRef;
	readonly relation: 'fork' | 'continuation' | 'subagent';
	readonly certainty: 'exact' | 'unknown';
	/** Event of the parent that the child hangs on: the tool call of a sub-agent, the last shared event of a fork. */
	readonly event: EventRef | null;
	/** False: the parent was never seen, or is forgotten. */
	readonly isKnown: boolean;
}

export interface SessionView {
	/** Row id in our store; never printed. */
	readonly rowId: number;
	readonly ref: SessionRef;
	readonly agent: string;
	readonly id: string;
	readonly title: string;
	readonly titleFrom: TitleFrom;
	/** Display name of the project. */
	readonly project: string | null;
	readonly projectDir: string | null;
	readonly cwd: string | null;
	readonly branch: string | null;
	readonly model: string | null;
	readonly agentVersion: string | null;
	readonly kind: SessionKind;
	/** UTC epoch milliseconds; the command line prints ISO 8601. */
	readonly createdAtMs: number | null;
	readonly updatedAtMs: number | null;
	readonly prompts: number;
	readonly replies: number;
	readonly messages: number;
	readonly toolCalls: number;
	/** Live and gone events, meta included. */
	readonly events: number;
	readonly tokens: TokenCounts | null;
	readonly costUsd: number | null;
	readonly parent: ParentView | null;
	/** Direct sub-agents. */
	readonly children: number;
	readonly starred: boolean;
	readonly tags: readonly string[];
	readonly note: string | null;
	readonly sourceState: SourceState;
	/** Absolute path of the owning source. */
	readonly location: string;
	readonly problems: number;
	/** What `Adapter.resume` needs beyond the above. */
	readonly resumeEnv: Readonly<Record<string, string>>;
	readonly resumeHint: Readonly<Record<string, string>>;
	/** The agent says that it runs it now. */
	readonly isRunning: boolean;
	/** Native id of the session in which the conversation went on. */
	readonly continuedIn: string | null;
}

export interface ToolView {
	readonly name: string | null;
	readonly callId: string | null;
	readonly isError: boolean;
	readonly subject: string | null;
	readonly files: readonly FileTouch[];
	readonly exitCode: number | null;
	readonly durationMs: number | null;
	readonly patch: string | null;
	/** Reference of the sub-agent session that this call started, where it is known. */
	readonly child: SessionRef | null;
}

export interface EventView {
	readonly rowId: number;
	readonly ref: EventRef;
	readonly session: SessionRef;
	/** Position in the transcript, from 0, without holes. */
	readonly index: number;
	readonly key: string;
	readonly kind: EventKind;
	readonly role: 'user' | 'assistant' | null;
	readonly atMs: number | null;
	readonly state: EventState;
	/** Capped text (DESIGN section 2). */
	readonly text: string;
	readonly truncated: boolean;
	/** UTF-16 units of the whole text. */
	readonly fullLength: number;
	/** Only on user messages. */
	readonly input: PromptInput | null;
	readonly messageId: string | null;
	readonly tool: ToolView | null;
	readonly model: string | null;
}

/** A run of text positions: UTF-16, start inclusive, end exclusive. */
export type Match = readonly [start: number, end: number];

export interface SearchHit {
	readonly session: SessionView;
	readonly event: EventRef;
	readonly eventIndex: number;
	readonly kind: EventKind;
	readonly role: 'user' | 'assistant' | null;
	readonly atMs: number | null;
	/** One line, with `…` where it was cut; not sanitised. */
	readonly snippet: string;
	readonly matches: readonly Match[];
	readonly score: number;
	/** Further matching events of the session. */
	readonly more: number;
}

export type SortOrder = 'recent' | 'relevance' | 'messages';

/** One agent's share of a sync pass. */
export interface AgentSyncCounts {
	readonly agent: string;
	readonly roots: number;
	/** Candidate sources found. */
	readonly sources: number;
	/** Sources whose content was read. */
	readonly read: number;
	readonly unchanged: number;
	/** Sessions new in our store. */
	readonly added: number;
	/** Known sessions with a change. */
	readonly updated: number;
	readonly problems: number;
}

export interface SyncSummary {
	readonly agents: readonly AgentSyncCounts[];
	readonly ms: number;
	/** Sources that could not be read at all. */
	readonly unreadable: number;
	/** Sources found changed but not read, because the time was up or the pass was stopped. */
	readonly pending: number;
}

export interface ProblemView {
	readonly agent: string;
	readonly source: string;
	readonly code: ProblemCode;
	readonly count: number;
	readonly where: string | null;
	readonly detail: string;
}

/** The answer to "why is it not in the list?": one root. */
export interface RootView {
	readonly agent: string;
	readonly path: string;
	readonly state: 'present' | 'absent' | 'unreadable';
	readonly sources: number;
	readonly shown: number;
	/** Hidden sources by rule, such as `{empty: 3, guardian: 1}`. */
	readonly hidden: Readonly<Record<string, number>>;
	readonly problems: number;
	readonly firstProblem: string | null;
	readonly agentVersion: string | null;
	readonly lastSyncMs: number | null;
	/** Not there, never was as far as we know, and nobody asked for it: where an agent would keep its store if it were in use. */
	readonly isUnused: boolean;
}
