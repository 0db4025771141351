// `npm run test:kill -- [RUNS]`: kills `backscroll sync` at random moments of reading and of mirroring, lets the next one go on, and
// looks at what is left. A store that does not verify, a record that is gone or there twice, or a mirror that gives other bytes back
// fails it.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import Database from 'better-sqlite3';

const runs = Number(process.argv[2] ?? 200);
/** A data folder is begun anew after so many, so that first imports are killed as well. */
const RUNS_PER_STORE = 8;
const SESSIONS = 60;
const PROGRAM = resolve('dist/cli.js');

const folder = mkdtempSync(join(tmpdir(), 'backscroll-kill-'));
const home = join(folder, 'home');
const projects = join(home, '.claude', 'projects', '-home-ada-tides');

let seed = 7;
/** The same moments in every run of this script, as far as the machine goes. */
const random = () => {
	seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
	return seed / 2 ** 32;
};
const below = limit => Math.floor(random() * limit);

const idOf = n => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const fileOf = n => join(projects, `${idOf(n)}.jsonl`);
let counter = 0;
const line = n => {
	counter++;
	const uuid = `11111111-1111-4111-8111-${String(counter).padStart(12, '0')}`;
	const role = counter % 2 ? 'user' : 'assistant';
	return `${JSON.stringify({
		type: role,
		uuid,
		parentUuid: null,
		sessionId: idOf(n),
		cwd: '/home/ada/tides',
		timestamp: new Date(1_790_000_000_000 + counter * 1000).toISOString(),
		message: {
			role,
			content: [{type: 'text', text: `seabird ${counter} ${'and so on '.repeat(below(900))}`}],
		},
	})}\n`;
};
const lines = (n, count) => Array.from({length: count}, () => line(n)).join('');

/** What happens to transcripts between two passes. */
const changes = [
	n => appendFileSync(fileOf(n), lines(n, 1 + below(20))),
	n => writeFileSync(fileOf(n), lines(n, 1 + below(20))),
	n => rmSync(fileOf(n), {force: true}),
	n => {
		if (existsSync(fileOf(n)))
			writeFileSync(fileOf(n), readFileSync(fileOf(n)).subarray(0, -below(400)));
	},
];
const change = () => {
	for (let n = 0; n < SESSIONS; n++) {
		if (!existsSync(fileOf(n))) writeFileSync(fileOf(n), lines(n, 5 + below(30)));
		else if (random() < 0.4) changes[below(changes.length)]?.(n);
	}
};

const envOf = data => ({HOME: home, PATH: process.env.PATH, BACKSCROLL_HOME: data, TZ: 'UTC'});
const run = (data, ...words) =>
	spawnSync(process.execPath, [PROGRAM, ...words], {env: envOf(data), encoding: 'utf8'});

const query = (data, sql) => {
	const database = new Database(join(data, 'history.db'), {readonly: true});
	try {
		return database.prepare(sql).all();
	} finally {
		database.close();
	}
};

/** Whether the mirror is being written just now. */
const isMirroring = data => {
	try {
		return query(data, "SELECT 1 FROM meta WHERE key = 'mirroring'").length > 0;
	} catch {
		return false; // no store yet, or none that has a table
	}
};

const POLL_MS = 2;
/** Half of the kills are meant for the mirror, which is the shorter part. @returns where it hit */
const killSync = async (data, isForMirror) => {
	const child = spawn(process.execPath, [PROGRAM, 'sync'], {env: envOf(data), stdio: 'ignore'});
	let isOver = false;
	const exit = once(child, 'exit').then(() => {
		isOver = true;
	});
	if (isForMirror) while (!isOver && !isMirroring(data)) await sleep(POLL_MS);
	await Promise.race([exit, sleep(isForMirror ? below(60) : 100 + below(250))]);
	if (isOver) return 'late';
	const isInMirror = isMirroring(data);
	child.kill('SIGKILL');
	await exit;
	return isInMirror ? 'mirroring' : 'reading';
};

class Failure extends Error {}
const must = (isTrue, what) => {
	if (!isTrue) throw new Failure(what);
};

/** Record → its session, of everything that the store holds. */
const held = data =>
	new Map(
		query(
			data,
			"SELECT key, native_id AS id FROM event JOIN session ON session.id = session_id WHERE key GLOB '11111111-*'",
		).map(({key, id}) => [key, id]),
	);

/** What stands in a transcript whole: one that was cut off in a line and grew again holds a line that is none. */
const recordsOf = n =>
	(existsSync(fileOf(n)) ? readFileSync(fileOf(n), 'utf8').split('\n') : []).flatMap(text => {
		try {
			return JSON.parse(text).uuid;
		} catch {
			return [];
		}
	});

const look = (data, seen) => {
	const sync = run(data, 'sync');
	must(sync.status === 0, `the next sync ended with ${sync.status}: ${sync.stderr}`);
	const verify = run(data, 'mirror', 'verify');
	must(verify.status === 0, `mirror verify: ${verify.stdout}${verify.stderr}`);
	must(query(data, 'PRAGMA integrity_check')[0].integrity_check === 'ok', 'integrity check');
	const twice = query(data, 'SELECT key FROM event GROUP BY key HAVING count(*) > 1');
	must(twice.length === 0, `${twice.length} records are there twice`);
	const now = held(data);
	for (const key of seen) must(now.has(key), `${key} was seen and is gone`);
	for (let n = 0; n < SESSIONS; n++)
		for (const uuid of recordsOf(n))
			must(now.has(uuid), `${uuid} stands in ${idOf(n)} and was not read`);
	for (const key of now.keys()) seen.add(key);
};

/** Takes a transcript away and puts it back. */
const restore = data => {
	const n = Array.from({length: SESSIONS}, (_, n) => n).find(n => existsSync(fileOf(n)));
	const before = readFileSync(fileOf(n));
	rmSync(fileOf(n));
	const restored = run(data, 'restore', idOf(n));
	must(restored.status === 0, `restore: ${restored.stderr}`);
	must(readFileSync(fileOf(n)).equals(before), 'restored bytes are others');
};

mkdirSync(projects, {recursive: true});
const hits = {reading: 0, mirroring: 0, late: 0};
let data = '';
let seen = new Set();
try {
	// A sync that was over too soon does not count.
	for (let n = 0; n < runs + hits.late; n++) {
		if (n % RUNS_PER_STORE === 0) {
			data = join(folder, `store-${n}`);
			seen = new Set();
		}
		change();
		const where = await killSync(data, n % 2 === 1);
		hits[where]++;
		try {
			look(data, seen);
			if (n % RUNS_PER_STORE === RUNS_PER_STORE - 1) restore(data);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			console.error(
				`run ${n}, killed while ${where}: ${error.message}; left as it is in ${folder}`,
			);
			process.exit(1);
		}
		if ((n + 1) % 20 === 0) console.log(`${n + 1 - hits.late} of ${runs}`);
	}
} finally {
	if (process.exitCode === undefined) rmSync(folder, {recursive: true, force: true});
}
console.log(
	`${runs} runs: ${hits.reading} killed while reading, ${hits.mirroring} while mirroring, ${hits.late} more were over too soon; nothing lost, every store verifies`,
);
