import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** One run of a fake agent. */
export interface AgentRun {
	readonly name: string;
	readonly argv: readonly string[];
	readonly cwd: string;
	/** Variables of home folders, configuration and the terminal. */
	readonly env: Readonly<Record<string, string>>;
}

export interface Home {
	/** HOME of the tests; removed at the end. */
	readonly path: string;
	readonly bin: string;
	/** A whole environment: nothing of the real one is in it. */
	readonly env: Readonly<Record<string, string>>;
	/** Absolute path of something below HOME. */
	file(...parts: readonly string[]): string;
	/** Writes a file below HOME, with its folders; returns its path. */
	write(relativePath: string, text: string): string;
	/** A program of the name that logs each run, as the agents in `bin` do. */
	addAgent(name: string): void;
	/** A program of the name in `bin`, in the language of sh. */
	addScript(name: string, script: string): void;
	/** What the fake agents were started with, oldest first. */
	runs(): readonly AgentRun[];
	remove(): void;
}

const agentNames = [
	'claude',
	'codex',
	'gemini',
	'opencode',
	'cursor-agent',
	'copilot',
	'qwen',
	'kimi',
	'goose',
] as const;

/** Waits for a key with FAKE_AGENT_WAIT=1, and ends with FAKE_AGENT_CODE. To be asked for its version is no run. */
const agentScript = (logPath: string) => `#!${process.execPath}
const {appendFileSync} = require('node:fs');
const {basename} = require('node:path');
const name = basename(process.argv[1]);
if (process.argv[2] === '--version') {
	console.log(name + ' 7.8.9');
	process.exit(0);
}
const wanted = /HOME|_DIR$|CONFIG|^FAKE_|^TERM$|^TMUX$|^BACKSCROLL/;
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => wanted.test(key)));
const run = {name, argv: process.argv.slice(2), cwd: process.cwd(), env};
appendFileSync(${JSON.stringify(logPath)}, JSON.stringify(run) + '\\n');
const end = () => process.exit(Number(process.env.FAKE_AGENT_CODE ?? 0));
console.log('fake ' + name + ' ' + run.argv.join(' '));
if (process.env.FAKE_AGENT_WAIT === '1') {
	if (process.stdin.isTTY) process.stdin.setRawMode(true);
	process.stdin.once('data', end);
} else end();
`;

/** A home folder of its own with XDG folders, a PATH with fake agents, and no agent history. */
export function createHome(agents: readonly string[] = agentNames): Home {
	const path = mkdtempSync(join(tmpdir(), 'backscroll-home-'));
	const file = (...parts: readonly string[]) => join(path, ...parts);
	const bin = file('bin');
	const logPath = file('agent-runs.jsonl');
	for (const folder of ['bin', 'tmp', '.config', '.cache', '.local/share', '.local/state'])
		mkdirSync(file(folder), {recursive: true});
	const addProgram = (name: string, text: string) =>
		writeFileSync(join(bin, name), text, {mode: 0o755});
	const addAgent = (name: string) => addProgram(name, agentScript(logPath));
	for (const name of agents) addAgent(name);
	// Not the folder that node lies in: real agents may be installed there.
	symlinkSync(process.execPath, join(bin, 'node'));

	return {
		path,
		bin,
		env: {
			HOME: path,
			XDG_CONFIG_HOME: file('.config'),
			XDG_CACHE_HOME: file('.cache'),
			XDG_DATA_HOME: file('.local/share'),
			XDG_STATE_HOME: file('.local/state'),
			PATH: `${bin}:/usr/bin:/bin`,
			TMPDIR: file('tmp'),
			SHELL: '/bin/sh',
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			TZ: 'UTC',
		},
		file,
		write(relativePath, text) {
			const target = file(relativePath);
			mkdirSync(join(target, '..'), {recursive: true});
			writeFileSync(target, text);
			return target;
		},
		addAgent,
		addScript: (name, script) => addProgram(name, `#!/bin/sh\n${script}\n`),
		runs: () =>
			existsSync(logPath)
				? readFileSync(logPath, 'utf8')
						.trimEnd()
						.split('\n')
						.map(line => JSON.parse(line) as AgentRun)
				: [],
		remove: () => rmSync(path, {recursive: true, force: true, maxRetries: 3}),
	};
}
