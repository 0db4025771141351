import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {claudeTranscript, createWorld, type World} from '../helpers/command-line.js';
import {openTerminal, type Terminal} from './terminal.js';

const ID = '0a1b2c3d-1111-4111-8111-111111111111';
const SECRET = 'ghp_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4';

let world: World;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createWorld();
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

/** One session of Claude Code that worked in a directory of the name, which is there unless it `isGone`. */
const fill = (name: string, {isGone = false} = {}): string => {
	const cwd = join(world.home, name);
	if (!isGone) mkdirSync(cwd, {recursive: true});
	world.write(
		`.claude/projects/-work/${ID}.jsonl`,
		claudeTranscript({id: ID, cwd}, [
			{role: 'user', text: 'how do puffins dive'},
			{role: 'assistant', text: `With their wings. The token is ${SECRET}.`},
		]),
	);
	return cwd;
};

const lastCall = () => world.agentCalls().at(-1);

const inTerminal = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
	terminal = openTerminal({
		argv: [process.execPath, world.program, ...argv],
		columns: 160,
		rows: 40,
		cwd: world.home,
		env: {...world.env, ...env},
	});
	return terminal;
};

describe('in a terminal', () => {
	it('shows program, version, directory and command, and starts nothing unless it may', async () => {
		const cwd = fill('work');
		const shown = inTerminal(['resume', ID]);
		await shown.untilText('start it? [Y/n]');
		const {text} = shown.shown();
		expect(text).toContain(`directory: ${cwd}`);
		expect(text).toMatch(/program: .*\/claude · 7\.8\.9/);
		expect(text).toContain(`cd ${cwd} && claude --resume ${ID}`);
		await shown.press('n', 'enter');
		expect(await shown.exit()).toEqual({code: 0, signal: null});
		expect(world.agentCalls()).toEqual([]);
	});

	it('starts at Enter, leaves Ctrl-C to the agent, and ends with its code', async () => {
		fill('work');
		world.addScript(
			'claude',
			'test "$1" = --version && exit; trap "echo caught; exit 9" INT; echo running; sleep 600 & wait',
		);
		const shown = inTerminal(['resume', ID]);
		await shown.untilText('start it?');
		await shown.press('enter');
		await shown.untilText(/^running/m);
		await shown.press('ctrl+c');
		await shown.untilText('caught');
		expect(await shown.exit()).toEqual({code: 9, signal: null});
	});
});

describe('whatever a directory is called', () => {
	const names = [
		'with spaces',
		`it's "quoted"`,
		'a; touch pwned',
		'$(touch pwned) `touch pwned`',
		'new\nline',
		'日本語 é',
		'--help',
		'#(touch pwned)',
	];

	it.each(names)('%j is where the agent runs', name => {
		const cwd = fill(name);
		expect(world.run(['resume', ID, '--yes', '--', "it's; $HOME"]).code).toBe(0);
		expect(lastCall()).toEqual({argv: ['claude', '--resume', ID, "it's; $HOME"], cwd});
		const {stdout} = world.run(['resume', ID, '--print']);
		world.run([], {shell: stdout, cwd: '/'});
		expect(world.agentCalls()).toHaveLength(2);
		expect(lastCall()).toEqual({argv: ['claude', '--resume', ID], cwd});
		expect(readdirSync(world.home)).not.toContain('pwned');
		expect(readdirSync(cwd)).toEqual([]);
	});
});

describe('a worktree that is gone', () => {
	const git = (...words: string[]) =>
		spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words], {
			cwd: world.home,
			env: world.env,
		});

	it('leads to its main checkout and to the worktrees that are left', () => {
		git('init', '--quiet', '--initial-branch', 'main', 'app');
		git('-C', 'app', 'commit', '--quiet', '--allow-empty', '--message', 'first');
		for (const name of ['one', 'two'])
			git('-C', 'app', 'worktree', 'add', '--quiet', '-b', name, `../trees/${name}`);
		const cwd = fill('trees/one');
		world.run(['sync']);
		rmSync(cwd, {recursive: true});
		const {code, stderr} = world.run(['resume', ID, '--yes']);
		expect(code).toBe(1);
		const [app, two] = [join(world.home, 'app'), join(world.home, 'trees/two')];
		expect(stderr).toContain(
			`${cwd} is gone; there is still ${app} and ${two} and ${join(world.home, 'trees')} (--dir ${app})`,
		);
		expect(stderr).toContain(`try: --dir ${two} (another worktree, on two)`);
		expect(existsSync(cwd)).toBe(false);
		expect(world.agentCalls()).toEqual([]);
	});
});

describe('handing over to another agent', () => {
	it('begins a session there that has read this one, secrets masked', () => {
		const cwd = fill('work');
		const {code, stderr} = world.run(['resume', ID, '--with', 'codex', '--yes']);
		expect(code).toBe(0);
		const call = lastCall();
		expect(call?.cwd).toBe(cwd);
		expect(call?.argv).toHaveLength(2);
		const [program, prompt] = call?.argv ?? [];
		expect(program).toBe('codex');
		expect(prompt).toContain('[USER · 2026-11-01 10:00]\nhow do puffins dive');
		expect(prompt).toContain('With their wings.');
		expect(prompt).not.toContain(SECRET);
		expect(stderr).toContain('nothing was left out; secrets masked: 1');
		expect(stderr).not.toContain('how do puffins dive');
	});

	it('shows what would be sent before it is', async () => {
		fill('work');
		const shown = inTerminal(['resume', ID, '--with', 'codex']);
		await shown.untilText('start it? [Y/n]');
		expect(shown.shown().text).toContain('how do puffins dive');
		expect(shown.shown().text).toContain("codex '(the record)'");
		await shown.press('n', 'enter');
		await shown.exit();
		expect(world.agentCalls()).toEqual([]);
	});

	it('prints a short command: the record lies in a file that only its owner can read', () => {
		const cwd = fill('work');
		const {stdout} = world.run(['resume', ID, '--with', 'claude-code', '--print']);
		world.run([], {shell: stdout, cwd: '/'});
		const [, prompt = ''] = lastCall()?.argv ?? [];
		const [, path = ''] = /@"([^"]+)"/.exec(prompt) ?? [];
		expect(lastCall()?.cwd).toBe(cwd);
		expect(readFileSync(path, 'utf8')).toContain('how do puffins dive');
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
	});

	it('takes the flags of the config and further words, and another directory', () => {
		fill('gone', {isGone: true});
		mkdirSync(world.data, {recursive: true});
		world.writeConfig({flags: {codex: ['--model', 'big one']}});
		const {code} = world.run([
			...['resume', ID, '--with', 'codex', '--yes', '--dir', world.home],
			...['--', '--search'],
		]);
		expect(code).toBe(0);
		expect(lastCall()?.cwd).toBe(world.home);
		expect(lastCall()?.argv.slice(2)).toEqual(['--model', 'big one', '--search']);
	});

	it('names the agents that can take it', () => {
		fill('work');
		const unknown = world.run(['resume', ID, '--with', 'nobody', '--yes']);
		expect(unknown.code).toBe(2);
		expect(unknown.stderr).toContain('claude-code, codex, gemini-cli, opencode');
		const amp = world.run(['resume', ID, '--with', 'amp', '--yes']);
		expect(amp.code).toBe(1);
		expect(amp.stderr).toContain('takes no first prompt');
		const absent = world.run(['resume', ID, '--with', 'opencode', '--yes']);
		expect(absent.stderr).toContain('opencode is not on the PATH');
		expect(world.run(['resume', ID, '--with', 'codex', '--fork', '--yes']).code).toBe(2);
	});

	it('is offered for a session that its agent cannot resume', () => {
		const id = 'editor-only';
		world.write(
			`.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-${id}.jsonl`,
			[
				{type: 'session_meta', payload: {id, cwd: world.home, cli_version: '0.171.0'}},
				{
					type: 'response_item',
					payload: {
						type: 'message',
						role: 'user',
						content: [{type: 'input_text', text: 'how do auks dive'}],
					},
				},
			]
				.map(line => JSON.stringify({timestamp: '2026-11-01T10:00:00Z', ...line}))
				.join('\n')
				.concat('\n'),
		);
		const {code, stderr} = world.run(['resume', `codex:${id}`, '--yes']);
		expect(code).toBe(1);
		expect(stderr).toContain('the session id is not one that Codex can resume');
		expect(stderr).toContain(`try: backscroll resume codex:${id} --with claude-code`);
		expect(world.run(['resume', `codex:${id}`, '--with', 'claude-code', '--yes']).code).toBe(0);
		expect(lastCall()?.argv[1]).toContain('how do auks dive');
	});
});

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe('in tmux', () => {
	it.runIf(hasTmux)('opens a window beside, and comes back at once', async () => {
		const cwd = fill("it's #(work);");
		const env = {...world.env, TMUX_TMPDIR: world.home, SHELL: '/bin/sh'};
		const tmux = (...words: string[]) =>
			spawnSync('tmux', words, {env, encoding: 'utf8'}).stdout.trim();
		tmux('-f', '/dev/null', 'new-session', '-d', 'cat');
		try {
			const TMUX = tmux('display-message', '-p', '#{socket_path},#{pid},0');
			const {code} = world.run(['resume', ID, '--tmux', 'window', '--yes'], {env: {TMUX}});
			expect(code).toBe(0);
			await vi.waitUntil(() => world.agentCalls().length === 1, {timeout: 10_000});
			expect(lastCall()).toEqual({argv: ['claude', '--resume', ID], cwd});
		} finally {
			tmux('kill-server');
		}
	});

	it('outside of it that is said, and nothing is started', () => {
		fill('work');
		const {code, stderr} = world.run(['resume', ID, '--tmux', 'split', '--yes']);
		expect(code).toBe(1);
		expect(stderr).toContain('not inside of tmux');
		expect(world.agentCalls()).toEqual([]);
	});
});
