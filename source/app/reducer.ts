/** Every change of the state. Pure and total: whatever comes in whatever order, there is a next state. */
import type {Action} from './actions.js';
import type {ImportedFile, Transcript} from './backend.js';
import {completedWith} from './completion.js';
import {counted, megabytes} from './format.js';
import {pressKey} from './keys.js';
import {keepSelected, selectLast} from './list-commands.js';
import {openSession} from './reader-commands.js';
import {isAtEnd, payOwed, reached, withBlockInSight} from './reader-goals.js';
import {notice, openResume} from './requests.js';
import {gotCompletion, gotSheet, onSheet} from './resume-updates.js';
import {listItems, readerView} from './selectors.js';
import type {AppState, ListState, ReaderState} from './state.js';
import {fieldOf} from './text-edit.js';
import {HEAD, PAGE_EVENTS, pageOf} from './transcript-events.js';
import {settlePlace, withPage} from './transcript-window.js';

type ActionOf<T extends Action['type']> = Extract<Action, {type: T}>;
type Handler<A> = (state: AppState, action: A) => AppState;

const onReader = (
	state: AppState,
	ref: string,
	then: (reader: ReaderState) => ReaderState,
): AppState => (state.reader?.ref === ref ? {...state, reader: then(state.reader)} : state);

const resized: Handler<ActionOf<'resized'>> = (state, {size}) => {
	const next = {...state, size};
	const {reader} = next;
	const settled = reader && {
		...reader,
		position: settlePlace(reader, reader.position, readerView(next)),
	};
	return keepSelected({...next, reader: settled}, state);
};

const syncSaid: Handler<ActionOf<'sync-said'>> = (state, {message, nowMs}) => {
	switch (message.type) {
		case 'progress': {
			const sinceMs = state.sync.kind === 'running' ? state.sync.sinceMs : nowMs;
			return {...state, sync: {kind: 'running', progress: message.progress, sinceMs}};
		}
		case 'changed':
			return changed(state, message.sessions);
		case 'done':
			return changed(
				{...state, sync: {kind: 'idle'}, nowMs, list: {...state.list, isFilling: false}},
				[],
			);
		case 'locked':
			// The other one may have stored something meanwhile.
			return changed({...state, sync: {kind: 'locked'}}, []);
		case 'failed':
			return {...state, sync: {kind: 'failed', message: message.message}};
		case 'stopped':
			return {...state, sync: {kind: 'idle'}};
		case 'settled':
			return state;
	}
};

const importedText = ({sessions, isNew, notTaken}: ImportedFile): string => {
	if (!isNew) return 'imported already: nothing was added';
	const left = notTaken > 0 ? ` · ${counted(notTaken, 'record')} not taken` : '';
	return `imported: ${counted(sessions.length, 'session')}${left}`;
};

const changed = (state: AppState, sessions: readonly string[]): AppState => {
	const {reader, list} = state;
	const isReaderChanged = reader !== null && sessions.includes(reader.ref);
	return {
		...state,
		list: {...list, revision: list.revision + 1},
		reader: isReaderChanged ? {...reader, revision: reader.revision + 1} : reader,
	};
};

const gotList: Handler<ActionOf<'list'>> = (state, {answer, question, isDraft = false}) => {
	const {rows, total, note, nextCursor, instead = null} = answer;
	const isRefresh = question === state.list.question;
	if (state.list.deep !== null && isRefresh) return state;
	// What is typed may be too short for a quick look: the ranked answer will tell.
	if (isDraft && rows.length === 0) return {...state, list: {...state.list, isDraft}};
	const wasEmpty = state.sync.kind !== 'idle' || rows.length === 0;
	const isFilling = state.list.isFilling && wasEmpty;
	const isNewQuestion = question !== state.list.question;
	// Who pressed Enter blindly means the best row: that is told by the ranked answer.
	const waiting = isDraft ? [] : state.list.waiting;
	const list: ListState = {
		...state.list,
		isDraft,
		deep: null,
		rows,
		total,
		note,
		instead,
		nextCursor,
		isEmpty: false,
		isFilling,
		question: isDraft ? null : question,
		waiting: isDraft ? state.list.waiting : [],
	};
	const isThere = list.selected !== null && rows.some(({session}) => session.ref === list.selected);
	// The best answer to a new question is the first row, unless the person chose one that is still there.
	const lost = {...list, selected: null, isPinned: false, top: 0};
	const isChild = listItems(list).some(({session}) => session.ref === list.selected);
	const isKept = list.isPinned && (isThere || isChild);
	const next = isNewQuestion && !isKept ? lost : list;
	const {top, selected} = next;
	const shown = keepSelected(
		{...state, list: next},
		{...state, list: {...state.list, top, selected}},
	);
	return waiting.reduce(pressKey, shown);
};

const deepNote = ({progress, note, isDone, hits}: ActionOf<'deep'>): string => {
	if (isDone && note !== null && hits.length === 0) return note;
	const found = counted(hits.length, 'session');
	if (isDone) return `raw transcripts: ${found} · Esc goes back to the index`;
	if (progress === null) return 'scanning the raw transcripts';
	const {bytesDone, bytesTotal, scannedBytes, elapsedMs} = progress;
	const speed = elapsedMs > 200 ? ` · ${megabytes((scannedBytes / elapsedMs) * 1000)} MB/s` : '';
	return `scanning the raw transcripts: ${megabytes(bytesDone)} of ${megabytes(bytesTotal)} MB${speed} · ${found} · Esc stops`;
};

/** The hits of a scan stand in the list as they come. */
const gotDeep: Handler<ActionOf<'deep'>> = (state, action) => {
	const {id, hits, isDone} = action;
	if (state.list.deep?.id !== id) return state;
	const rows = hits.map(({session, event, eventIndex, snippet, matches, more}) => ({
		session,
		match: {event, eventIndex, snippet, matches, more, child: null},
		titleMatches: [],
	}));
	const list: ListState = {
		...state.list,
		rows,
		total: rows.length,
		nextCursor: null,
		note: deepNote(action),
		deep: {id, isDone},
	};
	return keepSelected({...state, list}, state);
};

const gotMoreRows: Handler<ActionOf<'more-rows'>> = (state, {answer, cursor}) => {
	if (cursor !== state.list.nextCursor) return state;
	const known = new Set(state.list.rows.map(({session}) => session.ref));
	const isEnd = state.list.loadingMore === 'end';
	const list = {
		...state.list,
		rows: [...state.list.rows, ...answer.rows.filter(({session}) => !known.has(session.ref))],
		nextCursor: answer.nextCursor,
		loadingMore: null,
	};
	return isEnd ? selectLast({...state, list}) : {...state, list};
};

const gotTranscript: Handler<ActionOf<'transcript'>> = (state, {session, transcript, first}) => {
	const next = withTranscript(state, session, transcript);
	return first ? gotPage(next, {type: 'page', session, ...first, revision: 0}) : next;
};

const withTranscript = (
	state: AppState,
	session: string,
	transcript: Transcript | null,
): AppState =>
	onReader(state, session, opened => {
		const reader = {...opened, isOpening: false};
		if (transcript === null) return {...reader, isMissing: true};
		const view = readerView(state);
		const hadEnd = reader.transcript !== null && isAtEnd(reader, view);
		const hasGrown = transcript.total > (reader.transcript?.total ?? 0);
		const isFirst = reader.transcript === null;
		const isAtStart = reader.position.index === 0 && reader.position.line === 0;
		const added = isFirst ? 0 : transcript.total - (reader.transcript?.total ?? 0);
		const next: ReaderState = {
			...reader,
			transcript,
			unread: hadEnd ? 0 : reader.unread + Math.max(0, added),
			pages: isFirst ? reader.pages : withoutOldEnd(reader.pages, transcript.total),
			...(isFirst && isAtStart && (transcript.session.parent || transcript.followers.length > 0)
				? {position: {index: HEAD, line: 0}, block: HEAD}
				: {}),
			goal: hadEnd && hasGrown ? {kind: 'bottom'} : reader.goal,
		};
		return reached(next, view);
	});

/** Pages that more events belong to by now are loaded anew. */
const withoutOldEnd = (pages: ReaderState['pages'], total: number): ReaderState['pages'] =>
	Object.fromEntries(
		Object.entries(pages).filter(
			([page, events]) =>
				events.length >= Math.min(PAGE_EVENTS, total - Number(page) * PAGE_EVENTS),
		),
	);

/** A page that is shorter than it should be tells where the session really ends. */
const withTotal = (reader: ReaderState, page: number, length: number): ReaderState => {
	const {transcript} = reader;
	if (!transcript || length === PAGE_EVENTS) return reader;
	const total = page * PAGE_EVENTS + length;
	return total < transcript.total && pageOf(transcript.total - 1) >= page
		? {...reader, transcript: {...transcript, total}}
		: reader;
};

const gotPage: Handler<ActionOf<'page'>> = (state, {session, page, events}) =>
	onReader(state, session, reader => {
		const view = readerView(state);
		const next = withTotal({...reader, pages: withPage(reader, page, events)}, page, events.length);
		const settled =
			next.goal === null ? {...next, position: settlePlace(next, next.position, view)} : next;
		return withBlockInSight(payOwed(reached(settled, view), view), view);
	});

const found: Handler<ActionOf<'found'>> = (state, {session, query, matches}) => {
	const {reader} = state;
	if (reader?.ref !== session || reader.find?.query !== query) return state;
	const {owedSteps} = reader.find;
	const {start} = reader.find;
	const find = {...reader.find, matches, owedSteps: 0, start: null};
	if (start !== null && matches.length > 0) {
		const step = start === 'first' ? 1 : -1;
		const goal = {kind: 'find', at: step > 0 ? 0 : matches.length - 1, step} as const;
		return {...state, reader: reached({...reader, find, goal}, readerView(state))};
	}
	if (!find.isTyped && owedSteps === 0) return {...state, reader: {...reader, find}};
	if (matches.length === 0)
		return {
			...state,
			reader: {...reader, find},
			notice: {text: `not found: ${query.trim()}`, isProblem: true},
		};
	const here = matches.findIndex(index => index >= reader.position.index);
	const count = matches.length;
	const at = (((Math.max(0, here) + owedSteps) % count) + count) % count;
	const goal = {kind: 'find', at, step: 1} as const;
	return {...state, reader: reached({...reader, find, goal}, readerView(state))};
};

/** Who has scrolled down to the end has seen what came meanwhile. */
const withUnreadSeen = (state: AppState): AppState => {
	const {reader} = state;
	return reader && reader.unread > 0 && isAtEnd(reader, readerView(state))
		? {...state, reader: {...reader, unread: 0}}
		: state;
};

const handlers: {readonly [T in Action['type']]: Handler<ActionOf<T>>} = {
	keys: (state, {events}) =>
		withUnreadSeen(events.reduce(pressKey, {...state, list: {...state.list, isFilling: false}})),
	resized,
	ticked: (state, {nowMs}) => ({...state, nowMs}),
	noticed: (state, {notice}) => ({...state, notice}),
	'sync-started': (state, {nowMs}) => ({
		...state,
		sync: {kind: 'running', progress: null, sinceMs: nowMs},
	}),
	'sync-said': syncSaid,
	overview: (state, {counts, agents, roots}) => ({...state, counts, agentCounts: agents, roots}),
	list: gotList,
	'list-failed': (state, {message}) => ({
		...state,
		list: {...state.list, waiting: []},
		notice: {text: message, isProblem: true},
	}),
	'more-rows': gotMoreRows,
	children: (state, {session, sessions}) => ({
		...state,
		list: {...state.list, unfolded: {...state.list.unfolded, [session]: sessions}},
	}),
	missing: (state, {paths}) =>
		paths.length === state.missing.size && paths.every(path => state.missing.has(path))
			? state
			: {...state, missing: new Set(paths)},
	preview: (state, {session, events}) => ({...state, preview: {session, events}}),
	transcript: gotTranscript,
	'opening-late': (state, {session}) =>
		state.reader?.isOpening
			? onReader(state, session, reader => ({...reader, isOpening: false}))
			: state,
	outline: (state, {session, outline, landmarks}) =>
		onReader(state, session, reader => ({...reader, outline, landmarks})),
	files: (state, {session, files}) =>
		state.dialog?.kind === 'files' && state.dialog.session === session
			? {...state, dialog: {...state.dialog, files}}
			: state,
	page: gotPage,
	found,
	'full-text': (state, {event, text}) => {
		const {reader} = state;
		if (!reader) return state;
		const next = {...reader, fullTexts: {...reader.fullTexts, [event]: text}};
		return {...state, reader: reached(next, readerView(state))};
	},
	facet: (state, {name, values}) =>
		state.dialog?.kind === 'facet' && state.dialog.name === name
			? {...state, dialog: {...state.dialog, values}}
			: state,
	'resume-sheet': gotSheet,
	'resume-failed': (state, {message}) => ({
		...state,
		dialog: state.dialog?.kind === 'resume' ? null : state.dialog,
		notice: {text: message, isProblem: true},
	}),
	'resume-open': (state, {session}) => openResume(state, session),
	'program-version': (state, {program, version}) =>
		onSheet(state, dialog => ({...dialog, version: {program, text: version}})),
	'directory-completed': gotCompletion,
	restored: (state, {session}) =>
		onSheet(state, dialog =>
			dialog.session.ref === session ? {...dialog, isStale: true} : dialog,
		),
	imported: (state, {file}) => ({
		...changed(state, []),
		dialog: state.dialog?.kind === 'import' ? null : state.dialog,
		notice: {text: importedText(file), isProblem: false},
	}),
	'import-failed': (state, {message}) =>
		state.dialog?.kind === 'import'
			? {...state, dialog: {...state.dialog, problem: message}}
			: {...state, notice: {text: message, isProblem: true}},
	forked: (state, {session}) =>
		notice(
			openSession(changed(state, []), session),
			'a fork of your own; the other one stays as it is',
		),
	upkeep: (state, {due, setAside}) => ({
		...state,
		due,
		...(setAside !== null && {
			notice: {
				text: `the history was damaged: it lies in ${setAside} now, and a new one is made`,
				isProblem: true,
			},
		}),
	}),
	secrets: (state, {secrets}) =>
		state.dialog?.kind === 'secrets' ? {...state, dialog: {...state.dialog, secrets}} : state,
	'export-path': (state, {session, path}) =>
		state.dialog?.kind === 'export' &&
		state.dialog.session.ref === session &&
		!state.dialog.isOwnPath
			? {...state, dialog: {...state.dialog, path: fieldOf(path)}}
			: state,
	exported: (state, {path, masked, sessions}) => ({
		...state,
		dialog: state.dialog?.kind === 'export' ? null : state.dialog,
		notice: {
			text: `written: ${sessions > 1 ? `${sessions} sessions to ` : ''}${path}${masked > 0 ? ` · ${counted(masked, 'secret')} masked` : ''}`,
			isProblem: false,
		},
	}),
	'export-failed': (state, {message}) =>
		state.dialog?.kind === 'export'
			? {...state, dialog: {...state.dialog, problem: message}}
			: {...state, notice: {text: message, isProblem: true}},
	completion: (state, {name, query, values}) =>
		state.query.text === query.text && state.query.cursor === query.cursor
			? completedWith(state, name, values)
			: state,
	deep: gotDeep,
	forgotten: (state, {sessions}) => {
		const isRead = state.reader !== null && sessions.includes(state.reader.ref);
		return {
			...state,
			...(isRead ? {screen: 'list' as const, reader: null} : {}),
			list: {...state.list, revision: state.list.revision + 1, marked: new Set()},
			notice: {text: `forgotten: ${counted(sessions.length, 'session')}`, isProblem: false},
		};
	},
	'hand-over': (state, {session, offer}) =>
		state.dialog?.kind === 'hand-over' && state.dialog.session.ref === session
			? {...state, dialog: {...state.dialog, offer}}
			: state,
	sources: (state, {roots}) =>
		state.dialog?.kind === 'sources' ? {...state, dialog: {...state.dialog, roots}} : state,
	stats: (state, {range, stats}) =>
		state.dialog?.kind === 'stats' && state.dialog.range === range
			? {...state, dialog: {...state.dialog, stats}}
			: state,
	marked: (state, {said}) => ({
		...state,
		list: {...state.list, revision: state.list.revision + 1, marked: new Set()},
		reader: state.reader && {...state.reader, revision: state.reader.revision + 1},
		notice: {text: said, isProblem: false},
	}),
};

export const reduce = (before: AppState, action: Action): AppState => {
	const state = before.outbox.length === 0 ? before : {...before, outbox: []};
	const handler = handlers[action.type] as Handler<Action>;
	return handler(state, action);
};
