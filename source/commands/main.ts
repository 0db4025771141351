import envPaths from 'env-paths';
import {storeErrorCode} from '../../store/errors.js';
import {AppError, EXIT} from '../errors.js';
import {type AppPaths, appPaths} from '../paths.js';
import {printOut} from '../terminal/print.js';
import {version} from '../version.js';
import type {ParsedArguments} from './arguments.js';
import type {Host} from './command.js';
import {keepHeapSmall, pauseOptimiser} from './engine-flags.js';
import {readHost} from './host.js';
import {note} from './output.js';
import {browse} from './table.js';

/** Runs one command line to its end and gives the exit code. Nothing is thrown from here. */
export const main = async (argv: readonly string[]): Promise<number> => {
	let paths: AppPaths | undefined;
	try {
		const {command, common, help, ...parsed} = await argumentsOf(argv);
		if (common.help) return said(help);
		if (common.version) return said(version);
		const host = readHost();
		paths = pathsFor(host, common.dataDir);
		const {config, problems} = await readConfig(host, paths);
		for (const problem of problems) note(problem);
		keepHeapSmall();
		if (command === browse) pauseOptimiser();
		const run = await command.load();
		return await run({...parsed, host, paths, config, configProblems: problems});
	} catch (error) {
		return failed(error, paths);
	}
};

/** A bare `backscroll` has nothing to parse: the parser costs a tenth of the time to the first frame. */
const argumentsOf = async (argv: readonly string[]): Promise<ParsedArguments> => {
	if (argv.length === 0)
		return {command: browse, flags: {}, common: {}, words: [], rest: [], help: ''};
	const {parseArguments} = await import('./arguments.js');
	return parseArguments(argv);
};

const said = (text: string): number => {
	printOut(`${text.trim()}\n`);
	return EXIT.done;
};

const pathsFor = ({env, home, cwd}: Host, dataDir: string | undefined): AppPaths =>
	appPaths({
		env,
		home,
		cwd,
		standard: envPaths('backscroll', {suffix: ''}),
		dataDir,
	});

/** Loaded on use: help and usage errors need neither the agents nor the schema library. */
const readConfig = async ({home}: Host, {configFile}: AppPaths) => {
	const [{loadConfig}, {agents}] = await Promise.all([
		import('../config.js'),
		import('../agents.js'),
	]);
	return loadConfig(configFile, {home, agents: agents.map(({id}) => id)});
};

const failed = async (error: unknown, paths: AppPaths | undefined): Promise<number> => {
	if (error instanceof AppError) {
		note(error.message);
		for (const line of error.details) note(line);
		return EXIT[error.code];
	}
	const message = error instanceof Error ? error.message : String(error);
	if (error instanceof Error && error.name === 'StoreError') {
		note(message);
		return EXIT.failed;
	}
	if (storeErrorCode(error) !== undefined) {
		note(`the history cannot be used: ${message}`);
		return EXIT.failed;
	}
	note(`something went wrong: ${message}${await logged(error, paths)}`);
	return EXIT.bug;
};

const logged = async (error: unknown, paths: AppPaths | undefined): Promise<string> => {
	if (paths === undefined) return '';
	try {
		const {openLog} = await import('../log.js');
		openLog(paths.logFile).error({err: error}, 'unexpected failure');
		return ` (details in ${paths.logFile})`;
	} catch {
		return ''; // no log can be written: the line on stderr is all there is
	}
};
