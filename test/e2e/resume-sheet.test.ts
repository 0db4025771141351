/** The resume sheet of the real app in a real terminal, with fake agents on the PATH. */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript, type Turn} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');
const session = (digit: number | string) =>
	`0a1b2c3d-${String(digit).repeat(4)}-4111-8111-111111111111`;
const ID = session(1);

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	terminal = undefined;
	world = createHome(['claude', 'codex']);
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

interface Written {
	readonly id?: string;
	readonly cwd: string;
	readonly title?: string;
	readonly turns?: readonly Turn[];
}

/** A session of Claude Code that nobody has written to for an hour; gives its file. */
const write = ({id = ID, cwd, title = 'how do puffins dive', turns}: Written): string => {
	const file = world.write(
		`.claude/projects/-work/${id}.jsonl`,
		claudeTranscript(
			{id, cwd},
			turns ?? [
				{role: 'user', text: title},
				{role: 'assistant', text: 'With their wings.'},
			],
		),
	);
	const before = Date.now() / 1000 - 3600;
	utimesSync(file, before, before);
	return file;
};

const folder = (name: string): string => {
	const path = world.file(name);
	mkdirSync(path, {recursive: true});
	return path;
};

const env = (): Readonly<Record<string, string>> => ({
	...world.env,
	BACKSCROLL_HOME: world.file('backscroll'),
});

const start = ({
	columns = 140,
	rows = 36,
	argv = [process.execPath, BIN],
	further = {},
}: {
	readonly columns?: number;
	readonly rows?: number;
	readonly argv?: readonly string[];
	readonly further?: Readonly<Record<string, string>>;
} = {}): Terminal => {
	terminal = openTerminal({argv, columns, rows, cwd: world.path, env: {...env(), ...further}});
	return terminal;
};

const backscroll = (...words: readonly string[]) =>
	spawnSync(process.execPath, [BIN, ...words], {cwd: world.path, env: env(), encoding: 'utf8'});

const git = (...words: readonly string[]): void => {
	const {status, stderr} = spawnSync(
		'git',
		['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words],
		{cwd: world.path, env: world.env, encoding: 'utf8'},
	);
	if (status !== 0) throw new Error(stderr);
};

const repository = (name: string, branch: string): string => {
	git('init', '--quiet', '--initial-branch', branch, name);
	git('-C', name, 'commit', '--quiet', '--allow-empty', '--message', 'first');
	return world.file(name);
};

const calls = () => world.runs().map(({name, argv, cwd}) => ({argv: [name, ...argv], cwd}));
/** The list again, with the row selected that was selected before. */
const isBack = (app: Terminal, title = 'how do puffins dive') =>
	app.until(
		({text, isAlternate}) => isAlternate && text.includes(`▌Claude   ${title}`),
		'the list',
	);

describe('what it shows and changes', () => {
	it('command, directory, branches, version; fork, arguments and permissions before it starts', async () => {
		const cwd = repository('work', 'topic');
		write({cwd});
		mkdirSync(world.file('backscroll'));
		world.write('backscroll/config.json', JSON.stringify({flags: {'claude-code': ['--verbose']}}));
		const app = start();
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText(`claude --resume ${ID} --verbose`);
		await app.untilText('~/work, on topic (then: main)');
		await app.untilText('7.8.9 · ~/bin/claude');
		await app.untilText('1 h ago, not running');
		await app.press('F');
		await app.untilText(`claude --resume ${ID} --fork-session --verbose`);
		expect(app.shown().text).not.toContain('acts without asking');
		await app.press('!', 'e', ...`--model 'big one'`, 'enter');
		await app.untilText(/--verbose --dangerously-skip-permissions --model big one/);
		await app.untilText('acts without asking: --dangerously-skip-permissions');
		expect(calls()).toEqual([]);
		await app.press('enter');
		await isBack(app);
		expect(calls()).toEqual([
			{
				argv: [
					...['claude', '--resume', ID, '--fork-session'],
					...['--verbose', '--dangerously-skip-permissions', '--model', 'big one'],
				],
				cwd,
			},
		]);
	});

	it('that the session is open somewhere, and that the program is not there', async () => {
		const file = write({cwd: folder('work')});
		const now = Date.now() / 1000;
		utimesSync(file, now, now);
		rmSync(join(world.bin, 'claude'));
		const app = start({columns: 40, rows: 10});
		await app.untilText('how do puffins');
		await app.press('ctrl+r');
		await app.untilText('claude is not on the PATH');
		await app.untilText('perhaps running now');
		expect(app.shown().text).not.toContain('start here');
		await app.press('escape');
		await app.untilText('› ');
	});
});

describe('a directory that is gone', () => {
	it('can be replaced by the main checkout, or by one that is typed', async () => {
		const main = repository(`it's "app"; $(touch pwned) é`, 'main');
		git('-C', main, 'worktree', 'add', '--quiet', '-b', 'topic', '../trees/topic');
		write({cwd: world.file('trees/topic')});
		folder('other place/deep');
		backscroll('sync');
		rmSync(world.file('trees/topic'), {recursive: true});
		const app = start();
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText('~/trees/topic is gone');
		await app.untilText(/1 {2}in ~\/it's "app"; \$\(touch pwned\) é {2}main checkout/);
		await app.untilText(/\d {2}in ~\/trees {2}nearest directory that exists/);
		await app.untilText('copy the command only');
		await app.press('1');
		await app.untilText('start here');
		expect(calls()).toEqual([]);
		await app.press('enter');
		await isBack(app);
		expect(calls()).toEqual([{argv: ['claude', '--resume', ID], cwd: main}]);

		await app.press('ctrl+r');
		await app.untilText('~/trees/topic is gone');
		await app.press('d', 'ctrl+u', ...'~/oth', 'tab');
		await app.untilText('~/other place/');
		await app.press('tab');
		await app.untilText('~/other place/deep/');
		await app.press(...'er', 'enter');
		await app.untilText('~/other place/deep/er does not exist');
		await app.press('d', 'backspace', 'backspace', 'enter');
		await app.untilText('start here');
		await app.press('enter');
		await isBack(app);
		expect(calls().at(-1)?.cwd).toBe(world.file('other place/deep'));
		expect(existsSync(world.file('trees/topic'))).toBe(false);
		expect(readdirSync(world.path)).not.toContain('pwned');
	});
});

describe('whatever directories and ids are called', () => {
	it('the agent runs there, and a shell runs nothing', async () => {
		const names = [
			'with  spaces',
			`it's "quoted"`,
			'a; touch pwned',
			'$(touch pwned)',
			'new\nline',
			'日本語 é',
		];
		const places = names.map((name, index) => {
			write({id: session(index), cwd: folder(name), title: `session ${index}`});
			return world.file(name);
		});
		const app = start();
		await app.untilText('session 0');
		for (const [index] of places.entries()) {
			await app.press('ctrl+u', ...`id:${session(index)}`, 'ctrl+r');
			await app.untilText(`claude --resume ${session(index)}`);
			await app.press('enter');
			await isBack(app, `session ${index}`);
		}
		expect(calls()).toEqual(
			places.map((cwd, index) => ({argv: ['claude', '--resume', session(index)], cwd})),
		);
		for (const place of [world.path, ...places]) expect(readdirSync(place)).not.toContain('pwned');
	});
});

/** A rollout of Codex. */
const writeCodex = (place: string, id: string, digit: number | string = 9): void => {
	const lines = [
		{type: 'session_meta', payload: {id, cwd: folder('work'), cli_version: '0.171.0'}},
		{
			type: 'response_item',
			payload: {
				type: 'message',
				role: 'user',
				content: [{type: 'input_text', text: 'how do auks dive'}],
			},
		},
	];
	world.write(
		`.codex/${place}/rollout-2026-11-01T10-00-00-${session(digit)}.jsonl`,
		lines.map(line => `${JSON.stringify({timestamp: '2026-11-01T10:00:00Z', ...line})}\n`).join(''),
	);
};

describe('what cannot be resumed as it is', () => {
	it('a transcript that was deleted is put back first', async () => {
		const file = write({cwd: folder('work')});
		backscroll('sync');
		rmSync(file);
		const app = start();
		await app.untilText(/how do puffins dive +✗/);
		await app.press('ctrl+r');
		await app.untilText('Claude Code deleted the transcript of this session');
		await app.untilText('put the transcript back');
		await app.press('enter');
		await app.untilText('start here');
		expect(existsSync(file)).toBe(true);
		await app.press('enter');
		await isBack(app);
		expect(calls()).toMatchObject([{argv: ['claude', '--resume', ID]}]);
	});

	it('one that its agent archived shows the command that brings it back', async () => {
		writeCodex('archived_sessions', session(9));
		const app = start({further: {SSH_TTY: '/dev/pts/1'}});
		await app.untilText('how do auks dive');
		await app.press('ctrl+r');
		await app.untilText('archived by Codex');
		await app.untilText(`codex unarchive ${session(9)}`);
		await app.press('y');
		await app.untilText('command copied');
		expect(app.clipboard()).toBe(`codex unarchive ${session(9)}`);
		expect(calls()).toEqual([]);
	});

	it('a sub-agent leads to the session that started it', async () => {
		write({cwd: folder('work')});
		const child = claudeTranscript({id: ID, cwd: world.file('work')}, [
			{role: 'user', text: 'count the puffins'},
			{role: 'assistant', text: 'There are nine.'},
		]).replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"a1"');
		world.write(`.claude/projects/-work/${ID}/subagents/agent-a1.jsonl`, child);
		const app = start();
		await app.untilText('⋯1');
		await app.press('right');
		await app.untilText('count the puffins');
		await app.press('down', 'ctrl+r');
		await app.untilText('A sub-agent cannot be resumed by itself');
		await app.untilText(/the session that started it {2}how do puffins dive/);
		await app.press('enter', 'enter');
		await app.until(() => calls().length === 1, 'the start of the parent');
		expect(calls()).toMatchObject([{argv: ['claude', '--resume', ID]}]);
	});

	it('ids that a shell or the agent would take for something else are refused, not the hand-over', () => {
		const ids = ['editor-only', '--last', "a'; touch pwned; '", '$(touch pwned)', 'a\nb', 'été'];
		for (const [index, id] of ids.entries()) writeCodex('sessions/2026/11/01', id, index);
		const {stdout} = backscroll('list', '--json');
		const {sessions} = JSON.parse(stdout) as {
			sessions: {id: string; ref: string; resume: object}[];
		};
		expect(sessions.map(({id}) => id).toSorted()).toEqual(ids.toSorted());
		for (const {ref, resume} of sessions) {
			expect(resume).toHaveProperty('reason');
			expect(backscroll('resume', ref, '--print')).toMatchObject({status: 1, stdout: ''});
		}
		const ref = "codex:a'; touch pwned; '";
		expect(backscroll('resume', ref, '--yes', '--with', 'claude-code').status).toBe(0);
		expect(calls()).toMatchObject([
			{argv: ['claude', expect.stringContaining('how do auks dive')], cwd: world.file('work')},
		]);
		expect(readdirSync(world.path)).not.toContain('pwned');
	});

	it('an agent that has no command for it offers another agent', async () => {
		writeCodex('sessions/2026/11/01', 'editor-only');
		const app = start({columns: 50, rows: 15});
		await app.untilText('how do auks dive');
		await app.press('ctrl+r');
		await app.untilText('the session id is not one that');
		await app.press('enter');
		await app.untilText('Hand over from Codex to');
		await app.untilText('▌ Claude Code');
		await app.press('enter');
		await app.until(() => calls().length === 1, 'the start of another agent');
		expect(calls()[0]?.argv[1]).toContain('how do auks dive');
	});
});

describe('for the command line of a shell', () => {
	it('the sheet comes first where the command would not work', async () => {
		write({cwd: world.file('work/gone')});
		const place = folder('work');
		const app = start({argv: [process.execPath, BIN, '--print']});
		await app.untilText('how do puffins dive');
		await app.press('enter');
		await app.untilText('~/work/gone is gone');
		await app.press('1');
		await app.untilText('put the command on the command line');
		await app.press('enter');
		expect(await app.exit()).toEqual({code: 0, signal: null});
		await app.untilText(`cd ${place} && claude --resume ${ID}`);
		expect(calls()).toEqual([]);
	});
});

describe('handing over', () => {
	it('shows word for word what another agent is told, and starts it there', async () => {
		const cwd = folder('work');
		const token = ['ghp', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4'].join('_');
		write({
			cwd,
			turns: [
				{role: 'user', text: 'how do puffins dive'},
				{role: 'assistant', text: `With their wings. ${'Really. '.repeat(400)}`},
				{role: 'user', text: `the token is ${token}`},
				{role: 'assistant', text: 'That is the end of it.'},
			],
		});
		const app = start();
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('h');
		await app.untilText('nothing was left out · secrets masked: 1');
		await app.untilText('This is the record of an earlier conversation');
		await app.press('end');
		await app.untilText('That is the end of it.');
		expect(app.shown().text).toContain('the token is ghp_…[masked]');
		await app.press('escape');
		await app.untilText('start here');
		await app.press('h');
		await app.untilText(/Codex +cd .*work && codex '\(the record\)'/);
		await app.press('down', 'enter');
		await isBack(app);
		expect(calls()).toMatchObject([
			{cwd, argv: ['codex', expect.stringContaining('how do puffins dive')]},
		]);
		expect(calls()[0]?.argv[1]).not.toContain(token);
	});
});

describe('the agent that runs', () => {
	const untilBack = async (app: Terminal): Promise<void> => {
		await isBack(app);
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('escape');
		await isBack(app);
	};

	it('may be interrupted, and leave the terminal in any mode', async () => {
		write({cwd: folder('work')});
		const modes = '?1049h?1000h?1003h?1006h?1004h?2004h?1h4h?25l?2026h>1u5;10r31m'.match(
			/[?>]?[\d;]+[a-z]/g,
		);
		const script = modes?.map(mode => `printf '\\033[${mode}'`).join('; ');
		world.addScript(
			'claude',
			`test "$1" = --version && exit; echo $$ > pid; stty raw -echo; printf '\\033(0'; ${script}; exec sleep 600`,
		);
		const app = start({rows: 24});
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('enter');
		await app.until(() => app.modesOn().includes('mouseTrackingMode'), 'the modes of the agent');
		process.kill(Number(readFileSync(world.file('work/pid'), 'utf8')), 'SIGKILL');
		await untilBack(app);
		await app.untilText('^R resume');
		expect(app.modesOn()).toEqual(['bracketedPasteMode']);

		world.addScript('claude', 'test "$1" = --version && exit; echo ready; exec sleep 600');
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('enter');
		await app.untilText('ready');
		await app.press('ctrl+c');
		await untilBack(app);
		await app.press('ctrl+c');
		expect(await app.exit()).toEqual({code: 0, signal: null});
		expect(app.isAlternate()).toBe(false);
		expect(app.modesOn()).toEqual(['wraparoundMode']);
		expect(app.sttyIsCooked()).toBe(true);
	});

	it('may be stopped with Ctrl-Z and go on, as the app itself', async () => {
		write({cwd: folder('work')});
		world.addScript(
			'claude',
			'test "$1" = --version && exit; echo your turn; read -r line; echo "$line" > told',
		);
		const app = start({argv: ['bash', '--norc', '--noprofile', '-i'], further: {PS1: 'shell> '}});
		await app.untilText('shell>');
		await app.press(`'${process.execPath}' '${BIN}'`, 'enter');
		await isBack(app);
		await app.press('ctrl+z');
		await app.until(({text, isAlternate}) => !isAlternate && text.includes('Stopped'), 'the shell');
		await app.press('fg', 'enter');
		await isBack(app);
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('enter');
		await app.untilText('your turn');
		await app.press('ctrl+z');
		await app.untilText(/Stopped[\s\S]*Stopped/);
		await app.press('fg', 'enter');
		await app.untilText(/Stopped[\s\S]*Stopped[\s\S]*fg\s+'.*cli\.js'/);
		await app.press('still here', 'enter');
		await isBack(app);
		expect(existsSync(world.file('work/told'))).toBe(true);
		await app.press('ctrl+c');
		await app.until(({isAlternate}) => !isAlternate, 'the shell at the end');
		expect(app.modesOn()).not.toContain('mouseTrackingMode');
	});
});

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe('inside tmux', () => {
	it.runIf(hasTmux)('a window or half of the pane can be taken, and the app goes on', async () => {
		const cwd = folder("it's #(touch pwned);");
		write({cwd});
		const own = {...env(), TMUX_TMPDIR: world.path, SHELL: '/bin/sh'};
		const tmux = (...words: string[]) =>
			spawnSync('tmux', words, {env: own, encoding: 'utf8'}).stdout.trim();
		tmux('-f', '/dev/null', 'new-session', '-d', 'cat');
		try {
			const TMUX = tmux('display-message', '-p', '#{socket_path},#{pid},0');
			const app = start({further: {TMUX}});
			await app.untilText('how do puffins dive');
			for (const [key, said] of [
				['w', 'started in a tmux window'],
				['s', 'started in a tmux split'],
			] as const) {
				await app.press('ctrl+r');
				await app.untilText('in a new tmux window');
				await app.press(key);
				await app.untilText(said);
			}
			await app.until(() => calls().length === 2, 'both agents');
			expect(calls()).toEqual(Array(2).fill({argv: ['claude', '--resume', ID], cwd}));
			expect(readdirSync(world.path)).not.toContain('pwned');
		} finally {
			tmux('kill-server');
		}
	});
});
