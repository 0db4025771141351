import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {createHome, type Home} from './home.js';

const BIN = resolve('dist/cli.js');

export interface Answer {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
	/** stdout as the one document that `--json` promises. */
	json(): Record<string, unknown>;
}

export interface RunOptions {
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	/** A line for a shell instead of argv: `PROGRAM` stands for the program. */
	readonly shell?: string;
}

/** A home of its own with stores in it, and the built program as a person or a script would call it. */
export interface World {
	/** HOME. */
	readonly home: string;
	/** BACKSCROLL_HOME, outside of HOME. */
	readonly data: string;
	/** Writes a file below HOME and gives its path. */
	readonly write: Home['write'];
	readonly addScript: Home['addScript'];
	/** Writes the config file. */
	writeConfig(config: unknown): void;
	/** The built program, and the environment that it runs in. */
	readonly program: string;
	readonly env: Readonly<Record<string, string>>;
	run(argv: readonly string[], options?: RunOptions): Answer;
	/** How the fake agents were called, in order. */
	agentCalls(): readonly {readonly argv: readonly string[]; readonly cwd: string}[];
	remove(): void;
}

export const createWorld = (): World => {
	if (!existsSync(BIN)) throw new Error('there is no build: run node build.mjs first');
	const home = createHome(['claude', 'codex']);
	const data = join(mkdtempSync(join(tmpdir(), 'backscroll-data-')), 'data');
	const program = `'${process.execPath}' '${BIN}'`;
	return {
		home: home.path,
		data,
		write: home.write,
		addScript: home.addScript,
		writeConfig: config => writeFileSync(join(data, 'config.json'), JSON.stringify(config)),
		program: BIN,
		env: {...home.env, BACKSCROLL_HOME: data},
		run(argv, {env = {}, cwd = home.path, shell} = {}) {
			const {status, stdout, stderr} = spawnSync(
				shell === undefined ? process.execPath : '/bin/sh',
				shell === undefined ? [BIN, ...argv] : ['-c', shell.replaceAll('PROGRAM', program)],
				{
					cwd,
					encoding: 'utf8',
					timeout: 20_000,
					maxBuffer: 1 << 26,
					input: '',
					env: {...home.env, BACKSCROLL_HOME: data, ...env},
				},
			);
			return {
				code: status,
				stdout,
				stderr,
				json: () => JSON.parse(stdout) as Record<string, unknown>,
			};
		},
		agentCalls: () => home.runs().map(({name, argv, cwd}) => ({argv: [name, ...argv], cwd})),
		remove() {
			home.remove();
			rmSync(join(data, '..'), {recursive: true, force: true});
		},
	};
};

export interface Turn {
	readonly role: 'user' | 'assistant';
	readonly text: string;
}

/** A small Claude Code transcript: one line a message, a minute apart. */
export const claudeTranscript = (
	{
		id,
		cwd,
		from = '2026-11-01T10:00:00Z',
	}: {readonly id: string; readonly cwd: string; readonly from?: string},
	turns: readonly Turn[],
): string =>
	turns
		.map(({role, text}, index) => ({
			type: role,
			uuid: recordId(id, index),
			parentUuid: index === 0 ? null : recordId(id, index - 1),
			sessionId: id,
			timestamp: new Date(Date.parse(from) + index * 60_000).toISOString(),
			cwd,
			gitBranch: 'main',
			version: '2.1.300',
			isSidechain: false,
			userType: 'external',
			message:
				role === 'user'
					? {role, content: text}
					: {
							id: `msg_${recordId(id, index)}`,
							type: 'message',
							role,
							model: 'model-1',
							content: [{type: 'text', text}],
							usage: {input_tokens: 10, output_tokens: 5},
						},
		}))
		.map(line => `${JSON.stringify(line)}\n`)
		.join('');

const recordId = (session: string, index: number): string =>
	`${session.slice(0, 24)}${String(index).padStart(12, '0')}`;

export const FIRST = '0a1b2c3d-1111-4111-8111-111111111111';
export const SECOND = '0a1b2c3d-2222-4222-8222-222222222222';

/** Where the transcript of a session lies below HOME. */
export const transcriptFile = (id: string): string => `.claude/projects/-work/${id}.jsonl`;

/** Two sessions, FIRST and SECOND; the second holds what a terminal must never see, and runs in a directory that is gone. */
export const fill = (world: World): void => {
	mkdirSync(join(world.home, 'work'));
	world.write(
		transcriptFile(FIRST),
		claudeTranscript({id: FIRST, cwd: join(world.home, 'work')}, [
			{role: 'user', text: 'how do puffins dive'},
			{role: 'assistant', text: 'With their wings, down to sixty metres.'},
			{role: 'user', text: 'and razorbills'},
			{role: 'assistant', text: 'Deeper still.'},
		]),
	);
	world.write(
		transcriptFile(SECOND),
		claudeTranscript(
			{id: SECOND, cwd: join(world.home, 'work', 'gone', 'deep'), from: '2026-11-02T10:00:00Z'},
			[
				{role: 'user', text: 'red \u001b[31malert\u001b]0;owned\u0007 about gannets'},
				{role: 'assistant', text: 'The token is ghp_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4.'},
			],
		),
	);
};

export type Row = Record<string, unknown>;

/** A list of objects in an answer. */
export const rows = (document: Row, name: string): Row[] => document[name] as Row[];
