/** What the reader asks for: the session, its pages, its outline, whole texts, and where the words of a search stand. */
import type {EventRef} from '../../store/types.js';
import {type Effect, run} from './effect-context.js';
import {readerView} from './selectors.js';
import {awaitedTexts, PAGE_EVENTS, pageOf} from './transcript-events.js';
import {goalIndexOf, missingPage} from './transcript-window.js';

/** So long a screen may stand still after a key. */
const openingMs = 80;

/** When a session is opened, with the page that is read first: two questions, one frame. */
const loadTranscript: Effect = (context, {reader}, {reader: before}) => {
	if (!reader || (reader.ref === before?.ref && reader.revision === before.revision)) return;
	const {backend, desktop, store} = context;
	const session = reader.ref;
	const page = reader.isOpening ? pageOf(goalIndexOf(reader) ?? reader.position.index) : null;
	if (page !== null)
		desktop.setTimer(() => store.dispatch({type: 'opening-late', session}), openingMs);
	run(context, async () => {
		const [answer, events] = await Promise.all([
			backend.ask('transcript', 'transcript', session),
			page === null ? undefined : backend.ask('page', 'events', session, rangeOf(page)),
		]);
		if (!answer) return;
		const first = page !== null &&
			events &&
			events.value.length > 0 && {page, events: events.value};
		store.dispatch({
			type: 'transcript',
			session,
			transcript: answer.value ?? null,
			...(first ? {first} : {}),
		});
	});
};

const rangeOf = (page: number) => ({from: page * PAGE_EVENTS, count: PAGE_EVENTS});

/** After the first page, which the person waits for. */
const loadOutline: Effect = (context, {reader}, {reader: before}) => {
	if (!reader?.transcript || Object.keys(reader.pages).length === 0) return;
	const wasAsked = before?.transcript === reader.transcript && Object.keys(before.pages).length > 0;
	if (wasAsked) return;
	const {backend, store} = context;
	const session = reader.ref;
	run(context, async () => {
		const [outline, landmarks] = await Promise.all([
			backend.ask('outline', 'prompts', session),
			backend.ask('landmarks', 'landmarks', session),
		]);
		if (outline && landmarks)
			store.dispatch({
				type: 'outline',
				session,
				outline: outline.value,
				landmarks: landmarks.value,
			});
	});
};

/** One page at a time: when it is there, the next action tells whether another one is missing. */
const loadPage = (): Effect => {
	let loading: string | null = null;
	return (context, state) => {
		const {reader} = state;
		if (!reader) return;
		const page = missingPage(reader, readerView(state));
		if (page === undefined) return;
		const session = reader.ref;
		const key = `${session} ${page} ${reader.revision}`;
		if (key === loading) return;
		loading = key;
		const {backend, store} = context;
		const {revision} = reader;
		run(context, async () => {
			try {
				const answer = await backend.ask('page', 'events', session, rangeOf(page));
				if (!answer) return;
				loading = null;
				store.dispatch({type: 'page', session, page, events: answer.value, revision});
			} finally {
				if (loading === key) loading = null;
			}
		});
	};
};

/** Texts of blocks that are unfolded to all of their output. */
const loadFullTexts = (): Effect => {
	const asked = new Set<EventRef>();
	return (context, {reader}, {reader: before}) => {
		if (reader?.ref !== before?.ref) asked.clear();
		if (!reader || reader.folds === before?.folds) return;
		const {backend, store} = context;
		for (const event of Object.keys(reader.folds).flatMap(index =>
			awaitedTexts(reader, Number(index)),
		)) {
			if (asked.has(event)) continue;
			asked.add(event);
			run(context, async () => {
				const answer = await backend.ask(`full ${event}`, 'fullText', event);
				if (!answer) return;
				store.dispatch({type: 'full-text', event, text: answer.value ?? null});
				if (answer.value === undefined) store.dispatch({type: 'noticed', notice: textGone});
			});
		}
	};
};

const textGone = {
	text: 'the whole text is no longer there: source and mirror are gone',
	isProblem: true,
};

const loadMatches: Effect = (context, {reader}, {reader: before}) => {
	const query = reader?.find?.query;
	if (!reader || query === undefined) return;
	const isKnown =
		before?.ref === reader.ref && before.find?.query === query && before.find !== null;
	if (isKnown && before.revision === reader.revision) return;
	const {backend, store} = context;
	const session = reader.ref;
	run(context, async () => {
		const answer = await backend.ask('find', 'findInSession', session, query);
		if (answer) store.dispatch({type: 'found', session, query, matches: answer.value});
	});
};

export const readerEffects = (): readonly Effect[] => [
	loadTranscript,
	loadPage(),
	loadOutline,
	loadFullTexts(),
	loadMatches,
];
