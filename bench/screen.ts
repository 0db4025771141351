/** Measures the built app in a pseudo-terminal: start, keys, a long transcript. */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {performance} from 'node:perf_hooks';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawn} from 'node-pty';
import {openStore} from '../store/open.js';

const COLUMNS = 120;
const ROWS = 50;
const CLOCK_TICKS = 100;

/** CPU of a process so far in ms (Linux). */
const cpuMs = (pid: number): number => {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
};

const residentMb = (pid: number): number =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const openApp = (home: string, data: string, words: readonly string[] = []) => {
	const env = {
		PATH: process.env['PATH'] ?? '',
		HOME: home,
		BACKSCROLL_HOME: data,
		TERM: 'xterm-256color',
		LANG: 'C.UTF-8',
	};
	const app = spawn(process.execPath, ['dist/cli.js', ...words], {
		cols: COLUMNS,
		rows: ROWS,
		env,
		cwd: process.cwd(),
	});
	let received = '';
	let lastMs = performance.now();
	app.onData(chunk => {
		received += chunk;
		lastMs = performance.now();
	});
	return {
		app,
		take(): string {
			const now = received;
			received = '';
			return now;
		},
		/** Waits for output that has `text`. */
		async until(text: string | RegExp): Promise<void> {
			const endMs = performance.now() + 60_000;
			while (!(typeof text === 'string' ? received.includes(text) : text.test(received))) {
				if (performance.now() > endMs)
					throw new Error(`no ${text} in ${JSON.stringify(received.slice(-400))}`);
				await sleep(2);
			}
		},
		/** Waits until nothing was written for a while, from now on. */
		async quiet(ms = 250): Promise<void> {
			lastMs = performance.now();
			while (performance.now() - lastMs < ms) await sleep(10);
		},
	};
};

const median = (values: readonly number[]): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const bareNodeCpuMs = (): number =>
	median(
		Array.from({length: 5}, () => {
			const {stdout} = spawnSync(
				process.execPath,
				['-e', 'const u = process.cpuUsage(); console.log((u.user + u.system) / 1000)'],
				{encoding: 'utf8'},
			);
			return Number(stdout);
		}),
	);

export const measureScreen = async (home: string, data: string) => {
	const database = openStore(data);
	const {title} = database
		.prepare(
			"SELECT title FROM session WHERE hidden_by IS NULL AND kind = 'main' ORDER BY updated_at DESC LIMIT 1",
		)
		.get() as {title: string};
	const largest = database
		.prepare(
			"SELECT native_id AS id, events, title FROM session WHERE hidden_by IS NULL AND kind = 'main' ORDER BY events DESC LIMIT 1",
		)
		.get() as {id: string; events: number; title: string};
	database.close();
	const firstFrames: number[] = [];
	for (let round = 0; round < 5; round++) {
		const {app, until} = openApp(home, data);
		await until(title.slice(0, 12));
		firstFrames.push(cpuMs(app.pid));
		app.kill();
		await sleep(50);
	}

	const screen = openApp(home, data);
	await screen.until(title.slice(0, 12));
	await screen.quiet(1500);
	screen.take();
	const keyTimes: number[] = [];
	const move = async (index: number): Promise<number> => {
		const begun = performance.now();
		screen.app.write(index % 10 < 5 ? '\u001b[B' : '\u001b[A');
		await screen.until(/./s);
		keyTimes.push(performance.now() - begun);
		await screen.quiet(60);
		return screen.take().length;
	};
	for (let index = 0; index < 30; index++) await move(index);
	// The preview changes with the selection: what a move costs by itself is seen without it.
	screen.app.write('\u0016');
	await screen.quiet(400);
	screen.take();
	const moves: number[] = [];
	for (let index = 0; index < 10; index++) moves.push(await move(index));
	const rssMb = residentMb(screen.app.pid);
	screen.app.resize(COLUMNS - 1, ROWS);
	await screen.quiet(600);
	screen.take();
	screen.app.resize(COLUMNS, ROWS);
	await screen.until('\u001b[2J');
	await screen.quiet(600);
	// What follows the clear is one whole frame.
	const frameBytes = screen.take().split('\u001b[2J').at(-1)?.length ?? 0;

	screen.app.write(`id:${largest.id}`);
	await screen.quiet(600);
	screen.take();
	const begun = performance.now();
	screen.app.write('\r');
	await screen.until('unfold');
	const openMs = performance.now() - begun;
	screen.app.kill();
	const sorted = keyTimes.toSorted((a, b) => a - b);
	return {
		bareNodeCpuMs: bareNodeCpuMs(),
		firstFrameCpuMs: median(firstFrames),
		keyP50Ms: median(keyTimes),
		keyP95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
		moveBytes: median(moves),
		frameBytes,
		openMs,
		largestEvents: largest.events,
		rssMb,
	};
};
