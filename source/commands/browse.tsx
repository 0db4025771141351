/** The app: joins screen, store, workers and screens, and runs it to its end. */

import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {render} from 'ink';
import type {Filters} from '../../store/library.js';
import {openStoreReadOnly} from '../../store/open.js';
import {createLibrary} from '../../store/read/library.js';
import {agents} from '../agents.js';
import {App} from '../app/app.js';
import {type AppStore, createAppStore} from '../app/app-store.js';
import {startEffects} from '../app/effects.js';
import {listQuestion, listRequest, pageRows} from '../app/selectors.js';
import {initialState, type Settings} from '../app/state.js';
import type {Config} from '../config.js';
import {AppError, EXIT} from '../errors.js';
import {readOwnKeys} from '../keymap/own-keys.js';
import type {AppPaths} from '../paths.js';
import {isInsideTmux} from '../resume/tmux.js';
import {frameStream} from '../terminal/frame-stream.js';
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
import {loadHighlighter} from '../transcript/code.js';
import {loadMarkdown} from '../transcript/lexer.js';
import type {Host} from './command.js';
import type {Outcome} from './desktop.js';
import {resumeOptimiser} from './engine-flags.js';

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

/** Where sessions are looked for, and where what was found is kept. */
export interface Place {
	readonly home: string;
	readonly env: Host['env'];
	readonly dataFolder: string;
	readonly dispose: () => void;
}

const placeOf = async (options: BrowseOptions, isDemo: boolean): Promise<Place> => {
	const {host, paths} = options;
	if (!isDemo)
		return {home: host.home, env: host.env, dataFolder: paths.dataFolder, dispose: () => {}};
	const {PATH} = host.env;
	const {createDemoHome} = await import('../demo/home.js');
	const demo = createDemoHome(host.now());
	return {...demo, env: {PATH, HOME: demo.home}};
};

const settingsOf = (options: BrowseOptions, place: Place, isDemo: boolean): Settings => ({
	bindings: readOwnKeys(options.config.keys).bindings,
	agents,
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
	const stream = frameStream(screen.stdout, screen.isEntered);
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

type Streams = Pick<ScreenOptions, 'stdin' | 'stdout'>;

/** With `--print` stdout carries nothing but the command: the screen is on the terminal itself. */
const streamsFor = (isPrint: boolean): Streams =>
	(isPrint ? openTerminal() : undefined) ?? {stdin: process.stdin, stdout: process.stdout};

const logCrash = async (error: unknown, file: string): Promise<string> => {
	const message = error instanceof Error ? error.message : String(error);
	try {
		const {openLog} = await import('../log.js');
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
	const place = await placeOf(options, isDemo);
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
		// As after a resize. Taken off and put on again, Ink would let the terminal be cooked for a moment, and keys be lost.
		screen.onRepaint(() => void screen.stdout.emit('resize'));
		mounting.mount();
		// The first frame shows what is stored; it does not wait for the workers, nor for what only a key asks for.
		await nextTurn();
		resumeOptimiser();
		const [{createDesktop, stdinAtRest}, {startWorkers}] = await Promise.all([
			import('./desktop.js'),
			import('./workers.js'),
			loadHighlighter(),
			loadMarkdown(),
		]);
		const workers = startWorkers(place, options);
		onExit = async () => {
			mounting.unmount();
			await workers.close();
			place.dispose();
		};
		let stop = () => {};
		const outcome = await new Promise<Outcome>(end => {
			const desktop = createDesktop({screen, ...mounting, end}, host);
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
