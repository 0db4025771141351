/**
 * All work that takes time. Two kinds: what the state needs (list, preview, pages of the transcript) is derived from it after
 * each action and asked for when it has changed; what a key asks for once stands in the outbox. Each channel of the backend
 * answers its newest question only, so that an old answer never replaces a newer one.
 */
import type {EventView, SessionRef} from '../../store/types.js';
import type {AppStore} from './app-store.js';
import type {Desktop} from './backend.js';
import {type Context, type Effect, messageOf, type Outside, run} from './effect-context.js';
import {answer} from './outbox.js';
import {queryTerms} from './query-marks.js';
import {readerEffects} from './reader-effects.js';
import {loadSheet, loadVersion} from './resume-effects.js';
import {
	currentSession,
	isLive,
	listLayout,
	listQuestion,
	listRequest,
	pageRows,
	selectedItem,
} from './selectors.js';
import type {AppState} from './state.js';

const tickMs = 30_000;
const pollMs = 1_000;
const passMs = 45_000;
/** A pause in typing after which the ranked answer is asked for (PERFORMANCE section 3: 80–120 ms). */
const rankAfterMs = 100;
/** Rest after which the preview follows the selection: a held arrow key gets one frame for each row, not two. */
const previewAfterMs = 50;
/** How many rows a list that is read again keeps at most; more come as the person scrolls. */
const refreshRows = 500;

/**
 * Each keystroke is answered at once from the newest matches; the ranked answer, which costs more, is asked for when the typing
 * rests, or when a key waits for it.
 */
const loadList = (): Effect => {
	let stopTimer: (() => void) | null = null;
	return (context, state, previous) => {
		const question = listQuestion(state);
		const isNew = question !== listQuestion(previous) || state === previous;
		const isWanted = stopTimer !== null && state.list.waiting.length > 0;
		if (!isNew && !isWanted && state.list.revision === previous.list.revision) return;
		stopTimer?.();
		stopTimer = null;
		const isTyped = isNew && state.query.text !== previous.query.text;
		if (!isTyped || queryTerms(state.query.text).length === 0) {
			askList(context, state, {isNew, isDraft: false});
			return;
		}
		askList(context, state, {isNew, isDraft: true});
		stopTimer = context.desktop.setTimer(() => {
			stopTimer = null;
			const now = context.store.getState();
			if (listQuestion(now) === question) askList(context, now, {isNew, isDraft: false});
		}, rankAfterMs);
	};
};

const askList = (
	{backend, desktop, store}: Context,
	state: AppState,
	{isNew, isDraft}: {readonly isNew: boolean; readonly isDraft: boolean},
): void => {
	const question = listQuestion(state);
	const rows = isNew ? 0 : Math.min(refreshRows, state.list.rows.length);
	const request = {
		...listRequest(state),
		limit: Math.max(pageRows, rows),
		nowMs: desktop.now(),
		...(isDraft ? {isTyping: true} : {}),
	};
	backend.ask('list', 'list', request).then(
		answer => {
			if (answer) store.dispatch({type: 'list', answer: answer.value, question, isDraft});
		},
		(error: unknown) => store.dispatch({type: 'list-failed', message: messageOf(error)}),
	);
};

const loadOverview: Effect = (context, state, previous) => {
	if (state.list.revision === previous.list.revision && state !== previous) return;
	const {backend, desktop, store} = context;
	run(context, async () => {
		const nowMs = desktop.now();
		const [counts, agents] = await Promise.all([
			backend.ask('counts', 'counts'),
			backend.ask('agents', 'facet', 'agent', {query: '', filters: {}, limit: 100, nowMs}),
		]);
		if (!counts || !agents) return;
		const roots = counts.value.sessions === 0 ? await backend.ask('roots', 'roots') : undefined;
		const order = state.settings.agents.map(({id}) => id);
		store.dispatch({
			type: 'overview',
			counts: counts.value,
			agents: [...agents.value].sort((a, b) => order.indexOf(a.value) - order.indexOf(b.value)),
			roots: roots?.value ?? [],
		});
	});
};

/** After each pass: what falls due changes with the days, and whether it is mirrored with the pass. */
const loadUpkeep = (context: Context): void => {
	const {backend, desktop, store} = context;
	run(context, async () => {
		const answer = await backend.ask('upkeep', 'upkeep', desktop.now());
		if (answer) store.dispatch({type: 'upkeep', ...answer.value});
	});
};

const loadMissing: Effect = (context, {list}, {list: before}) => {
	if (list.rows === before.rows || list.rows.length === 0) return;
	const {backend, store} = context;
	const paths = new Set(list.rows.flatMap(({session}) => session.cwd ?? []));
	run(context, async () => {
		const answer = await backend.ask('directories', 'missingDirectories', [...paths]);
		if (answer) store.dispatch({type: 'missing', paths: answer.value});
	});
};

/** What the preview shows: around the match, or the beginning and the end. */
const previewEvents = 12;

const previewKey = (state: AppState): string | null => {
	if (state.screen !== 'list' || listLayout(state).previewColumns === 0) return null;
	const item = selectedItem(state);
	if (!item) return null;
	const match = item.kind === 'session' ? item.row.match : null;
	return JSON.stringify([
		item.session.ref,
		match?.child,
		match?.eventIndex,
		item.session.events,
		item.session.updatedAtMs,
	]);
};

const loadPreview = (): Effect => {
	let stopTimer = () => {};
	return (context, state, previous) => {
		const key = previewKey(state);
		if (key === previewKey(previous) && state !== previous) return;
		stopTimer();
		if (key === null) return;
		stopTimer = context.desktop.setTimer(() => {
			const now = context.store.getState();
			if (previewKey(now) === key) askPreview(context, now);
		}, previewAfterMs);
	};
};

const askPreview = (context: Context, state: AppState): void => {
	const item = selectedItem(state);
	if (!item) return;
	const {backend, store} = context;
	const match = item.kind === 'session' ? item.row.match : null;
	const {session} = item;
	run(context, async () => {
		const ranges =
			match === null
				? [
						{from: 0, count: previewEvents},
						{from: Math.max(previewEvents, session.events - previewEvents), count: previewEvents},
					]
				: [{from: Math.max(0, match.eventIndex - 1), count: previewEvents}];
		const answers = await Promise.all(
			ranges.map((range, index) =>
				backend.ask(`preview ${index}`, 'events', match?.child ?? session.ref, range),
			),
		);
		const events: EventView[] = [];
		for (const answer of answers) {
			if (!answer) return;
			events.push(...answer.value);
		}
		store.dispatch({type: 'preview', session: session.ref, events});
	});
};

const loadExportPath: Effect = (context, state, previous) => {
	const {dialog, settings} = state;
	const before = state === previous ? null : previous.dialog;
	if (dialog?.kind !== 'export' || dialog.isOwnPath) return;
	const isSame =
		before?.kind === 'export' &&
		before.session.ref === dialog.session.ref &&
		before.choice.format === dialog.choice.format;
	if (isSame) return;
	const session = dialog.session.ref;
	const {backend, store} = context;
	run(context, async () => {
		const answer = await backend.ask(
			'export path',
			'exportPath',
			session,
			dialog.choice,
			settings.cwd,
		);
		if (answer?.value) store.dispatch({type: 'export-path', session, path: answer.value});
	});
};

const effects = (): readonly Effect[] => [
	loadList(),
	loadOverview,
	loadMissing,
	loadPreview(),
	...readerEffects(),
	loadSheet,
	loadVersion(),
	loadExportPath,
];

/** The session in the reader is looked at each second while its agent may be writing it. */
const sessionToPoll = (state: AppState, nowMs: number): SessionRef | undefined => {
	const session = state.screen === 'reader' ? currentSession(state) : undefined;
	return session && isLive(session, nowMs) ? session.ref : undefined;
};

const every = (desktop: Desktop, ms: number, work: () => void): (() => void) => {
	let stop = () => {};
	const next = () => {
		stop = desktop.setTimer(() => {
			work();
			next();
		}, ms);
	};
	next();
	return () => stop();
};

/** Joins a store with the world; the returned function ends all of it. */
export const startEffects = (store: AppStore, outside: Outside): (() => void) => {
	const context: Context = {...outside, store};
	const {desktop, sync} = outside;
	const all = effects();
	const stops = [
		store.onAction((state, previous) => {
			for (const effect of all) effect(context, state, previous);
			for (const request of state.outbox) answer(context, request, state);
		}),
		sync.onMessage(message => {
			store.dispatch({type: 'sync-said', message, nowMs: desktop.now()});
			if (message.type === 'settled') loadUpkeep(context);
		}),
		every(desktop, tickMs, () => store.dispatch({type: 'ticked', nowMs: desktop.now()})),
		every(desktop, passMs, () => sync.sync()),
		every(desktop, pollMs, () => {
			const session = sessionToPoll(store.getState(), desktop.now());
			if (session !== undefined) sync.poll(session);
		}),
	];
	const first = store.getState();
	for (const effect of all) effect(context, first, first);
	// Keys that were pressed before there was anybody to do what they ask for.
	for (const request of first.outbox) answer(context, request, first);
	store.dispatch({type: 'sync-started', nowMs: desktop.now()});
	sync.sync();
	return () => {
		for (const stop of stops) stop();
	};
};
