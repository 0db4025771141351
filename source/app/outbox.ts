/** The work that single keys ask for: copy, export, another program, the end. */

import type {SearchHit} from '../../store/types.js';
import type {Desktop, ResumeSheet} from './backend.js';
import {type Context, messageOf, run} from './effect-context.js';
import {filtersOf, listRequest, pageRows} from './selectors.js';
import type {AppState, Request} from './state.js';

type RequestOf<T extends Request['type']> = Extract<Request, {type: T}>;
type Answer<R> = (context: Context, request: R, state: AppState) => Promise<void> | void;

const say = ({store}: Context, text: string, isProblem = false): void =>
	store.dispatch({type: 'noticed', notice: {text, isProblem}});

const sheetFor = (
	{desktop}: Context,
	session: Parameters<Desktop['resumeSheet']>[0],
): Promise<ResumeSheet> => desktop.resumeSheet(session, {isFork: false, directory: null});

const dayMs = 86_400_000;
/** How often a scan says how far it is. */
const deepSayMs = 250;

const exportChoice = {format: 'markdown', tools: 'short', hasReasoning: false} as const;

/** After another program had the terminal, the store may hold more than before. */
const afterProgram = (context: Context, problem: string | null): void => {
	if (problem !== null) say(context, problem, true);
};

const answers: {readonly [T in Request['type']]: Answer<RequestOf<T>>} = {
	quit: ({desktop}, {print, isDemo}) =>
		desktop.quit({...(print === undefined ? {} : {print}), ...(isDemo ? {isDemo} : {})}),
	suspend: ({desktop}) => desktop.suspend(),
	copy: async (context, {text, what}) => {
		const way = await context.desktop.copy(text);
		say(context, `${what} copied · ${way}`);
	},
	'copy-command': async (context, {session}) => {
		const sheet = await sheetFor(context, session);
		if (sheet.command === '') return say(context, sheet.reason ?? 'cannot be resumed', true);
		const way = await context.desktop.copy(sheet.command);
		say(context, `copied: ${sheet.command} · ${way}`);
	},
	'print-command': async (context, {session}) => {
		const sheet = await sheetFor(context, session);
		if (sheet.command === '') return say(context, sheet.reason ?? 'cannot be resumed', true);
		context.desktop.quit({print: sheet.command});
	},
	'more-rows': async ({backend, desktop, store}, {cursor, limit}, state) => {
		const answer = await backend.ask('more rows', 'list', {
			...listRequest(state),
			limit,
			cursor,
			nowMs: desktop.now(),
		});
		if (answer) store.dispatch({type: 'more-rows', answer: answer.value, cursor});
	},
	children: async ({backend, store}, {session}) => {
		const answer = await backend.ask(`children ${session}`, 'children', session);
		if (answer) store.dispatch({type: 'children', session, sessions: answer.value});
	},
	facet: async ({backend, desktop, store}, {name}, state) => {
		const answer = await backend.ask('facet', 'facet', name, {
			query: state.query.text,
			filters: filtersOf(state),
			limit: 1000,
			nowMs: desktop.now(),
		});
		if (answer) store.dispatch({type: 'facet', name, values: answer.value});
	},
	run: async (context, {sheet, place}) => {
		if (place === 'here') afterProgram(context, await context.desktop.runResume(sheet));
		else {
			await context.desktop.runInTmux(sheet, place);
			say(context, `started in a tmux ${place}`);
		}
		context.sync.sync();
	},
	takers: async ({backend, desktop, store}, {session}) => {
		const record = await backend.ask('hand over', 'handOverRecord', session);
		if (record)
			store.dispatch({type: 'takers', session, takers: desktop.takers(), record: record.value});
	},
	'hand-over': async (context, {session, agent, record}) => {
		afterProgram(context, await context.desktop.handOver(session, agent, record));
		context.sync.sync();
	},
	export: async ({backend, store}, {session, choice, path}) => {
		try {
			const answer = await backend.ask('export', 'exportFile', session, choice, path);
			if (answer) store.dispatch({type: 'exported', ...answer.value, sessions: 1});
		} catch (error) {
			store.dispatch({type: 'export-failed', message: messageOf(error)});
		}
	},
	open: async (context, {program, session}) => {
		const {backend, desktop} = context;
		const answer = await backend.ask('export text', 'exportText', session.ref, exportChoice);
		if (answer?.value === undefined) return;
		const name = `${session.id.replaceAll(/[^\w-]+/g, '-')}.md`;
		const openIn = program === 'editor' ? desktop.openInEditor : desktop.openInPager;
		afterProgram(context, await openIn(name, answer.value));
	},
	'full-text': async (context, {event}) => {
		const answer = await context.backend.ask(`full ${event}`, 'fullText', event);
		if (!answer) return;
		if (answer.value === undefined)
			return say(context, 'the whole text is no longer there: source and mirror are gone', true);
		context.store.dispatch({type: 'full-text', event, text: answer.value});
	},
	files: async ({backend, store}, {session}) => {
		const answer = await backend.ask('files', 'files', session);
		if (answer) store.dispatch({type: 'files', session, files: answer.value});
	},
	attachments: async (context, {events}) => {
		const answer = await context.backend.ask('attachments', 'attachments', events);
		if (!answer) return;
		const [first, ...others] = answer.value;
		if (!first)
			return say(context, 'the image is no longer there: source and mirror are gone', true);
		const problems: (string | null)[] = [];
		for (const {path, isOpenable} of answer.value)
			problems.push(
				isOpenable ? await context.desktop.openFile(path) : `not opened, written to ${path}`,
			);
		const problem = problems.find(found => found !== null) ?? null;
		if (problem !== null) return say(context, problem, true);
		say(
			context,
			others.length === 0 ? `opened ${first.path}` : `opened ${answer.value.length} files`,
		);
	},
	sources: async ({backend, desktop, store}) => {
		const answer = await backend.ask('sources', 'sourceRoots', desktop.now());
		if (answer) store.dispatch({type: 'sources', roots: answer.value});
	},
	stats: async ({backend, desktop, store}, {range}) => {
		const sinceMs = range === 'all' ? 0 : desktop.now() - Number.parseInt(range, 10) * dayMs;
		const answer = await backend.ask('stats', 'stats', sinceMs);
		if (answer) store.dispatch({type: 'stats', range, stats: answer.value});
	},
	complete: async ({backend, desktop, store}, {name, query}, state) => {
		const answer = await backend.ask('complete', 'facet', name, {
			// What is half typed must not narrow what it could become.
			query: '',
			filters: filtersOf(state),
			limit: 1000,
			nowMs: desktop.now(),
		});
		if (answer) store.dispatch({type: 'completion', name, query, values: answer.value});
	},
	'deep-scan': async ({backend, desktop, store}, {id}, state) => {
		const request = {...listRequest(state), limit: pageRows, nowMs: desktop.now()};
		const begun = await backend.ask('deep scan', 'deepScan', request);
		if (!begun) return;
		let hits: SearchHit[] = [];
		let saidMs = 0;
		for (;;) {
			const part = await backend.ask('deep scan', 'deepScanOn', begun.value);
			if (!part?.value || store.getState().list.deep?.id !== id) return;
			const {progress, isDone, notes} = part.value;
			hits = [...hits, ...part.value.hits];
			const isTime = desktop.now() - saidMs >= deepSayMs;
			if (isDone || part.value.hits.length > 0 || isTime) {
				saidMs = desktop.now();
				store.dispatch({type: 'deep', id, hits, progress, note: notes[0] ?? null, isDone});
			}
			if (isDone) return;
		}
	},
	forget: async ({backend, desktop, store}, {sessions}) => {
		await backend.ask('forget', 'forget', sessions, desktop.now());
		store.dispatch({type: 'forgotten', sessions});
	},
	'export-many': async ({backend, store}, {sessions, choice, folder}) => {
		let masked = 0;
		try {
			for (const session of sessions) {
				const answer = await backend.ask('export', 'exportFile', session, choice, `${folder}/`);
				masked += answer?.value.masked ?? 0;
			}
			store.dispatch({type: 'exported', path: folder, masked, sessions: sessions.length});
		} catch (error) {
			store.dispatch({type: 'export-failed', message: messageOf(error)});
		}
	},
	mark: async ({backend, store}, {sessions, change, said}) => {
		for (const session of sessions) await backend.ask(`mark ${session}`, 'mark', session, change);
		store.dispatch({type: 'marked', said});
	},
};

export const answer = (context: Context, request: Request, state: AppState): void =>
	run(context, async () => {
		const work = answers[request.type] as Answer<Request>;
		await work(context, request, state);
	});
