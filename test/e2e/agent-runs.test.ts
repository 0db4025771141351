/** While an agent runs, and after it: whose keys they are, and what is left of the terminal. */
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {type AgentWorld, BIN, createAgentWorld, ID, isBack} from './agent-world.js';
import type {Terminal} from './terminal.js';

let world: AgentWorld;
beforeEach(() => {
	world = createAgentWorld();
});
afterEach(() => world.remove());

describe('the agent that runs', () => {
	const untilBack = async (app: Terminal): Promise<void> => {
		await isBack(app);
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('escape');
		await isBack(app);
	};

	it('may be interrupted, and leave the terminal in any mode', async () => {
		world.write({cwd: world.folder('work')});
		const modes = '?1049h?1000h?1003h?1006h?1004h?2004h?1h4h?25l?2026h>1u5;10r31m'.match(
			/[?>]?[\d;]+[a-z]/g,
		);
		const script = modes?.map(mode => `printf '\\033[${mode}'`).join('; ');
		world.home.addScript(
			'claude',
			`test "$1" = --version && exit; echo $$ > pid; stty raw -echo; printf '\\033(0'; ${script}; exec sleep 600`,
		);
		const app = world.start({rows: 24});
		await app.untilText('how do puffins dive');
		await app.press('ctrl+r');
		await app.untilText('start here');
		await app.press('enter');
		await app.until(() => app.modesOn().includes('mouseTrackingMode'), 'the modes of the agent');
		process.kill(Number(readFileSync(world.home.file('work/pid'), 'utf8')), 'SIGKILL');
		await untilBack(app);
		await app.untilText('^R resume');
		expect(app.modesOn()).toEqual(['bracketedPasteMode']);

		world.home.addScript('claude', 'test "$1" = --version && exit; echo ready; exec sleep 600');
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
		world.write({cwd: world.folder('work')});
		world.home.addScript(
			'claude',
			'test "$1" = --version && exit; echo your turn; read -r line; echo "$line" > told',
		);
		const app = world.start({
			argv: ['bash', '--norc', '--noprofile', '-i'],
			further: {PS1: 'shell> '},
		});
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
		expect(existsSync(world.home.file('work/told'))).toBe(true);
		await app.press('ctrl+c');
		await app.until(({isAlternate}) => !isAlternate, 'the shell at the end');
		expect(app.modesOn()).not.toContain('mouseTrackingMode');
	});
});

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe('inside tmux', () => {
	it.runIf(hasTmux)('a window or half of the pane can be taken, and the app goes on', async () => {
		const cwd = world.folder("it's #(touch pwned);");
		world.write({cwd});
		const own = {...world.env, TMUX_TMPDIR: world.home.path, SHELL: '/bin/sh'};
		const tmux = (...words: string[]) =>
			spawnSync('tmux', words, {env: own, encoding: 'utf8'}).stdout.trim();
		tmux('-f', '/dev/null', 'new-session', '-d', 'cat');
		try {
			const TMUX = tmux('display-message', '-p', '#{socket_path},#{pid},0');
			const app = world.start({further: {TMUX}});
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
			await vi.waitUntil(() => world.calls().length === 2, {timeout: 10_000});
			expect(world.calls()).toEqual(Array(2).fill({argv: ['claude', '--resume', ID], cwd}));
			expect(readdirSync(world.home.path)).not.toContain('pwned');
		} finally {
			tmux('kill-server');
		}
	});
});
