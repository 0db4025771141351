/** OpenCode and the forks of it that changed little more than names. */

import {basename, dirname, isAbsolute, join, resolve, win32} from 'node:path';
import type {
	Adapter,
	Discovered,
	ResumePlan,
	ResumeRequest,
	Root,
	StartRequest,
	Surroundings,
} from '../../types.js';
import {firstPrompt} from '../first-prompt.js';
import {textOf} from '../narrow.js';
import {configRoots, distinctRoots} from '../roots.js';
import {listFolder} from '../walk.js';
import {type DatabaseDialect, readDatabaseSession, rowsOf} from './database.js';
import {discoverDatabase} from './discover.js';
import {discoverRoot, isDatabaseSource, noting, rawRecord} from './source.js';
import {discoverTrees, readTreeSession} from './tree.js';

export interface FamilyAgent
	extends Pick<
		Adapter,
		'id' | 'label' | 'shortLabel' | 'parserVersion' | 'checked' | 'unattendedFlags'
	> {
	/** Name of its folder below `~/.local/share`. */
	readonly folder: string;
	/** Variable that names the database, absolute or below the data folder. */
	readonly databaseVariable: string;
	/** Variable that moves everything; the data lies in `data` below. */
	readonly homeVariable?: string;
	readonly mainDatabase: string;
	/** Which of the files in the data folder are its databases, the main one first. */
	databasesIn(names: readonly string[]): readonly string[];
	/** Documents of the time before the database. */
	readonly hasTrees: boolean;
	readonly command: string;
	readonly canFork: boolean;
	/** The command takes a first prompt with `--prompt`. */
	readonly hasPrompt?: true;
	readonly dialect: DatabaseDialect;
}

const DATABASE_NAME = /\.(?:db|sqlite3?)$/i;

/** Variables that make the agent use a place that it does not use by itself. */
const resumeEnvOf = (agent: FamilyAgent, path: string, standard: string): Root['resumeEnv'] => {
	if (path === standard) return {};
	if (DATABASE_NAME.test(path)) return {[agent.databaseVariable]: path};
	return basename(path) === agent.folder
		? {XDG_DATA_HOME: dirname(path)}
		: {[agent.databaseVariable]: join(path, agent.mainDatabase)};
};

interface DataFolder {
	readonly path: string;
	readonly isStated: boolean;
	readonly resumeEnv: Root['resumeEnv'];
}

const dataFolder = (agent: FamilyAgent, {home, env}: Surroundings): DataFolder => {
	const {folder, homeVariable} = agent;
	const own = homeVariable === undefined ? undefined : textOf(env[homeVariable]);
	if (homeVariable !== undefined && own !== undefined && isAbsolute(own)) {
		return {path: join(own, 'data'), isStated: true, resumeEnv: {[homeVariable]: own}};
	}
	const standard = join(home, '.local', 'share', folder);
	const stated = textOf(env['XDG_DATA_HOME']);
	const path = stated !== undefined && isAbsolute(stated) ? join(stated, folder) : standard;
	return {path, isStated: path !== standard, resumeEnv: resumeEnvOf(agent, path, standard)};
};

/** A stated database is the only one; documents are read all the same, since they lie beside databases and not in them. */
const ownRoots = (agent: FamilyAgent, around: Surroundings): readonly Root[] => {
	const data = dataFolder(agent, around);
	const from = data.isStated ? 'environment' : 'default';
	const stated = textOf(around.env[agent.databaseVariable]);
	if (stated === undefined) return [{path: data.path, from, resumeEnv: data.resumeEnv}];
	const documents: readonly Root[] = agent.hasTrees
		? [{path: join(data.path, 'storage'), from, resumeEnv: data.resumeEnv}]
		: [];
	// Kept in memory only.
	if (stated === ':memory:') return documents;
	const path = resolve(data.path, stated);
	const resumeEnv = {[agent.databaseVariable]: path};
	return [{path, from: 'environment', resumeEnv}, ...documents];
};

const rootsOf = (agent: FamilyAgent, around: Surroundings): readonly Root[] => {
	const standard = join(around.home, '.local', 'share', agent.folder);
	const others = configRoots(around, path => resumeEnvOf(agent, path, standard));
	return distinctRoots([...ownRoots(agent, around), ...others]);
};

function* discoverFolder(agent: FamilyAgent, folder: string): Generator<Discovered> {
	const listing = listFolder(folder);
	if (listing?.problem !== undefined) yield {problem: listing.problem};
	const names = (listing?.entries ?? [])
		.filter(entry => !entry.isDirectory())
		.map(({name}) => name);
	const known = new Set<string>();
	for (const [index, name] of agent.databasesIn(names).entries()) {
		yield* noting(discoverDatabase(join(folder, name), Math.min(index, 1)), known);
	}
	if (agent.hasTrees) yield* discoverTrees(folder, known);
}

const SESSION_ID = /^ses_\w+$/;

const resume = (agent: FamilyAgent, request: ResumeRequest): ResumePlan => {
	const {id, cwd, parentId, location} = request;
	const {command} = agent;
	if (!SESSION_ID.test(id)) return {reason: `${id} is no session id of ${agent.label}`};
	if (request.isSubagent) {
		return parentId !== null && SESSION_ID.test(parentId)
			? {reason: `sub-agent session; resume the parent: ${command} --session ${parentId}`}
			: {reason: 'sub-agent session, not meant to be resumed'};
	}
	const name = basename(location);
	const isMain = name === agent.mainDatabase || !DATABASE_NAME.test(name);
	const argv = [command, '--session', id];
	return {
		argv,
		cwd: cwd !== null && (isAbsolute(cwd) || win32.isAbsolute(cwd)) ? cwd : null,
		// Builds of other channels keep databases of their own beside the main one.
		env: isMain ? request.resumeEnv : {...request.resumeEnv, [agent.databaseVariable]: location},
		...(agent.canFork ? {forkArgv: [...argv, '--fork']} : {}),
	};
};

const start = ({command}: FamilyAgent, request: StartRequest): ResumePlan => ({
	argv: [command, '--prompt', firstPrompt(request)],
	cwd: request.cwd,
	env: {},
});

export const createFamilyAdapter = (agent: FamilyAgent): Adapter => ({
	id: agent.id,
	label: agent.label,
	shortLabel: agent.shortLabel,
	parserVersion: agent.parserVersion,
	checked: agent.checked,
	// Forks copy records under new ids.
	hasGlobalKeys: false,
	roots: around => rootsOf(agent, around),
	discover: root => discoverRoot(root, folder => discoverFolder(agent, folder)),
	read: source =>
		isDatabaseSource(source)
			? readDatabaseSession(source, agent.dialect)
			: readTreeSession(source, agent.dialect),
	raw: rawRecord,
	rows: rowsOf,
	resume: request => resume(agent, request),
	...(agent.hasPrompt ? {start: (request: StartRequest) => start(agent, request)} : {}),
	...(agent.unattendedFlags ? {unattendedFlags: agent.unattendedFlags} : {}),
});
