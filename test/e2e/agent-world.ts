/** The real app in a real terminal, over sessions in directories of all kinds, with fake agents on the PATH. */
import {type SpawnSyncReturns, spawnSync} from 'node:child_process';
import {mkdirSync, utimesSync} from 'node:fs';
import {resolve} from 'node:path';
import {claudeTranscript, type Turn} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import type {Shown} from './emulator.js';
import {openTerminal, type Terminal} from './terminal.js';

export const BIN = resolve('dist/cli.js');

export const sessionId = (digit: number | string): string =>
	`0a1b2c3d-${String(digit).repeat(4)}-4111-8111-111111111111`;
export const ID = sessionId(1);

interface ClaudeSession {
	readonly id?: string;
	readonly cwd: string;
	readonly title?: string;
	readonly turns?: readonly Turn[];
}

interface StartOptions {
	readonly columns?: number;
	readonly rows?: number;
	readonly argv?: readonly string[];
	readonly further?: Readonly<Record<string, string>>;
}

export interface AgentWorld {
	readonly home: Home;
	readonly env: Readonly<Record<string, string>>;
	/** Makes a folder below HOME and gives its path. */
	folder(name: string): string;
	/** Makes a repository with one commit below HOME. */
	repository(name: string, branch: string): string;
	git(...words: readonly string[]): void;
	/** A session of Claude Code that nobody has written to for an hour; gives its file. */
	write(session: ClaudeSession): string;
	/** A rollout of Codex in one of its folders, under any id. */
	writeCodex(place: string, id: string, digit?: number | string): void;
	/** The app, unless another program is named; ended with the world. */
	start(options?: StartOptions): Terminal;
	backscroll(...words: readonly string[]): SpawnSyncReturns<string>;
	/** How the fake agents were called, in order. */
	calls(): readonly {readonly argv: readonly string[]; readonly cwd: string}[];
	remove(): void;
}

const codexLines = (id: string, cwd: string): string =>
	[
		{type: 'session_meta', payload: {id, cwd, cli_version: '0.171.0'}},
		{
			type: 'response_item',
			payload: {
				type: 'message',
				role: 'user',
				content: [{type: 'input_text', text: 'how do auks dive'}],
			},
		},
	]
		.map(line => `${JSON.stringify({timestamp: '2026-11-01T10:00:00Z', ...line})}\n`)
		.join('');

export const createAgentWorld = (): AgentWorld => {
	const home = createHome(['claude', 'codex']);
	const env = {...home.env, BACKSCROLL_HOME: home.file('backscroll')};
	const terminals: Terminal[] = [];
	const folder = (name: string): string => {
		const path = home.file(name);
		mkdirSync(path, {recursive: true});
		return path;
	};
	const run = (file: string, words: readonly string[]) =>
		spawnSync(file, words, {cwd: home.path, env, encoding: 'utf8'});
	const git = (...words: readonly string[]): void => {
		const {status, stderr} = run('git', [
			...['-c', 'user.name=a', '-c', 'user.email=a@localhost'],
			...words,
		]);
		if (status !== 0) throw new Error(stderr);
	};
	return {
		home,
		env,
		folder,
		git,
		repository(name, branch) {
			git('init', '--quiet', '--initial-branch', branch, name);
			git('-C', name, 'commit', '--quiet', '--allow-empty', '--message', 'first');
			return home.file(name);
		},
		write({id = ID, cwd, title = 'how do puffins dive', turns}) {
			const told: readonly Turn[] = turns ?? [
				{role: 'user', text: title},
				{role: 'assistant', text: 'With their wings.'},
			];
			const path = `.claude/projects/-work/${id}.jsonl`;
			const file = home.write(path, claudeTranscript({id, cwd}, told));
			const before = Date.now() / 1000 - 3600;
			utimesSync(file, before, before);
			return file;
		},
		writeCodex(place, id, digit = 9) {
			const name = `rollout-2026-11-01T10-00-00-${sessionId(digit)}.jsonl`;
			home.write(`.codex/${place}/${name}`, codexLines(id, folder('work')));
		},
		start({columns = 140, rows = 36, argv = [process.execPath, BIN], further = {}} = {}) {
			const terminal = openTerminal({
				argv,
				columns,
				rows,
				cwd: home.path,
				env: {...env, ...further},
			});
			terminals.push(terminal);
			return terminal;
		},
		backscroll: (...words) => run(process.execPath, [BIN, ...words]),
		calls: () => home.runs().map(({name, argv, cwd}) => ({argv: [name, ...argv], cwd})),
		remove() {
			for (const terminal of terminals) terminal.dispose();
			home.remove();
		},
	};
};

/** The list again, with the row selected that was selected before. */
export const isBack = (app: Terminal, title = 'how do puffins dive'): Promise<Shown> =>
	app.until(
		({text, isAlternate}) => isAlternate && text.includes(`▌Claude   ${title}`),
		'the list',
	);
