// `npm run bench -- HOME...`: measured value, target, pass or miss for each row of the targets table.
// HOME is a folder with agent stores as a corpus generator leaves them (`manifest.json` with needles beside them if there is one).
// Ratios inside one run count; milliseconds are printed for information. Each measurement runs in a process of its own.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {build} from 'esbuild';

const homes = process.argv
	.slice(2)
	.filter(word => !word.startsWith('--'))
	.map(home => resolve(home));
if (homes.length === 0 || homes.some(home => !existsSync(home))) {
	console.error(
		'usage: npm run bench -- HOME...   (a folder with agent stores, such as a generated corpus)',
	);
	process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'backscroll-bench-'));
const bundle = join(scratch, 'measure.mjs');
await build({
	entryPoints: ['bench/measure.ts'],
	outfile: bundle,
	bundle: true,
	format: 'esm',
	platform: 'node',
	target: 'node20',
	external: ['better-sqlite3', 'node-pty'],
	define: {__VERSION__: '"bench"'},
	banner: {
		js: `import {createRequire} from 'node:module'; const require = createRequire(${JSON.stringify(join(process.cwd(), 'package.json'))});`,
	},
	plugins: [
		{
			// The bundle lies outside of the project: packages with binaries are named by their place.
			name: 'by-place',
			setup: build =>
				build.onResolve({filter: /^(better-sqlite3|node-pty)$/}, ({path}) => ({
					path: join(
						process.cwd(),
						'node_modules',
						path,
						path === 'node-pty' ? 'lib/index.js' : 'lib/index.js',
					),
					external: true,
				})),
		},
	],
	logLevel: 'warning',
});

/** Runs one measurement; its last line on stdout is JSON. */
const measure = (name, ...args) => {
	const run = spawnSync(process.execPath, ['--expose-gc', bundle, name, ...args], {
		encoding: 'utf8',
		maxBuffer: 1 << 26,
	});
	if (run.status !== 0) throw new Error(`${name}: ${run.stderr}`);
	return JSON.parse(run.stdout.trim().split('\n').at(-1));
};

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const repeat = (times, action) => median(Array.from({length: times}, action));

const rows = [];
const row = (home, number, what, value, limit, unit, isPass = value <= limit) =>
	rows.push({
		home,
		number,
		what,
		value: `${format(value)} ${unit}`,
		target:
			limit === undefined
				? '–'
				: `${[18, 20, 'scan', 'mirror speed'].includes(number) ? '≥' : '≤'} ${format(limit)} ${unit}`,
		verdict: limit === undefined ? '' : isPass ? 'pass' : 'MISS',
	});
const format = number =>
	Math.abs(number) >= 100
		? number.toFixed(0)
		: Math.abs(number) >= 10
			? number.toFixed(1)
			: number.toFixed(2);

const plainFiles = home =>
	execFileSync('find', [home, '-name', '*.jsonl', '-type', 'f'], {
		encoding: 'utf8',
		maxBuffer: 1 << 28,
	})
		.trim()
		.split('\n');
/** Wall clock of the plainest search, in ms. */
const grepAll = files => {
	const begun = process.hrtime.bigint();
	spawnSync('sh', ['-c', 'xargs cat | grep -c zzzzqq'], {input: files.join('\n')});
	return Number(process.hrtime.bigint() - begun) / 1e6;
};
const gzipRatio = files => {
	const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
	const packed = execFileSync('sh', ['-c', 'xargs -n 1 gzip -9 -c | wc -c'], {
		input: files.join('\n'),
	});
	return Number(packed) / size;
};
const sizeOf = folder =>
	readdirSync(folder, {withFileTypes: true, recursive: true}).reduce(
		(sum, entry) =>
			entry.isFile() && /\.jsonl(\.zst)?$/.test(entry.name)
				? sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size
				: sum,
		0,
	);

for (const home of homes) {
	const data = join(scratch, 'data');
	rmSync(data, {recursive: true, force: true});
	const label = home.split('/').at(-1);
	console.error(`${label}: ${(sizeOf(home) / 1e6).toFixed(0)} MB of files`);

	const b1 = repeat(3, () => measure('parse-every-line', home).cpuS);
	const b2 = repeat(5, () => {
		const begun = process.hrtime.bigint();
		execFileSync('find', [home, '-type', 'f', '-newer', process.execPath], {
			stdio: ['ignore', 'ignore', 'ignore'],
		});
		return Number(process.hrtime.bigint() - begun) / 1e6;
	});
	const b4 = repeat(3, () => grepAll(plainFiles(home)));
	row(label, 'B1', 'parse every line, CPU', b1, undefined, 's');
	row(label, 'B2', 'find -newer, wall', b2, undefined, 'ms');
	row(label, 'B4', 'cat | grep -c, wall', b4, undefined, 'ms');

	const first = measure('import', home, data);
	const sourceMb = first.readMb;
	row(label, '', 'transcripts, decompressed', sourceMb, undefined, 'MB');
	row(
		label,
		1,
		`first import, CPU (${format(first.cpuS)} s, ${format(sourceMb / first.wallS)} MB/s wall)`,
		first.cpuS / b1,
		4.5,
		'× B1',
	);
	row(
		label,
		1,
		'first import, source per CPU second',
		sourceMb / first.cpuS,
		20,
		'MB/s',
		sourceMb / first.cpuS >= 20,
	);
	const mirror = measure('mirror', home, data);
	row(label, 'mirror', 'mirror ÷ source', mirror.mirrorMb / mirror.rawMb, 0.2, '');
	row(
		label,
		'mirror',
		'mirror ÷ gzip -9 of each transcript',
		mirror.mirrorMb / mirror.rawMb / gzipRatio(plainFiles(home)),
		0.95,
		'',
	);
	row(
		label,
		'mirror speed',
		`mirror pass, source per CPU second (${format(mirror.cpuS)} s)`,
		mirror.rawMb / mirror.cpuS,
		20,
		'MB/s',
		mirror.rawMb / mirror.cpuS >= 20,
	);
	const searchable = state =>
		repeat(3, () => {
			const fresh = mkdtempSync(join(scratch, 'mirror-'));
			const {cpuS} = measure('time-to-searchable', home, fresh, state);
			rmSync(fresh, {recursive: true});
			return cpuS;
		});
	row(
		label,
		'mirror',
		'CPU until searchable, mirror on ÷ off',
		searchable('on') / searchable('off'),
		1.1,
		'×',
	);
	const passes = Array.from({length: 3}, () => measure('sync', home, data));
	const noop = median(passes.map(({ms}) => ms));
	row(label, 3, `no-op sync (${format(noop)} ms)`, noop / b2, 4, '× B2');
	const idle = median(passes.map(({ms, fewMs}) => ms - fewMs));
	row(label, 'agents', 'a pass: 48 agents that are not there', idle, 10, 'ms more');
	const append = measure('append', home, data);
	row(
		label,
		4,
		`5 files grown → searchable (${format(append.ms)} ms, ${append.read} read)`,
		append.ms - noop,
		150,
		'ms over a no-op',
	);
	row(label, 15, 'memory while importing', first.rssMb, 350, 'MB');
	row(label, 16, 'full-text tables ÷ source', first.indexMb / sourceMb, 0.24, '');
	row(label, 16, 'full-text tables ÷ text', first.indexMb / first.textMb, 0.8, '');
	row(label, 17, 'database ÷ source', first.databaseMb / sourceMb, 0.7, '');

	const keys = measure('keystrokes', home, data);
	row(
		label,
		5,
		`keystroke → rows, ≥ 3 characters, p95 (p50 ${format(keys.long.p50)})`,
		keys.long.p95,
		Math.min(50, sourceMb > 800 ? b4 / 30 : 50),
		'ms',
	);
	row(
		label,
		6,
		`keystroke → rows, 1–2 characters, p95 (p50 ${format(keys.short.p50)})`,
		keys.short.p95,
		20,
		'ms',
	);
	row(label, 7, `ranked answer, p95 (p50 ${format(keys.ranked.p50)})`, keys.ranked.p95, 120, 'ms');
	if (keys.needles > 0)
		row(
			label,
			18,
			`needles found (${keys.found} of ${keys.needles}${keys.missed.length > 0 ? `; not ${keys.missed.slice(0, 5).join(', ')}` : ''})`,
			(100 * keys.found) / keys.needles,
			100,
			'%',
			keys.found === keys.needles,
		);

	const claude = join(home, '.claude');
	if (existsSync(claude)) {
		const files = plainFiles(claude);
		const mb = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
		const grepMs = repeat(3, () => grepAll(files));
		const {mbPerS} = measure('deep-scan', home, data);
		row(
			label,
			'scan',
			`raw records ÷ cat | grep -c (${format(mbPerS)} MB/s)`,
			(mbPerS * grepMs) / 1000 / mb,
			0.5,
			'×',
			(mbPerS * grepMs) / 1000 / mb >= 0.5,
		);
	}

	const busy = measure('typing-while-importing', home, join(scratch, 'busy'));
	row(
		label,
		8,
		'keystroke while importing, p95 ÷ idle',
		busy.p95 / Math.max(keys.long.p95, 1),
		3,
		'×',
	);
	row(label, 9, 'timer lateness while importing, p99', busy.lateP99, 25, 'ms');
	row(label, 9, 'timer lateness while importing, max', busy.lateMax, 100, 'ms');

	const screen = measure('screen', home, data);
	row(
		label,
		11,
		`first useful frame, CPU (${format(screen.firstFrameCpuMs)} ms)`,
		screen.firstFrameCpuMs / screen.bareNodeCpuMs,
		4,
		'× B3',
	);
	row(label, 12, 'key → frame, p95', screen.keyP95Ms, 50, 'ms');
	row(
		label,
		13,
		'bytes per selection move ÷ frame',
		(100 * screen.moveBytes) / screen.frameBytes,
		12,
		'%',
	);
	row(
		label,
		14,
		`largest session opens (${screen.largestEvents} events)`,
		screen.openMs,
		3 * screen.keyP50Ms + 30,
		'ms',
	);
	row(label, 15, 'memory idle, app with workers', screen.rssMb, 250, 'MB');
}
rmSync(scratch, {recursive: true, force: true});

const width = key => Math.max(...rows.map(each => String(each[key]).length));
for (const each of rows)
	console.log(
		['home', 'number', 'what', 'value', 'target', 'verdict']
			.map(key => String(each[key]).padEnd(width(key)))
			.join('  ')
			.trimEnd(),
	);
const missed = rows.filter(({verdict}) => verdict === 'MISS').length;
console.log(`${rows.filter(({verdict}) => verdict === 'pass').length} pass, ${missed} miss`);
