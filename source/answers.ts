/** Answers to the questions of the app: the library, and what needs adapters and files beside it. */
import {existsSync} from 'node:fs';
import {listOf} from '../adapters/shared/narrow.js';
import type {Adapter} from '../adapters/types.js';
import {StoreError} from '../store/errors.js';
import type {Library} from '../store/library.js';
import {setMark} from '../store/marks.js';
import {type Database, openStore, openStoreReadOnly} from '../store/open.js';
import {createLibrary} from '../store/read/library.js';
import type {EventView, SessionRef} from '../store/types.js';
import type {AnswerOf, Question, Questions, Transcript} from './app/backend.js';
import {exportAnswers} from './export-answers.js';
import {readRawEvent} from './raw-event.js';
import {sanitizeLine} from './terminal/sanitize.js';

interface AnswersOptions {
	readonly folder: string;
	readonly home: string;
	readonly adapters: readonly Adapter[];
}

interface Answers {
	ask(
		question: Question,
		parameters: readonly unknown[],
	): AnswerOf<Question> | Promise<AnswerOf<Question>>;
	close(): void;
}

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
	children: () => [],
	followers: () => [],
	counts: () => ({sessions: 0, agents: 0, lastSyncMs: null}),
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
	return {
		session,
		total: totalEvents(library, ref, session.events),
		children: library.children(ref),
		parentTitle: parent === undefined ? null : sanitizeLine(parent.title),
	};
};

/** The strings of a record, wherever they lie; depth bounded, since a record may be hostile. */
const stringsIn = (value: unknown, depth = 0): readonly string[] => {
	if (typeof value === 'string') return [value];
	if (value === null || typeof value !== 'object' || depth > 20) return [];
	const parts = Array.isArray(value) ? listOf(value) : Object.values(value);
	return parts.flatMap(part => stringsIn(part, depth + 1));
};

const comparedLength = 200;

/** The string of a raw record that the stored text was cut from; else the whole record. */
export const wholeTextOf = (raw: string, event: Pick<EventView, 'text'>): string => {
	const head = event.text.slice(0, comparedLength);
	try {
		const fitting = stringsIn(JSON.parse(raw))
			.filter(text => text.startsWith(head))
			.sort((a, b) => b.length - a.length);
		return fitting[0] ?? raw;
	} catch {
		return raw; // no JSON: the record is the text
	}
};

export const createAnswers = ({folder, home, adapters}: AnswersOptions): Answers => {
	let reading: Connection | undefined;
	let writing: Database | undefined;

	const connection = (): Connection | undefined => {
		if (reading) return reading;
		const database = opened();
		reading = database && {database, library: createLibrary(database)};
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
			const raw = readRawEvent(open.database, adapters, event.rowId);
			return raw === undefined ? undefined : wholeTextOf(raw, event);
		},
		mark: (ref, change) => {
			writing ??= openStore(folder);
			setMark(writing, folder, ref, change);
		},
		missingDirectories: paths => paths.filter(path => !existsSync(path)),
		...exportAnswers({library, adapters, home}),
	};
	const isExtra = (question: Question): question is keyof typeof extra =>
		Object.hasOwn(extra, question);

	return {
		ask(question, parameters) {
			const answer = (
				isExtra(question) ? extra[question] : library()[question as keyof Library]
			) as (...parameters: readonly unknown[]) => AnswerOf<Question>;
			return answer(...parameters);
		},
		close() {
			reading?.database.close();
			writing?.close();
		},
	};
};
