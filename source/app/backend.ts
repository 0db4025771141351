/**
 * What the app needs from outside, as interfaces: data (answered by the search worker), the sync, and the desktop (clipboard,
 * other programs, the end). `commands/browse.tsx` joins the real ones, tests use their own.
 */
import type {Library, OutlineEntry, SearchRequest} from '../../store/library.js';
import type {MarkChange} from '../../store/marks-file.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';
import type {EventRef, RootView, SearchHit, SessionRef, SessionView} from '../../store/types.js';
import type {DeepScanProgress} from '../deep-scan/scan.js';

/** What the reader needs to know of a session before it can show the first events. */
export interface Transcript {
	readonly session: SessionView;
	/** Events of every state: indices run from 0 to here. */
	readonly total: number;
	readonly children: readonly SessionView[];
	/** Forks and continuations. */
	readonly followers: readonly SessionView[];
	readonly parentTitle: string | null;
	/** Index of the parent's event that this session hangs on, where it is known. */
	readonly parentIndex: number | null;
}

/** A root with what its agent will do to it. */
export interface SourceRoot extends RootView {
	/** The agent's own clean-up, where it has one; `isStated` false: nobody has set it, this is its default. */
	readonly retention: {
		readonly days: number;
		readonly setting: string;
		readonly isStated: boolean;
		/** Sessions that it will delete within a week, and how many of them we have whole. */
		readonly due: number;
		readonly mirrored: number;
	} | null;
}

/** What a moment of a scan has brought. */
export interface DeepScanPart {
	readonly hits: readonly SearchHit[];
	readonly progress: DeepScanProgress | null;
	readonly notes: readonly string[];
	readonly isDone: boolean;
}

/** An image or a document of a transcript, written to a temporary file. */
export interface SavedAttachment {
	readonly path: string;
	/** It may be handed to another program. */
	readonly isOpenable: boolean;
}

type ExportFormat = 'markdown' | 'json';
export type ToolDetail = 'none' | 'short' | 'full';

export interface ExportChoice {
	readonly format: ExportFormat;
	readonly tools: ToolDetail;
	readonly hasReasoning: boolean;
}

/** What can be asked: the library, and what needs adapters or files beside it. */
export interface Questions extends Library {
	transcript(ref: SessionRef): Transcript | undefined;
	/** As `outline`, each prompt on one line: of a long session it takes a moment, so it is asked for apart. */
	prompts(ref: SessionRef): readonly OutlineEntry[];
	/** Whole text of an event whose stored text is cut. */
	fullText(ref: EventRef): string | undefined;
	/** `roots`, with the retention that is set in each. */
	sourceRoots(nowMs: number): readonly SourceRoot[];
	/** Writes the images and documents of the events to temporary files. */
	attachments(refs: readonly EventRef[]): readonly SavedAttachment[];
	exportText(ref: SessionRef, choice: ExportChoice): string | undefined;
	/** Path that an export would be written to. */
	exportPath(ref: SessionRef, choice: ExportChoice, folder: string): string | undefined;
	/** Writes the file; `masked` counts the secrets that were taken out. */
	exportFile(
		ref: SessionRef,
		choice: ExportChoice,
		path: string,
	): Promise<{readonly path: string; readonly masked: number}>;
	/** What was said in a session, for another agent. @throws when nothing was */
	handOverRecord(ref: SessionRef): HandOverRecord;
	/** Begins to look for the text in the raw records; gives the number of the scan. Another one ends it. */
	deepScan(request: SearchRequest): number;
	/** Scans on for a moment. Undefined: that scan has ended. */
	deepScanOn(scan: number): DeepScanPart | undefined;
	/** Removes sessions and their sub-agents from the history for good. */
	forget(refs: readonly SessionRef[], nowMs: number): Promise<void>;
	mark(ref: SessionRef, change: MarkChange): void;
	/** Those of the directories that are not there. */
	missingDirectories(paths: readonly string[]): readonly string[];
}

export type Question = keyof Questions;
export type AnswerOf<Q extends Question> = Awaited<ReturnType<Questions[Q]>>;

export interface Backend {
	/**
	 * One question at a time counts per channel: a newer one on the same channel makes the older one answer undefined.
	 * Rejects when the answer failed.
	 */
	ask<Q extends Question>(
		channel: string,
		question: Q,
		...parameters: Parameters<Questions[Q]>
	): Promise<{readonly value: AnswerOf<Q>} | undefined>;
}

export interface Sync {
	/** One pass over all sources. */
	sync(): void;
	/** A look at the sources of one session. */
	poll(session: SessionRef): void;
	onMessage(listener: (message: FromSyncWorker) => void): () => void;
}

/** What resuming would do, ready for the sheet. */
export interface ResumeSheet {
	readonly session: SessionRef;
	readonly title: string;
	/** As a shell would take it; what copying gives. */
	readonly command: string;
	readonly argv: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** Null: not as things are; `reason` or `checks` say why. */
	readonly plan: {
		readonly argv: readonly string[];
		readonly cwd: string | null;
		readonly env: Readonly<Record<string, string>>;
	} | null;
	/** Why it cannot be resumed, and what would help. */
	readonly reason: string | null;
	readonly hint: string | null;
	/** The first one is about the directory. */
	readonly checks: readonly ResumeCheck[];
	/** Other places to run in while the directory is gone, best first. */
	readonly directories: readonly string[];
	readonly canFork: boolean;
}

export interface Taker {
	readonly id: string;
	readonly label: string;
}

/** What would be handed over, in words of a person. */
export interface HandOverRecord {
	readonly text: string;
	readonly about: string;
}

export interface ResumeCheck {
	readonly label: string;
	readonly text: string;
	readonly state: 'ok' | 'warning' | 'bad' | 'info';
}

export interface ResumeChoice {
	readonly isFork: boolean;
	readonly directory: string | null;
}

export interface Desktop {
	now(): number;
	/** Says which clipboard took it. */
	copy(text: string): Promise<string>;
	resumeSheet(session: SessionView, choice: ResumeChoice): Promise<ResumeSheet>;
	/** Runs the agent in the foreground; a line for the person when something went wrong. */
	runResume(sheet: ResumeSheet): Promise<string | null>;
	/** Opens it in tmux and comes back at once; fails with what tmux says. */
	runInTmux(sheet: ResumeSheet, place: 'window' | 'split'): Promise<void>;
	/** Agents on this machine that take a first prompt. */
	takers(): readonly Taker[];
	/** Begins a new session of an agent, in the directory of an old one, with what was said in that. */
	handOver(session: SessionView, agent: string, record: string): Promise<string | null>;
	openInEditor(name: string, text: string): Promise<string | null>;
	openInPager(name: string, text: string): Promise<string | null>;
	/** Opens a file with whatever the system has for it. */
	openFile(path: string): Promise<string | null>;
	/** Stops the job, as Ctrl-Z does in a shell. */
	suspend(): void;
	/** Ends the app; with a command, that is printed. With `demo`, it begins again with the demo history. */
	quit(how?: {readonly print?: string; readonly isDemo?: true}): void;
	setTimer(callback: () => void, ms: number): () => void;
}
