/** The work that single keys ask for: copy, export, another program, the end. */
import type {Desktop, ResumeSheet} from './backend.js';
import {type Context, messageOf, run} from './effect-context.js';
import {filtersOf, listRequest} from './selectors.js';
import type {AppState, Request} from './state.js';

type RequestOf<T extends Request['type']> = Extract<Request, {type: T}>;
type Answer<R> = (context: Context, request: R, state: AppState) => Promise<void> | void;

const say = ({store}: Context, text: string, isProblem = false): void =>
	store.dispatch({type: 'noticed', notice: {text, isProblem}});

const sheetFor = (
	{desktop}: Context,
	session: Parameters<Desktop['resumeSheet']>[0],
): Promise<ResumeSheet> => desktop.resumeSheet(session, {isFork: false, directory: null});

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
	projects: async ({backend, desktop, store}, _, state) => {
		const {project: _project, here: _here, ...filters} = filtersOf(state);
		const answer = await backend.ask('projects', 'facet', 'project', {
			query: state.query.text,
			filters,
			limit: 1000,
			nowMs: desktop.now(),
		});
		if (answer) store.dispatch({type: 'projects', values: answer.value});
	},
	run: async (context, {sheet}) => {
		afterProgram(context, await context.desktop.runResume(sheet));
		context.sync.sync();
	},
	export: async ({backend, store}, {session, choice, path}) => {
		try {
			const answer = await backend.ask('export', 'exportFile', session, choice, path);
			if (answer) store.dispatch({type: 'exported', ...answer.value});
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
	star: async ({backend, store}, {session, starred}) => {
		await backend.ask(`star ${session}`, 'mark', session, {starred});
		store.dispatch({type: 'starred', session, starred});
	},
};

export const answer = (context: Context, request: Request, state: AppState): void =>
	run(context, async () => {
		const work = answers[request.type] as Answer<Request>;
		await work(context, request, state);
	});
