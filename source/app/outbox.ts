/** The work that single keys ask for: copy, export, another program, the end. */

import type {SearchHit, SessionRef} from '../../store/types.js';
import {redact} from '../export/redact.js';
import type {ResumeSheet, Sync} from './backend.js';
import {type Context, messageOf, run} from './effect-context.js';
import {counted} from './format.js';
import {plainChoice} from './requests.js';
import {filtersOf, listRequest, pageRows} from './selectors.js';
import type {AppState, Request} from './state.js';

type RequestOf<T extends Request['type']> = Extract<Request, {type: T}>;
type Answer<R> = (context: Context, request: R, state: AppState) => Promise<void> | void;

const say = ({store}: Context, text: string, isProblem = false): void =>
	store.dispatch({type: 'noticed', notice: {text, isProblem}});

/** Undefined: another one was asked for meanwhile. */
const plainSheet = async (
	{backend, desktop}: Context,
	session: SessionRef,
): Promise<ResumeSheet | undefined> => {
	const parameters = [session, plainChoice, desktop.now()] as const;
	return (await backend.ask('command', 'resumeSheet', ...parameters))?.value;
};

/** Waits for the end of a pass over all sources. */
const passed = (sync: Sync): Promise<void> =>
	new Promise(resolve => {
		const stop = sync.onMessage(({type}) => {
			if (type !== 'done' && type !== 'failed' && type !== 'locked') return;
			stop();
			resolve();
		});
		sync.sync();
	});

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
	copy: async (context, {text, what, isAsItIs}) => {
		const shown = isAsItIs ? {text, count: 0} : redact(text);
		const way = await context.desktop.copy(shown.text);
		const masked = shown.count === 0 ? '' : ` · ${counted(shown.count, 'secret')} masked`;
		say(context, `${what} copied${masked} · ${way}`);
	},
	'copy-command': async (context, {session}) => {
		const sheet = await plainSheet(context, session.ref);
		if (sheet === undefined) return;
		if (sheet.command === '') return say(context, sheet.reason ?? 'cannot be resumed', true);
		const way = await context.desktop.copy(sheet.command);
		say(context, `copied: ${sheet.command} · ${way}`);
	},
	'print-command': async (context, {session}) => {
		const sheet = await plainSheet(context, session.ref);
		if (sheet === undefined) return;
		if (sheet.plan === null) context.store.dispatch({type: 'resume-open', session: sheet.session});
		else context.desktop.quit({print: sheet.command});
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
		const request = {...listRequest(state), limit: 1000, nowMs: desktop.now()};
		const answer = await backend.ask('facet', 'facet', name, request);
		if (answer) store.dispatch({type: 'facet', name, values: answer.value});
	},
	run: async (context, {plan, place, notice}) => {
		if (place === 'here') afterProgram(context, await context.desktop.runAgent(plan, notice));
		else {
			await context.desktop.runInTmux(plan, place);
			say(context, `started in a tmux ${place}`);
		}
		context.sync.sync();
	},
	'hand-over': async ({backend, store}, {session, directory}) => {
		try {
			const offer = await backend.ask('hand over', 'handOver', session, directory);
			if (offer) store.dispatch({type: 'hand-over', session, offer: offer.value});
		} catch (error) {
			const offer = {text: '', about: messageOf(error), takers: []};
			store.dispatch({type: 'hand-over', session, offer});
		}
	},
	'complete-directory': async ({backend, store}, {text}) => {
		const answer = await backend.ask('complete directory', 'completeDirectory', text);
		if (answer) store.dispatch({type: 'directory-completed', text, completion: answer.value});
	},
	restore: async (context, {session}) => {
		const {backend, store, sync} = context;
		const answer = await backend.ask('restore', 'restore', session);
		if (!answer) return;
		const {written, existing} = answer.value;
		const there = existing > 0 ? ` · ${existing} there already` : '';
		say(context, `put back: ${counted(written, 'file')}${there}`);
		// A pass that is under way may have looked there before: the next one sees it.
		await passed(sync);
		await passed(sync);
		store.dispatch({type: 'restored', session});
	},
	import: async ({backend, desktop, store}, {path}) => {
		try {
			const answer = await backend.ask('import', 'importFile', path, desktop.now());
			if (answer) store.dispatch({type: 'imported', file: answer.value});
		} catch (error) {
			store.dispatch({type: 'import-failed', message: messageOf(error)});
		}
	},
	fork: async ({backend, desktop, store}, {session, upTo}) => {
		const answer = await backend.ask('fork', 'fork', session, upTo, desktop.now());
		if (answer) store.dispatch({type: 'forked', session: answer.value});
	},
	secrets: async ({backend, store}, {sessions, choice}) => {
		const answer = await backend.ask('secrets', 'exportSecrets', sessions, choice);
		if (answer) store.dispatch({type: 'secrets', secrets: answer.value});
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
