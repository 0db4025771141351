import {join, resolve} from 'node:path';

/** Everything that is written lies below `dataFolder`; the config is only read. */
export interface AppPaths {
	readonly dataFolder: string;
	readonly configFile: string;
	readonly logFile: string;
}

export interface PathFacts {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly cwd: string;
	/** Folders of this platform, as env-paths knows them. */
	readonly standard: {readonly data: string; readonly config: string};
	/** `--data-dir`; wins over BACKSCROLL_HOME. */
	readonly dataDir?: string | undefined;
}

/** `~` and `~/x` as the shell would read them; other paths stay. */
export const expandHome = (path: string, home: string): string =>
	path === '~' ? home : /^~[/\\]/.test(path) ? join(home, path.slice(2)) : path;

export const appPaths = ({env, home, cwd, standard, dataDir}: PathFacts): AppPaths => {
	const {BACKSCROLL_HOME} = env;
	const moved = dataDir || BACKSCROLL_HOME;
	const at = (path: string) => resolve(cwd, expandHome(path, home));
	const dataFolder = at(moved || standard.data);
	const configFolder = moved ? dataFolder : at(standard.config);
	return {
		dataFolder,
		configFile: join(configFolder, 'config.json'),
		logFile: join(dataFolder, 'log', 'backscroll.log'),
	};
};
