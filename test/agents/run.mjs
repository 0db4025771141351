/**
 * The proof with the real agents: installs each from npm into a folder of its own, lets it make a session against a model server on
 * loopback, and goes on with that session through backscroll in a pseudo-terminal. Not part of `npm test`: it needs npm's registry.
 *
 *   npm run test:agents [-- --folder DIR] [AGENT[@VERSION]...]
 *
 * With --folder the packages stay there for the next run. After the installation everything runs in a network namespace that has
 * nothing but loopback; where that cannot be had, nothing is run.
 */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {agents} from './agents.mjs';

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {folder: {type: 'string'}, inside: {type: 'boolean'}},
});

/** `codex@0.170.0` is Codex in another version. */
const chosen =
	positionals.length === 0
		? agents
		: positionals.map(word => {
				const [id, version] = word.split('@');
				const agent = agents.find(({id: known}) => known === id);
				if (!agent)
					throw new Error(`no agent is called ${id}: ${agents.map(({id}) => id).join(', ')}`);
				return version === undefined ? agent : {...agent, version};
			});

const packagesOf = (folder, {id, version}) => join(folder, 'packages', `${id}-${version}`);

/** Homes and stores; removed when no agent is left that could write there. */
const runsIn = folder => join(folder, 'runs');

const install = (folder, agent) => {
	const path = packagesOf(folder, agent);
	const done = join(path, '.installed');
	if (existsSync(done)) return true;
	mkdirSync(path, {recursive: true});
	writeFileSync(join(path, 'package.json'), '{"private": true}');
	const {status} = spawnSync(
		'npm',
		[
			'install',
			'--no-package-lock',
			'--no-fund',
			'--no-audit',
			`${agent.package}@${agent.version}`,
		],
		{cwd: path, stdio: ['ignore', 'ignore', 'ignore']},
	);
	if (status !== 0) return false;
	writeFileSync(done, '');
	return true;
};

/** Nothing but loopback, and whatever an agent leaves running ends with the run. */
const alone = [
	...['unshare', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
	...['sh', '-c', 'ip link set lo up && "$@"', 'sh'],
];

const printTable = rows => {
	const names = Object.keys(rows[0] ?? {});
	const line = cells => `| ${cells.join(' | ')} |`;
	console.log(line(names));
	console.log(line(names.map(() => '---')));
	for (const row of rows)
		console.log(line(names.map(name => String(row[name]).replaceAll('|', '\\|'))));
};

/** The agent that this one's session is handed over to, where it is installed as well. */
const takerOf = (folder, {handsOverTo}) => {
	const agent = chosen.find(({id}) => id === handsOverTo);
	const packages = agent && packagesOf(folder, agent);
	return packages && existsSync(join(packages, '.installed')) ? {agent, packages} : undefined;
};

const runInside = async folder => {
	const {journey} = await import('./journey.mjs');
	const rows = [];
	for (const agent of chosen) {
		const packages = packagesOf(folder, agent);
		if (!existsSync(join(packages, '.installed'))) continue;
		console.error(`… ${agent.id} ${agent.version}`);
		rows.push(
			await journey(agent, {folder: runsIn(folder), packages, taker: takerOf(folder, agent)}),
		);
	}
	printTable(rows);
	const passed = rows.filter(({resumed, note}) => resumed === 'yes' && note === '').length;
	console.log(`${passed} passed, ${rows.length - passed} failed`);
	return passed === rows.length ? 0 : 1;
};

const runOutside = folder => {
	if (spawnSync(alone[0], [...alone.slice(1), 'true'], {stdio: 'ignore'}).status !== 0) {
		console.log(
			'skipped: no network namespace can be made here, and nothing may leave the machine',
		);
		return 0;
	}
	if (!existsSync('dist/cli.js')) throw new Error('there is no build: run node build.mjs first');
	const missing = chosen.filter(agent => !install(folder, agent));
	for (const {package: name, version} of missing)
		console.error(`not installed: ${name}@${version}`);
	const self = fileURLToPath(import.meta.url);
	const words = ['--inside', '--folder', folder, ...positionals];
	rmSync(runsIn(folder), {recursive: true, force: true});
	const {status} = spawnSync(alone[0], [...alone.slice(1), process.execPath, self, ...words], {
		stdio: 'inherit',
	});
	rmSync(runsIn(folder), {recursive: true, force: true});
	return status === 0 && missing.length > 0 ? 1 : (status ?? 1);
};

const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), 'real-agents-'));
mkdirSync(folder, {recursive: true});
try {
	process.exitCode = values.inside ? await runInside(folder) : runOutside(folder);
} finally {
	if (!values.folder) rmSync(folder, {recursive: true, force: true});
}
