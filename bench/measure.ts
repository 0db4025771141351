/** One measurement per process: `node measure.mjs NAME ARGS` prints its figures as JSON. Called by `bench/run.mjs`. */
import {
	appendFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
} from 'node:fs';
import {join, resolve} from 'node:path';
import {monitorEventLoopDelay, performance} from 'node:perf_hooks';
import {Worker} from 'node:worker_threads';
import {adapters} from '../adapters/registry.js';
import {readJsonLines} from '../adapters/shared/jsonl.js';
import {findContents} from '../source/archive/contents.js';
import {keepHeapSmall} from '../source/commands/engine-flags.js';
import {deepScan} from '../source/deep-scan/scan.js';
import {mirrorFacts, mirrorPass} from '../store/archive/mirror.js';
import type {Library} from '../store/library.js';
import {openStore} from '../store/open.js';
import {createLibrary} from '../store/read/library.js';
import {type SyncOptions, syncPass} from '../store/sync/engine.js';
import type {FromSyncWorker, SyncWorkerData} from '../store/sync/protocol.js';
import {measureScreen} from './screen.js';

const NOW_MS = Date.now();
const print = (figures: unknown): void => {
	process.stdout.write(`${JSON.stringify(figures)}\n`);
};
const cpuSeconds = (): number => {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1e6;
};
const optionsFor = (home: string): SyncOptions => ({
	adapters,
	surroundings: () => ({
		home,
		platform: process.platform,
		env: {},
		extraRoots: [],
		projectDirs: [],
	}),
	now: () => Date.now(),
});

const transcripts = (home: string): readonly string[] =>
	readdirSync(home, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile() && entry.name.endsWith('.jsonl'))
		.map(entry => join(entry.parentPath, entry.name));

/** Reference B1: the plainest way to parse every line. */
const parseEveryLine = (home: string): void => {
	const before = cpuSeconds();
	let lines = 0;
	for (const file of transcripts(home))
		for (const line of readFileSync(file, 'utf8').split('\n')) {
			if (line === '') continue;
			JSON.parse(line);
			lines++;
		}
	print({cpuS: cpuSeconds() - before, lines});
};

const importAll = async (home: string, data: string): Promise<void> => {
	const before = cpuSeconds();
	const begunMs = performance.now();
	const database = openStore(data);
	await syncPass(database, optionsFor(home));
	const cpuS = cpuSeconds() - before;
	const wallS = (performance.now() - begunMs) / 1000;
	const one = (sql: string): number =>
		Number(Object.values(database.prepare(sql).get() as object)[0]);
	const indexMb = one("SELECT sum(pgsize) FROM dbstat WHERE name GLOB '*_fts*'") / 1e6;
	// Compressed transcripts count as what they hold.
	const readMb = one('SELECT sum(max(offset, size)) FROM source') / 1e6;
	const textMb = one('SELECT sum(full_length) FROM event') / 1e6;
	database.pragma('wal_checkpoint(TRUNCATE)');
	print({
		cpuS,
		wallS,
		indexMb,
		textMb,
		readMb,
		databaseMb: statSync(join(data, 'history.db')).size / 1e6,
		rssMb: process.resourceUsage().maxRSS / 1024,
	});
};

/** The mirror pass as after a first import, without its pauses. */
const mirrorAll = async (_home: string, data: string): Promise<void> => {
	const database = openStore(data);
	const before = cpuSeconds();
	const {bytes} = await mirrorPass(database, {
		folder: data,
		adapters,
		findContents,
		now: () => Date.now(),
	});
	const cpuS = cpuSeconds() - before;
	const {sizeBytes} = mirrorFacts(database, data);
	print({cpuS, rawMb: bytes / 1e6, mirrorMb: sizeBytes / 1e6});
};

/** CPU until the built worker says that everything is searchable, with the mirror on or off. */
const timeToSearchable = async (home: string, data: string, mirror: string): Promise<void> => {
	openStore(data).close();
	const before = cpuSeconds();
	const worker = startSyncWorker(home, data, {isMirroring: mirror === 'on'});
	await firstPass(worker);
	print({cpuS: cpuSeconds() - before});
	await worker.terminate();
};

const startSyncWorker = (
	home: string,
	data: string,
	more: Pick<SyncWorkerData, 'isMirroring'> = {},
): Worker => {
	const workerData: SyncWorkerData = {
		folder: data,
		home,
		platform: process.platform,
		env: {},
		extraRoots: [],
		...more,
	};
	const worker = new Worker(resolve('dist/sync-worker.js'), {workerData});
	worker.postMessage({type: 'sync'});
	return worker;
};

const firstPass = (worker: Worker): Promise<void> =>
	new Promise<void>((accept, reject) => {
		worker.on('message', (message: FromSyncWorker) => {
			if (message.type === 'failed') reject(new Error(message.message));
			else if (message.type === 'done') accept();
		});
		worker.on('error', reject);
	});

const syncAgain = async (home: string, data: string): Promise<void> => {
	const database = openStore(data);
	const all = optionsFor(home);
	const few = {...all, adapters: adapters.filter(({id}) => id === 'claude-code' || id === 'codex')};
	await syncPass(database, all); // warm: statements and folders
	const passes: {all: number[]; few: number[]} = {all: [], few: []};
	const timed = async (options: SyncOptions): Promise<number> => {
		const begunMs = performance.now();
		await syncPass(database, options);
		return performance.now() - begunMs;
	};
	for (let round = 0; round < 7; round++) {
		passes.few.push(await timed(few));
		passes.all.push(await timed(all));
	}
	const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[3] ?? 0;
	print({ms: middle(passes.all), fewMs: middle(passes.few)});
};

/** Five transcripts grow by the lines they already end in; afterwards they are cut back. */
const append = async (home: string, data: string): Promise<void> => {
	const database = openStore(data);
	await syncPass(database, optionsFor(home));
	const grown = transcripts(join(home, '.claude', 'projects'))
		.filter(file => !file.includes('subagents'))
		.slice(0, 5)
		.map(file => ({file, size: statSync(file).size, tail: lastLine(file)}));
	for (const {file, tail} of grown)
		appendFileSync(file, tail.replaceAll(/"uuid":"[^"]{4}/g, '"uuid":"feed'));
	const {ms, agents} = await syncPass(database, optionsFor(home));
	for (const {file, size} of grown) truncateSync(file, size);
	await syncPass(database, optionsFor(home));
	print({ms, read: agents.reduce((sum, agent) => sum + agent.read, 0)});
};

const lastLine = (file: string): string => {
	let last = '';
	for (const line of readJsonLines(file, {offset: 0, lineNumber: 0}))
		if (line.record) last = JSON.stringify(line.record);
	return `${last}\n`;
};

interface Needle {
	readonly kind: string;
	readonly query: string;
	readonly session: string;
}

const needlesOf = (home: string): readonly Needle[] => {
	const manifest = join(home, 'manifest.json');
	if (!existsSync(manifest)) return [];
	const {needles} = JSON.parse(readFileSync(manifest, 'utf8')) as {needles: readonly Needle[]};
	return needles;
};

const COMMON = [
	'error',
	'the test',
	'deadlock',
	'retry budget',
	'src/app',
	'cache invalidation',
	'function',
	'this error',
	// Beginnings of very many words, and slips that have to be found out first.
	'con',
	'sta',
	'functon',
];

/** Words to type: what the corpus holds for certain, and common ones; at least 200 queries. */
const queriesOf = (home: string): readonly string[] => {
	const words = [...needlesOf(home).map(({query}) => query.slice(0, 24)), ...COMMON];
	return Array.from(
		{length: Math.max(200, words.length)},
		(_, index) => words[index % words.length] ?? 'error',
	);
};

const request = (query: string, limit = 50) => ({query, filters: {}, limit, nowMs: NOW_MS});

const timed = (action: () => unknown): number => {
	const begun = performance.now();
	action();
	return performance.now() - begun;
};

const quantiles = (values: readonly number[]) => {
	const sorted = values.toSorted((a, b) => a - b);
	const quantile = (part: number) =>
		sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
	return {p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: sorted.at(-1) ?? 0};
};

/** Every prefix of every query, as typed. */
const typeAll = (library: Library, queries: readonly string[]) => {
	const short: number[] = [];
	const long: number[] = [];
	for (const query of queries)
		for (let length = 1; length <= query.length; length++) {
			const typed = query.slice(0, length);
			const lastWord = typed.split(/\s+/).at(-1) ?? '';
			(lastWord.length < 3 ? short : long).push(
				timed(() => library.list({...request(typed), isTyping: true})),
			);
		}
	return {short, long};
};

const keystrokes = (home: string, data: string): void => {
	const library = createLibrary(openStore(data));
	library.list(request('warm'));
	const queries = queriesOf(home);
	const {short, long} = typeAll(library, queries);
	const ranked = queries.map(query =>
		timed(() => library.search({...request(query), sort: 'relevance'})),
	);
	const needles = needlesOf(home);
	const missed = needles.filter(({query, session}) => {
		const {hits} = library.search(request(query, 200));
		return !hits.some(
			hit =>
				hit.session.id === session ||
				hit.session.id.startsWith(`${session}/`) ||
				hit.session.parent?.ref.endsWith(session),
		);
	});
	print({
		short: quantiles(short),
		long: quantiles(long),
		ranked: quantiles(ranked),
		needles: needles.length,
		found: needles.length - missed.length,
		missed: missed.map(({kind, query}) => `${kind} ${query}`),
	});
};

/** The plain transcripts of one agent, so that `cat | grep` has the same to do. */
const scanRaw = (_home: string, data: string): void => {
	const database = openStore(data);
	const speeds = Array.from({length: 5}, () => {
		const {steps} = deepScan(
			database,
			{...request('zzzzqq'), filters: {agents: ['claude-code']}},
			{adapters, now: () => performance.now()},
		);
		let speed = 0;
		for (const step of steps)
			if (step.kind === 'progress')
				speed = step.progress.scannedBytes / 1000 / Math.max(1, step.progress.elapsedMs);
		return speed;
	});
	print({mbPerS: speeds.toSorted((a, b) => a - b)[2]});
};

/** The built sync worker imports from nothing while this thread types and watches its own timer. */
const typingWhileImporting = async (home: string, data: string): Promise<void> => {
	openStore(data).close();
	const delay = monitorEventLoopDelay({resolution: 10});
	const worker = startSyncWorker(home, data);
	const done = firstPass(worker);
	delay.enable();
	const searching = new Worker(new URL(import.meta.url), {argv: ['type-until-told', home, data]});
	const typed = new Promise<readonly number[]>(accept => searching.on('message', accept));
	await done;
	delay.disable();
	searching.postMessage('stop');
	const times = await typed;
	await worker.terminate();
	await searching.terminate();
	print({
		...quantiles(times),
		lateP99: delay.percentile(99) / 1e6 - 10,
		lateMax: delay.max / 1e6 - 10,
	});
};

/** A thread that types queries with pauses until it is told to stop; answers with the times of all keystrokes. */
const typeUntilTold = async (home: string, data: string): Promise<void> => {
	const {parentPort} = await import('node:worker_threads');
	const library = createLibrary(openStore(data));
	const queries = queriesOf(home);
	const times: number[] = [];
	let isStopped = false;
	parentPort?.once('message', () => {
		isStopped = true;
	});
	for (let index = 0; !isStopped; index = (index + 1) % queries.length) {
		const query = queries[index] ?? '';
		for (let length = 3; length <= query.length && !isStopped; length++) {
			times.push(timed(() => library.list({...request(query.slice(0, length)), isTyping: true})));
			await new Promise(accept => setTimeout(accept, 30));
		}
	}
	parentPort?.postMessage(times);
};

const [name = '', home = '', data = '', more = ''] = process.argv.slice(2);

const measurements: Readonly<
	Record<string, (home: string, data: string, more: string) => void | Promise<void>>
> = {
	'parse-every-line': parseEveryLine,
	import: importAll,
	mirror: mirrorAll,
	'time-to-searchable': timeToSearchable,
	sync: syncAgain,
	append,
	keystrokes,
	'deep-scan': scanRaw,
	'typing-while-importing': typingWhileImporting,
	'type-until-told': typeUntilTold,
	screen: async (home, data) => print(await measureScreen(home, data)),
};

// As in the program.
if (name !== 'parse-every-line') keepHeapSmall();

await measurements[name]?.(home, data, more);
