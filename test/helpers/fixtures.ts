/**
 * Fixture homes: `fixtures/<agent id>/home` exactly as on disk, databases as SQL text in `sql/<path below home>.sql`,
 * `expected.json` (the neutral form of everything in it), an optional `env.json` (environment variables) and an optional
 * `projects.json` (directories that sessions of other agents were seen in). `{HOME}` stands for the home folder in these two and in
 * JSON documents of the home. Tests always work on a temporary copy.
 */
import {createHash} from 'node:crypto';
import {
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import Database from 'better-sqlite3';
import type {AdapterEvent, Problem, SessionFacts, Usage} from '../../adapters/model.js';
import type {Adapter, Batch, Cursor, Source, Surroundings} from '../../adapters/types.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
/** One time for all copied files, so that no expectation depends on when the project was checked out. */
const FILE_TIME_SECONDS = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;

export const fixtureFolder = (agent: string): string => join(FIXTURES, agent);
export const expectedPath = (agent: string): string => join(FIXTURES, agent, 'expected.json');

/** A home for one test, outside of the project; `dispose` removes it. */
export interface FixtureHome {
	readonly home: string;
	readonly around: Surroundings;
	dispose(): void;
}

export const surroundingsOf = (
	home: string,
	env: Readonly<Record<string, string>> = {},
): Surroundings => ({
	home,
	platform: 'linux',
	env: {HOME: home, ...env},
	extraRoots: [],
	projectDirs: [],
});

/** A JSON file of the fixture folder; undefined if there is none. */
const fixtureJson = (path: string, home: string): unknown =>
	existsSync(path) ? JSON.parse(readFileSync(path, 'utf8').replaceAll('{HOME}', home)) : undefined;

/** Documents such as registries name absolute paths. */
const fillDocuments = (home: string): void => {
	for (const path of filesBelow(home).filter(name => name.endsWith('.json'))) {
		const text = readFileSync(path, 'utf8');
		if (text.includes('{HOME}')) writeFileSync(path, text.replaceAll('{HOME}', home));
	}
};

/** Copies a fixture home; agents without one get an empty home. */
export const copyFixture = (agent: string): FixtureHome => copyFixtures([agent]);

/** Copies the homes of several agents into one, as on a machine that has them all. */
export const copyFixtures = (agents: readonly string[]): FixtureHome => {
	const home = emptyHome();
	for (const agent of agents) {
		const folder = fixtureFolder(agent);
		if (existsSync(join(folder, 'home'))) cpSync(join(folder, 'home'), home, COPY);
		if (existsSync(join(folder, 'sql'))) buildDatabases(join(folder, 'sql'), home);
	}
	fillDocuments(home);
	for (const path of filesBelow(home)) utimesSync(path, FILE_TIME_SECONDS, FILE_TIME_SECONDS);
	const stated = <T>(name: string): readonly T[] =>
		agents.flatMap(agent => (fixtureJson(join(fixtureFolder(agent), name), home) ?? []) as T);
	const env = Object.assign({}, ...stated<Record<string, string>>('env.json')) as Record<
		string,
		string
	>;
	return {
		home,
		around: {...surroundingsOf(home, env), projectDirs: stated<string>('projects.json')},
		dispose: () => removeHome(home),
	};
};

/** Two fixtures never hold the same file. */
const COPY = {recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false} as const;

/** Builds a database from SQL text; a folder that is missing is made. */
export const buildDatabase = (path: string, sql: string): void => {
	mkdirSync(dirname(path), {recursive: true});
	const database = new Database(path);
	try {
		database.exec(sql);
	} finally {
		database.close();
	}
};

const buildDatabases = (folder: string, home: string): void => {
	for (const path of filesBelow(folder)) {
		const target = join(home, relative(folder, path).replace(/\.sql$/, ''));
		buildDatabase(target, readFileSync(path, 'utf8'));
	}
};

export const emptyHome = (): string =>
	realpathSync(mkdtempSync(join(tmpdir(), 'backscroll-home-')));

export const removeHome = (home: string): void => rmSync(home, {recursive: true, force: true});

const namesBelow = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort();

/** Regular files below a folder, absolute, in a stable order. */
const filesBelow = (folder: string): readonly string[] =>
	namesBelow(folder)
		.map(name => join(folder, name))
		.filter(path => lstatSync(path).isFile());

/** Everything a reader could disturb below a folder: names, kinds, modes, sizes, file times, content. */
export const snapshotOf = (folder: string): Readonly<Record<string, string>> =>
	Object.fromEntries(
		namesBelow(folder).map(name => {
			const path = join(folder, name);
			const stat = lstatSync(path);
			const content = stat.isFile()
				? createHash('sha256').update(readFileSync(path)).digest('hex')
				: stat.isSymbolicLink()
					? readlinkSync(path)
					: 'folder';
			const times = stat.isFile() ? `${stat.mtimeMs} ${stat.ctimeMs}` : '';
			return [name, `${stat.mode} ${stat.isFile() ? stat.size : ''} ${times} ${content}`];
		}),
	);

export interface Found {
	readonly sources: readonly Source[];
	readonly problems: readonly Problem[];
}

/** All sources of all roots that exist, sorted by key. */
export const discoverAll = (adapter: Adapter, around: Surroundings): Found => {
	const sources: Source[] = [];
	const problems: Problem[] = [];
	for (const root of adapter.roots(around)) {
		if (!existsSync(root.path)) continue;
		for (const found of adapter.discover(root)) {
			if ('source' in found) sources.push(found.source);
			else problems.push(found.problem);
		}
	}
	return {sources: sources.sort((a, b) => (a.key < b.key ? -1 : 1)), problems};
};

/** The same source after its files changed: fresh stamps, nothing else. */
export const restamp = (source: Source): Source => ({
	...source,
	files: source.files.map(file => {
		const stat = statSync(file.path);
		return {...file, sizeBytes: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino};
	}),
});

/** What the store would hold of a source once all batches are applied. */
export interface Folded {
	readonly sessionId: string | null;
	readonly facts: SessionFacts;
	readonly events: readonly AdapterEvent[];
	readonly usage: readonly Usage[];
	readonly problems: readonly Problem[];
	readonly unknown: Readonly<Record<string, number>>;
}

const undo = (events: AdapterEvent[], {fromKey, toKey}: Batch['undo'][number]): void => {
	const from = events.findIndex(event => event.key === fromKey);
	if (from === -1) return;
	const to = toKey === undefined ? -1 : events.findIndex(event => event.key === toKey);
	for (let index = from; index < (to === -1 ? events.length : to); index++) {
		const event = events[index];
		if (event) events[index] = {...event, state: 'undone'};
	}
};

/** Applies batches as the store does: events by key (first position, newest content), usage by key (last wins), then undo. */
export const foldBatches = (batches: readonly Batch[]): Folded => {
	const events: AdapterEvent[] = [];
	const places = new Map<string, number>();
	const usage = new Map<string, Usage>();
	const problems: Problem[] = [];
	const unknown: Record<string, number> = {};
	for (const batch of batches) {
		for (const event of batch.events) {
			const place = places.get(event.key) ?? events.length;
			places.set(event.key, place);
			events[place] = event;
		}
		for (const entry of batch.usage) usage.set(entry.key, entry);
		problems.push(...batch.problems);
		for (const [kind, count] of Object.entries(batch.unknown)) {
			unknown[kind] = (unknown[kind] ?? 0) + count;
		}
		for (const entry of batch.undo) undo(events, entry);
	}
	const last = batches.at(-1);
	return {
		sessionId: last?.sessionId ?? null,
		facts: last?.facts ?? {},
		events,
		usage: [...usage.values()],
		problems,
		unknown,
	};
};

/** All batches of a source; the cursor goes through JSON, as it does in the store. */
export const readBatches = (adapter: Adapter, source: Source, from?: Cursor): readonly Batch[] => [
	...adapter.read(
		source,
		from === undefined ? undefined : (JSON.parse(JSON.stringify(from)) as Cursor),
	),
];

export const readFolded = (adapter: Adapter, source: Source): Folded =>
	foldBatches(readBatches(adapter, source));

/** Plain JSON with `{HOME}` in place of the home folder, as `expected.json` holds it. */
export const neutral = (value: unknown, home: string): unknown =>
	JSON.parse(
		JSON.stringify(value).replaceAll(JSON.stringify(home).slice(1, -1), '{HOME}'),
	) as unknown;

/** The neutral form of a whole home. */
export const neutralForm = (adapter: Adapter, {home, around}: FixtureHome): unknown => {
	const {sources, problems} = discoverAll(adapter, around);
	return neutral(
		{
			sources: sources.map(source => ({
				key: relative(home, source.key),
				...(source.outside === undefined ? {} : {outside: source.outside}),
				...readFolded(adapter, source),
			})),
			...(problems.length === 0 ? {} : {problems}),
		},
		home,
	);
};
