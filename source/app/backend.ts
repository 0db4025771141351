/**
 * What the app needs from outside, as interfaces: data (answered by the search worker), the sync, and the desktop (clipboard,
 * other programs, the end). `commands/browse.tsx` joins the real ones, tests use their own.
 */
import type {Library, OutlineEntry, SearchRequest} from '../../store/library.js';
import type {MarkChange} from '../../store/marks-file.js';
import type {FromSyncWorker} from '../../store/sync/protocol.js';
import type {EventRef, RootView, SearchHit, SessionRef, SessionView} from '../../store/types.js';
import type {DeepScanProgress} from '../deep-scan/scan.js';
import type {MaskedSecret} from '../export/redact.js';
import type {Completion} from '../resume/complete-directory.js';
import type {OtherDirectory} from '../resume/other-directories.js';
import type {Remedy} from '../resume/plan.js';

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

export interface ImportedFile {
	readonly sessions: readonly SessionRef[];
	/** False: the same file was imported before. */
	readonly isNew: boolean;
	readonly notTaken: number;
}

type ExportFormat = 'markdown' | 'json' | 'archive';
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
	/** The secrets that an export of the sessions would mask. */
	exportSecrets(refs: readonly SessionRef[], choice: ExportChoice): readonly MaskedSecret[];
	/** What resuming would do. */
	resumeSheet(ref: SessionRef, choice: ResumeChoice, nowMs: number): ResumeSheet;
	/** What was said in a session, for another agent that is started in the directory. @throws when nothing was */
	handOver(ref: SessionRef, directory: string | null): HandOverOffer;
	/** A directory that is being typed, as far as it goes on in one way only. */
	completeDirectory(text: string): Completion;
	/** Puts a transcript that its agent deleted back to where that looks for it; counts files. */
	restore(ref: SessionRef): {readonly written: number; readonly existing: number};
	/** A new session of our own out of another one, up to an event; null: all of it. */
	fork(ref: SessionRef, upTo: EventRef | null, nowMs: number): SessionRef;
	/** Takes the sessions of a file into the history; `notTaken` counts records. @throws when it holds none */
	importFile(path: string, nowMs: number): ImportedFile;
	/** What a person should hear of the history: sessions that agents delete soon; where a damaged one lies, said once. */
	upkeep(nowMs: number): {readonly due: string | null; readonly setAside: string | null};
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

/** What would be run, and where; `cwd` null: anywhere. */
export interface AgentPlan {
	readonly argv: readonly string[];
	readonly cwd: string | null;
	readonly env: Readonly<Record<string, string>>;
}

/** What resuming would do, ready for the sheet. */
export interface ResumeSheet {
	/** As the history has it now. */
	readonly session: SessionView;
	/** As a shell would take it; what copying gives. */
	readonly command: string;
	readonly argv: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** Null: not as things are; `reason` or `checks` say why. */
	readonly plan: AgentPlan | null;
	/** Where the program lies; null: not on the PATH. */
	readonly program: string | null;
	/** Why it cannot be resumed, the command that helps, and what kind of help that is. */
	readonly reason: string | null;
	readonly hint: string | null;
	readonly remedy: Remedy | null;
	/** The session that started this sub-agent, where that is what can be resumed. */
	readonly parent: SessionView | null;
	/** The first one is about the directory. */
	readonly checks: readonly ResumeCheck[];
	readonly isDirectoryMissing: boolean;
	/** Other places to run in while the directory is gone, best first. */
	readonly directories: readonly OtherDirectory[];
	readonly canFork: boolean;
	/** What lets the agent act without asking; empty: nothing is known that does. */
	readonly unattendedFlags: readonly string[];
}

/** Another agent that can go on with what was said. */
export interface Taker {
	readonly id: string;
	readonly label: string;
	/** For a person: without the record. */
	readonly command: string;
	readonly plan: AgentPlan;
}

/** What would be handed over, and to whom. */
export interface HandOverOffer {
	readonly text: string;
	/** In words of a person: how much, what was cut, what was masked. */
	readonly about: string;
	readonly takers: readonly Taker[];
}

export interface ResumeCheck {
	readonly label: string;
	readonly text: string;
	readonly state: 'ok' | 'warning' | 'bad' | 'info';
}

export interface ResumeChoice {
	readonly isFork: boolean;
	/** Null: the session's own; else as it was typed. */
	readonly directory: string | null;
	/** The agent is not to ask for permission. */
	readonly isUnattended: boolean;
	/** Further arguments. */
	readonly words: readonly string[];
}

export interface Desktop {
	now(): number;
	/** Says which clipboard took it. */
	copy(text: string): Promise<string>;
	/** What a program says of its version; null when it says none within a second, or nobody waits any more. */
	programVersion(path: string, env: AgentPlan['env'], signal: AbortSignal): Promise<string | null>;
	/**
	 * Runs an agent in the foreground, `notice` standing on the ordinary screen before it; a line for the person when something
	 * went wrong.
	 */
	runAgent(plan: AgentPlan, notice: string): Promise<string | null>;
	/** Opens it in tmux and comes back at once; fails with what tmux says. */
	runInTmux(plan: AgentPlan, place: 'window' | 'split'): Promise<void>;
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
