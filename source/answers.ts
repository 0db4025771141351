/** Answers to the questions of the app: the library, and what needs adapters and files beside it. */
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Adapter} from '../adapters/types.js';
import {knownDirectories} from '../store/directories.js';
import {StoreError} from '../store/errors.js';
import {forgetSessions} from '../store/forget.js';
import type {Library, PageRequest} from '../store/library.js';
import {setMark} from '../store/marks.js';
import {type Database, openStore, openStoreReadOnly} from '../store/open.js';
import {createLibrary} from '../store/read/library.js';
import {loadWords} from '../store/search/vocabulary.js';
import {withSubagents} from '../store/session-tree.js';
import {acquireLock} from '../store/sync/lock.js';
import type {EventRef, SearchHit, SessionRef} from '../store/types.js';
import type {
	AnswerOf,
	DeepScanPart,
	Question,
	Questions,
	SavedAttachment,
	SourceRoot,
	Transcript,
} from './app/backend.js';
import {archiveAnswers} from './archive-answers.js';
import {attachmentsFor, writeAttachments} from './attachments.js';
import {type DeepScan, type DeepScanProgress, deepScan} from './deep-scan/scan.js';
import {AppError} from './errors.js';
import {exportAnswers} from './export-answers.js';
import {readRawEvent} from './raw-event.js';
import {resumeAnswers} from './resume-answers.js';
import {retentionViews} from './retention.js';
import {createSurroundings} from './surroundings.js';
import {sanitizeLine} from './terminal/sanitize.js';
import {readWholeText} from './whole-text.js';

interface AnswersOptions {
	readonly folder: string;
	readonly home: string;
	readonly adapters: readonly Adapter[];
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd: string;
	readonly flags: Readonly<Record<string, readonly string[]>>;
	readonly extraRoots: readonly {
		readonly agent: string;
		readonly path: string;
		readonly label?: string;
	}[];
}

interface Answers {
	ask(
		question: Question,
		parameters: readonly unknown[],
	): AnswerOf<Question> | Promise<AnswerOf<Question>>;
	/** Gets ready for what may be asked next, for a moment; true while there is more to do. */
	prepare(): boolean;
	close(): void;
}

const noStatsRow = {
	value: '',
	label: 'all',
	sessions: 0,
	prompts: 0,
	input: 0,
	output: 0,
	cacheRead: 0,
	cacheWrite: 0,
	costUsd: null,
} as const;

const noStats = {
	total: noStatsRow,
	automated: 0,
	subagents: 0,
	byDay: [],
	byAgent: [],
	byProject: [],
	byModel: [],
} as const;

/** What is answered before the first sync has made a store. */
const emptyLibrary: Library = {
	list: () => ({total: 0, rows: [], nextCursor: null, note: null}),
	search: () => ({total: 0, hits: [], nextCursor: null, note: null}),
	facet: () => [],
	session: () => undefined,
	resolve: () => ({found: 'none'}),
	event: () => undefined,
	events: () => [],
	findInSession: () => [],
	outline: () => [],
	landmarks: () => ({errors: [], code: []}),
	files: () => [],
	children: () => [],
	followers: () => [],
	counts: () => ({sessions: 0, agents: 0, lastSyncMs: null}),
	stats: () => noStats,
	roots: () => [],
	problems: () => [],
	unknownKinds: () => ({}),
};

interface Connection {
	readonly database: Database;
	readonly library: Library;
}

/** Events of every state: the library knows no such count, but indices have no holes. */
const totalEvents = (library: Library, ref: SessionRef, atLeast: number): number => {
	const has = (index: number): boolean => library.events(ref, {from: index, count: 1}).length > 0;
	let low = Math.max(0, atLeast);
	if (low > 0 && !has(low - 1)) low = 0;
	let step = 1;
	while (has(low + step - 1)) {
		low += step;
		step *= 2;
	}
	for (; step > 1; step /= 2) if (has(low + step / 2 - 1)) low += step / 2;
	return low;
};

/** Long prompts are of no use in an outline of one-line entries. */
const outlineText = 300;

const transcriptOf = (library: Library, ref: SessionRef): Transcript | undefined => {
	const session = library.session(ref);
	if (!session) return undefined;
	const parent = session.parent?.isKnown ? library.session(session.parent.ref) : undefined;
	const hangsOn = session.parent?.event ?? null;
	return {
		session,
		total: totalEvents(library, ref, session.events),
		children: library.children(ref),
		followers: library.followers(ref),
		parentTitle: parent === undefined ? null : sanitizeLine(parent.title),
		parentIndex: (hangsOn === null ? undefined : library.event(hangsOn)?.index) ?? null,
	};
};

/** Every root, with what its agent's own clean-up will take. */
const sourceRoots = (
	{database, library}: Connection,
	{adapters, ...facts}: AnswersOptions,
	nowMs: number,
): readonly SourceRoot[] => {
	const surroundings = createSurroundings({
		...facts,
		projectDirs: () => knownDirectories(database),
	});
	const views = retentionViews(database, {adapters, surroundings, nowMs});
	return library.roots().map(root => ({
		...root,
		retention: views.find(view => view.agent === root.agent && view.root === root.path) ?? null,
	}));
};

/** Longer than this at a time, and what is typed meanwhile would wait. */
const scanMs = 40;

const scanOn = ({steps, notes}: DeepScan): DeepScanPart => {
	const hits: SearchHit[] = [];
	let progress: DeepScanProgress | null = null;
	const untilMs = Date.now() + scanMs;
	while (Date.now() < untilMs) {
		const step = steps.next();
		if (step.done === true) return {hits, progress, notes, isDone: true};
		if (step.value.kind === 'hit') hits.push(step.value.hit);
		else progress = step.value.progress;
	}
	return {hits, progress, notes, isDone: false};
};

const lockWaitMs = 10_000;

/** Under the lock of sync passes: one that runs would go on writing what is removed. */
const forgetIn = async (
	database: Database,
	refs: readonly SessionRef[],
	{folder, home, nowMs}: {readonly folder: string; readonly home: string; readonly nowMs: number},
): Promise<void> => {
	const lock = await acquireLock(folder, {waitMs: lockWaitMs});
	if (lock === undefined)
		throw new AppError('the history is being read just now: nothing was forgotten, try again');
	try {
		const library = createLibrary(database);
		const rows = refs.flatMap(ref => library.session(ref)?.rowId ?? []);
		forgetSessions(database, {folder, home, nowMs, sessions: withSubagents(database, rows)});
	} finally {
		lock.release();
	}
};

export const createAnswers = (options: AnswersOptions): Answers => {
	const {folder, home, adapters, env, cwd, flags} = options;
	let reading: Connection | undefined;
	let writing: Database | undefined;
	/** Where attachments are written to be opened; gone when the app ends. */
	let temporary: string | undefined;
	let saved = 0;
	/** The last scan that was begun: it goes on as long as somebody asks. */
	let scan: {readonly number: number; readonly scan: DeepScan} | undefined;
	let scans = 0;
	let isSearched = false;

	const connection = (): Connection | undefined => {
		if (reading) return reading;
		const database = opened();
		reading = database && {
			database,
			library: createLibrary(database, {
				readWhole: event => readWholeText(database, adapters, event),
			}),
		};
		return reading;
	};
	/** While the first sync makes the store it is not there yet: the next question finds it. */
	const opened = (): Database | undefined => {
		try {
			return openStoreReadOnly(folder);
		} catch (error) {
			if (error instanceof StoreError && error.code === 'locked') return undefined;
			throw error;
		}
	};
	const library = (): Library => connection()?.library ?? emptyLibrary;
	const forWriting = (): Database => {
		writing ??= openStore(folder);
		return writing;
	};
	const saveAttachments = (
		ref: EventRef,
		place: {readonly folder: string; readonly name: string},
	): readonly SavedAttachment[] => {
		const open = connection();
		const event = open?.library.event(ref);
		const raw = open && event && readRawEvent(open.database, adapters, event.rowId);
		return raw === undefined || event === undefined
			? []
			: writeAttachments(attachmentsFor(raw, event.text), place);
	};

	const extra: Omit<Questions, keyof Library> = {
		transcript: ref => transcriptOf(library(), ref),
		prompts: ref =>
			library()
				.outline(ref)
				.map(entry => ({...entry, text: sanitizeLine(entry.text.slice(0, outlineText))})),
		fullText: ref => {
			const open = connection();
			const event = open?.library.event(ref);
			if (!open || !event) return undefined;
			return readWholeText(open.database, adapters, event);
		},
		sourceRoots(nowMs) {
			const open = connection();
			return open ? sourceRoots(open, options, nowMs) : [];
		},
		attachments: refs => {
			temporary ??= mkdtempSync(join(tmpdir(), 'backscroll-'));
			const folder = temporary;
			return refs.flatMap((ref, index) =>
				saveAttachments(ref, {folder, name: `${++saved}-${index + 1}`}),
			);
		},
		deepScan(request) {
			const open = connection();
			scan = open && {
				number: ++scans,
				scan: deepScan(open.database, request, {adapters, now: Date.now}),
			};
			return scans;
		},
		deepScanOn: number => (scan?.number === number ? scanOn(scan.scan) : undefined),
		async forget(refs, nowMs) {
			await forgetIn(forWriting(), refs, {folder, home, nowMs});
		},
		mark: (ref, change) => {
			setMark(forWriting(), folder, ref, change);
		},
		missingDirectories: paths => paths.filter(path => !existsSync(path)),
		...exportAnswers({
			...{library, adapters, home},
			textOf(event) {
				const open = event.truncated ? connection() : undefined;
				return (open && readWholeText(open.database, adapters, event)) ?? event.text;
			},
		}),
		...archiveAnswers({
			...options,
			writing: forWriting,
			reading: () => connection()?.database,
		}),
		...resumeAnswers({
			...{library, folder, home, cwd, env, flags, writing: forWriting},
			reading: () => connection()?.database,
		}),
	};
	const isExtra = (question: Question): question is keyof typeof extra =>
		Object.hasOwn(extra, question);

	return {
		ask(question, parameters) {
			isSearched ||= question === 'list' && (parameters[0] as PageRequest).query.trim() !== '';
			const answer = (
				isExtra(question) ? extra[question] : library()[question as keyof Library]
			) as (...parameters: readonly unknown[]) => AnswerOf<Question>;
			return answer(...parameters);
		},
		// The words of the index, for what nearly matches: only when somebody searches at all.
		prepare: () => isSearched && reading !== undefined && loadWords(reading.database),
		close() {
			isSearched = false;
			reading?.database.close();
			writing?.close();
			if (temporary !== undefined) rmSync(temporary, {recursive: true, force: true});
		},
	};
};
