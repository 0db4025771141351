/** The app: joins screen, store, workers and screens, and runs it to its end. */

import {existsSync} from 'node:fs';
import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {render} from 'ink';
import {adapters} from '../../adapters/registry.js';
import type {Filters} from '../../store/library.js';
import {openStoreReadOnly} from '../../store/open.js';
import {createLibrary} from '../../store/read/library.js';
import type {SessionView} from '../../store/types.js';
import {App} from '../app/app.js';
import {type AppStore, createAppStore} from '../app/app-store.js';
import type {Desktop, ResumeSheet} from '../app/backend.js';
import {startEffects} from '../app/effects.js';
import {listQuestion, listRequest, pageRows} from '../app/selectors.js';
import {initialState, type Settings} from '../app/state.js';
import type {Config} from '../config.js';
import {createDemoHome} from '../demo/home.js';
import {AppError, ChildError, EXIT} from '../errors.js';
import {readOwnKeys} from '../keymap/own-keys.js';
import {openLog} from '../log.js';
import type {AppPaths} from '../paths.js';
import {isRefusal, planStart} from '../resume/plan.js';
import {childEnvironment, runInTmux} from '../resume/run.js';
import {isInsideTmux} from '../resume/tmux.js';
import {startSearch} from '../search-client.js';
import {startSync} from '../sync-client.js';
import {runChild} from '../terminal/child.js';
import {copyText} from '../terminal/clipboard.js';
import {openInEditor, openInPager} from '../terminal/editor.js';
import {frameStream} from '../terminal/frame-stream.js';
import {openOutside} from '../terminal/opener.js';
import {printOut} from '../terminal/print.js';
import {sanitizeLine} from '../terminal/sanitize.js';
import {
	createScreen,
	openTerminal,
	type Screen,
	type ScreenOptions,
	screenProblem,
} from '../terminal/screen.js';
import {createTheme, detectTheme, type Theme} from '../terminal/theme.js';
import type {Host} from './command.js';
import {installedTakers, takerCalled} from './hand-over.js';
import {resumeSheet} from './resume-sheet.js';

export interface BrowseOptions {
	readonly query: string;
	readonly filters: Filters;
	/** Enter prints the resume command and ends. */
	readonly isPrint: boolean;
	/** An invented history in a temporary folder instead of the person's own. */
	readonly isDemo: boolean;
	readonly host: Host;
	readonly paths: AppPaths;
	readonly config: Config;
	readonly configProblems: readonly string[];
}

/** How a run of the app ended. */
interface Outcome {
	readonly print?: string;
	readonly isDemo?: true;
}

/** Where sessions are looked for, and where what was found is kept. */
interface Place {
	readonly home: string;
	readonly env: Host['env'];
	readonly dataFolder: string;
	readonly dispose: () => void;
}

/** Longer than this nobody waits for workers to end by themselves. */
const closeLimitMs = 1_500;

const isSource = import.meta.url.endsWith('.tsx');
const workerUrl = (name: string): URL =>
	new URL(isSource ? `../${name}.ts` : `./${name}.js`, import.meta.url);

const placeOf = (options: BrowseOptions, isDemo: boolean): Place => {
	const {host, paths} = options;
	if (!isDemo)
		return {home: host.home, env: host.env, dataFolder: paths.dataFolder, dispose: () => {}};
	const {PATH} = host.env;
	const demo = createDemoHome(host.now());
	return {...demo, env: {PATH, HOME: demo.home}};
};

const settingsOf = (options: BrowseOptions, place: Place, isDemo: boolean): Settings => ({
	bindings: readOwnKeys(options.config.keys).bindings,
	agents: adapters.map(({id, label, shortLabel}) => ({id, label, shortLabel})),
	enter: options.config.enter,
	isPrint: options.isPrint,
	isInsideTmux: isInsideTmux(options.host.env),
	isDemo,
	isUnicode: detectTheme(options.host.env, true).isUnicode,
	hasReducedMotion: options.config.reducedMotion,
	home: place.home,
	cwd: options.host.cwd,
	docsUrl: null,
});

/** What the last sync left is on the first frame already; a query is left to the search worker. */
const showStored = (store: AppStore, dataFolder: string, nowMs: number): void => {
	const state = store.getState();
	if (state.query.text !== '') return;
	const database = openStoreReadOnly(dataFolder);
	if (!database) return;
	try {
		const library = createLibrary(database);
		const request = {...listRequest(state), limit: pageRows, nowMs};
		const question = listQuestion(state);
		store.dispatch({type: 'list', answer: library.list(request), question});
		store.dispatch({
			type: 'overview',
			counts: library.counts(),
			agents: library.facet('agent', {query: '', filters: {}, limit: pageRows, nowMs}),
			roots: [],
		});
	} finally {
		database.close();
	}
};

interface Stage {
	readonly screen: Screen;
	readonly store: AppStore;
	readonly theme: Theme;
}

/** The screens on the terminal; taken off while another program has it. */
const createMount = ({screen, store, theme}: Stage) => {
	const stream = frameStream(screen.stdout);
	let instance: ReturnType<typeof render> | undefined;
	const mount = (): void => {
		instance = render(<App store={store} theme={theme} />, {
			stdin: screen.stdin,
			stdout: stream,
			exitOnCtrlC: false,
			patchConsole: false,
			incrementalRendering: true,
			maxFps: 30,
		});
		// A throw while rendering ends up here: the process-wide handler gives the terminal back and logs it.
		instance.waitUntilExit().catch((error: unknown) => {
			process.nextTick(() => {
				throw error;
			});
		});
	};
	const unmount = (): void => {
		instance?.unmount();
		instance = undefined;
	};
	return {mount, unmount};
};

/**
 * Listeners that are taken off stdin count for it until the next turn: paused before that, it would go on reading, and eat the keys
 * of a child; and a listener that comes before the pause has taken effect would never hear of any key.
 */
const stdinAtRest = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const problemOf = (error: unknown): string => {
	if (error instanceof ChildError) return error.message;
	throw error;
};

/** Programs that take the terminal over, and come back to the same row. */
const createDesktop = (
	{
		screen,
		mount,
		unmount,
		end,
	}: Pick<Stage, 'screen'> &
		ReturnType<typeof createMount> & {readonly end: (outcome: Outcome) => void},
	{host, config}: BrowseOptions,
): Desktop => {
	const env = process.env;
	const outside = async (run: () => Promise<string | null>): Promise<string | null> => {
		unmount();
		await stdinAtRest();
		try {
			return await run();
		} catch (error) {
			return problemOf(error);
		} finally {
			mount();
		}
	};
	const runAgent = async ({plan, command}: ResumeSheet): Promise<string | null> => {
		if (plan === null) return null;
		const {code, signal} = await runChild(screen, {
			argv: plan.argv,
			...(plan.cwd === null ? {} : {cwd: plan.cwd}),
			env: childEnvironment(plan, env),
			notice: command,
		});
		return code === 0 || signal !== null ? null : `${plan.argv[0]} ended with code ${code}`;
	};
	const startTaker = async (
		session: SessionView,
		agent: string,
		record: string,
	): Promise<string | null> => {
		const taker = takerCalled(agent);
		const isThere = session.cwd !== null && existsSync(session.cwd);
		const plan = planStart(session, taker, {
			prompt: record,
			flags: config.flags[agent],
			...(isThere ? {} : {directory: host.cwd}),
		});
		if (isRefusal(plan)) return plan.reason;
		const {code, signal} = await runChild(screen, {
			argv: plan.argv,
			...(plan.cwd === null ? {} : {cwd: plan.cwd}),
			env: childEnvironment(plan, env),
			notice: `${taker.label} goes on from “${sanitizeLine(session.title)}”`,
		});
		return code === 0 || signal !== null ? null : `${plan.argv[0]} ended with code ${code}`;
	};
	return {
		now: host.now,
		copy: text => copyText(text, env),
		resumeSheet: async (session, choice) => resumeSheet(session, {choice, config, host}),
		runResume: sheet => outside(() => runAgent(sheet)),
		async runInTmux({plan}, place) {
			if (plan !== null) await runInTmux(plan, place, env);
		},
		takers: () => installedTakers(env['PATH'] ?? '').map(({id, label}) => ({id, label})),
		handOver: (session, agent, record) => outside(() => startTaker(session, agent, record)),
		openInEditor: (name, text) =>
			outside(async () => {
				await openInEditor(screen, {name, text}, env);
				return null;
			}),
		openInPager: (name, text) =>
			outside(async () => {
				await openInPager(screen, {name, text}, env);
				return null;
			}),
		openFile: path => openOutside(path, {env, platform: host.platform}),
		suspend: () => screen.suspend(),
		quit: how => end(how ?? {}),
		setTimer(callback, ms) {
			const timer = setTimeout(callback, ms);
			return () => clearTimeout(timer);
		},
	};
};

const withinLimit = (work: Promise<unknown>): Promise<unknown> => {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise(resolve => {
		timer = setTimeout(resolve, closeLimitMs);
	});
	return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

const startWorkers = ({home, env, dataFolder}: Place, {host, config, paths}: BrowseOptions) => {
	const facts = {
		folder: dataFolder,
		home,
		platform: host.platform,
		env,
		extraRoots: config.roots,
		logFile: paths.logFile,
	};
	const backend = startSearch(workerUrl('search-worker'), facts);
	const sync = startSync(workerUrl('sync-worker'), {
		...facts,
		hiddenAgents: config.hiddenAgents,
		isMirroring: config.mirror,
	});
	const close = async () => {
		await withinLimit(Promise.all([backend.close(), sync.close()]));
		await Promise.all([backend.terminate(), sync.terminate()]);
	};
	return {backend, sync, close};
};

type Streams = Pick<ScreenOptions, 'stdin' | 'stdout'>;

/** With `--print` stdout carries nothing but the command: the screen is on the terminal itself. */
const streamsFor = (isPrint: boolean): Streams =>
	(isPrint ? openTerminal() : undefined) ?? {stdin: process.stdin, stdout: process.stdout};

const logCrash = (error: unknown, file: string): string => {
	const message = error instanceof Error ? error.message : String(error);
	try {
		openLog(file).error({err: error}, 'unexpected failure');
		return `backscroll: something went wrong: ${sanitizeLine(message)} (details in ${file})`;
	} catch {
		return `backscroll: ${sanitizeLine(message)}`; // no log can be written: this line is all there is
	}
};

interface Run {
	readonly options: BrowseOptions;
	readonly isDemo: boolean;
	readonly streams: Streams;
}

/** One run over one place; ends when the person leaves. */
const runOnce = async ({options, isDemo, streams}: Run): Promise<Outcome> => {
	const {host, config, configProblems, paths} = options;
	const place = placeOf(options, isDemo);
	const theme = createTheme({name: config.theme, ...detectTheme(host.env, true)});
	let onExit = (): void | Promise<void> => {};
	const screen = createScreen({
		...streams,
		onExit: () => onExit(),
		onCrash: error => logCrash(error, paths.logFile),
	});
	screen.enter();
	try {
		const store = createAppStore(
			initialState({
				settings: settingsOf(options, place, isDemo),
				size: screen.size(),
				nowMs: host.now(),
				query: options.query,
				filters: options.filters,
			}),
		);
		showStored(store, place.dataFolder, host.now());
		const mounting = createMount({screen, store, theme});
		screen.onRepaint(() => {
			mounting.unmount();
			mounting.mount();
		});
		mounting.mount();
		// The first frame shows what is stored; it does not wait for the start of the workers.
		await nextTurn();
		const workers = startWorkers(place, options);
		onExit = async () => {
			mounting.unmount();
			await workers.close();
			place.dispose();
		};
		let stop = () => {};
		const outcome = await new Promise<Outcome>(end => {
			const desktop = createDesktop({screen, ...mounting, end}, options);
			stop = startEffects(store, {backend: workers.backend, sync: workers.sync, desktop});
			const problems = [...configProblems, ...readOwnKeys(config.keys).problems];
			const [first] = problems;
			const more =
				problems.length > 1 ? ` (and ${problems.length - 1} more: backscroll config)` : '';
			if (first !== undefined)
				store.dispatch({type: 'noticed', notice: {text: `${first}${more}`, isProblem: true}});
		});
		stop();
		mounting.unmount();
		await stdinAtRest();
		screen.close();
		await workers.close();
		return outcome;
	} finally {
		screen.close();
		place.dispose();
	}
};

/** Runs the app; gives the exit code. @throws AppError when there is no screen to draw on */
export const runBrowse = async (options: BrowseOptions): Promise<number> => {
	const streams = streamsFor(options.isPrint);
	const problem = screenProblem(streams.stdin, streams.stdout, options.host.env['TERM']);
	if (problem !== undefined) throw new AppError(problem);
	let outcome = await runOnce({options, isDemo: options.isDemo, streams});
	while (outcome.isDemo) outcome = await runOnce({options, isDemo: true, streams});
	if (outcome.print !== undefined) printOut(`${outcome.print}\n`);
	return EXIT.done;
};
