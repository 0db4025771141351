import envPaths from 'env-paths';
import {storeErrorCode} from '../../store/errors.js';
import {AppError, EXIT} from '../errors.js';
import {type AppPaths, appPaths} from '../paths.js';
import {printOut} from '../terminal/print.js';
import {version} from '../version.js';
import {parseArguments} from './arguments.js';
import type {Host} from './command.js';
import {readHost} from './host.js';
import {note} from './output.js';

/** Runs one command line to its end and gives the exit code. Nothing is thrown from here. */
export const main = async (argv: readonly string[]): Promise<number> => {
	let paths: AppPaths | undefined;
	try {
		const {command, common, help, ...parsed} = parseArguments(argv);
		if (common.help) return said(help);
		if (common.version) return said(version);
		const host = readHost();
		paths = pathsFor(host, common.dataDir);
		const {config, problems} = await readConfig(host, paths);
		for (const problem of problems) note(problem);
		const run = await command.load();
		return await run({...parsed, host, paths, config, configProblems: problems});
	} catch (error) {
		return failed(error, paths);
	}
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

/** Loaded on use: help and usage errors need neither the adapters nor the schema library. */
const readConfig = async ({home}: Host, {configFile}: AppPaths) => {
	const [{loadConfig}, {adapters}] = await Promise.all([
		import('../config.js'),
		import('../../adapters/registry.js'),
	]);
	return loadConfig(configFile, {home, agents: adapters.map(({id}) => id)});
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
