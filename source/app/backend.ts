/**
 * What the app needs from outside, as interfaces: data (answered by the search worker), the sync, and the desktop (clipboard,
 * other programs, the end). `commands/browse.tsx` joins the real ones, tests use their own.
 */
import type {Library, OutlineEntry} from '../../store/library.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';
import type {EventRef, SessionRef, SessionView} from '../../store/types.js';

/** What the reader needs to know of a session before it can show the first events. */
export interface Transcript {
	readonly session: SessionView;
	/** Events of every state: indices run from 0 to here. */
	readonly total: number;
	readonly children: readonly SessionView[];
	readonly parentTitle: string | null;
}

type ExportFormat = 'markdown' | 'json';
export type ToolDetail = 'none' | 'short' | 'full';

export interface ExportChoice {
	readonly format: ExportFormat;
	readonly tools: ToolDetail;
	readonly hasReasoning: boolean;
}

interface MarkChange {
	readonly starred?: boolean;
}

/** What can be asked: the library, and what needs adapters or files beside it. */
export interface Questions extends Library {
	transcript(ref: SessionRef): Transcript | undefined;
	/** As `outline`, each prompt on one line: of a long session it takes a moment, so it is asked for apart. */
	prompts(ref: SessionRef): readonly OutlineEntry[];
	/** Whole text of an event whose stored text is cut. */
	fullText(ref: EventRef): string | undefined;
	exportText(ref: SessionRef, choice: ExportChoice): string | undefined;
	/** Path that an export would be written to. */
	exportPath(ref: SessionRef, choice: ExportChoice, folder: string): string | undefined;
	/** Writes the file; `masked` counts the secrets that were taken out. */
	exportFile(
		ref: SessionRef,
		choice: ExportChoice,
		path: string,
	): Promise<{readonly path: string; readonly masked: number}>;
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
	openInEditor(name: string, text: string): Promise<string | null>;
	openInPager(name: string, text: string): Promise<string | null>;
	/** Stops the job, as Ctrl-Z does in a shell. */
	suspend(): void;
	/** Ends the app; with a command, that is printed. With `demo`, it begins again with the demo history. */
	quit(how?: {readonly print?: string; readonly isDemo?: true}): void;
	setTimer(callback: () => void, ms: number): () => void;
}
