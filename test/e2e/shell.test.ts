import {spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {claudeTranscript} from '../helpers/command-line.js';
import {createHome, type Home} from '../helpers/home.js';
import {openTerminal, type Terminal} from './terminal.js';

const BIN = resolve('dist/cli.js');
const ID = '0a1b2c3d-1111-4111-8111-111111111111';

/** Start-up files are replaced by ours; each prints a prompt that can be waited for. */
const shells = {
	bash: {
		argv: (file: string) => ['bash', '--noprofile', '--rcfile', file, '-i'],
		start: 'PS1="ready> "',
		init: 'eval "$(backscroll init bash)"',
	},
	zsh: {
		argv: () => ['zsh', '-d', '-i'],
		start: 'PS1="ready> "',
		init: 'eval "$(backscroll init zsh)"',
	},
	fish: {
		argv: (file: string) => ['fish', '--no-config', '--init-command', `source ${file}`, '-i'],
		start: 'function fish_prompt; echo -n "ready> "; end; set -g fish_greeting',
		init: 'backscroll init fish | source',
	},
} as const;
type ShellName = keyof typeof shells;

let world: Home;
let terminal: Terminal | undefined;
beforeEach(() => {
	world = createHome(['claude']);
	world.addScript('backscroll', `exec '${process.execPath}' '${BIN}' "$@"`);
});
afterEach(() => {
	terminal?.dispose();
	world.remove();
});

/** A shell in a directory with one session, whose name a shell would take apart if it could. */
const startShell = (name: ShellName): Terminal => {
	const {argv, start, init} = shells[name];
	const cwd = world.file("it's a (work); $HOME");
	mkdirSync(cwd);
	world.write(
		`.claude/projects/-work/${ID}.jsonl`,
		claudeTranscript({id: ID, cwd}, [
			{role: 'user', text: 'how do puffins dive'},
			{role: 'assistant', text: 'With their wings.'},
		]),
	);
	const file = world.write('.zshrc', `${start}\n${init}\n`);
	terminal = openTerminal({
		argv: argv(file),
		columns: 200,
		rows: 24,
		cwd,
		env: {...world.env, SHELL: '/bin/sh', BACKSCROLL_HOME: world.file('backscroll')},
	});
	return terminal;
};

const isInstalled = (name: string): boolean => spawnSync(name, ['-c', 'true']).status === 0;

describe.each(Object.keys(shells) as readonly ShellName[])('the key in %s', name => {
	it.runIf(isInstalled(name))(
		'opens the app and puts the chosen command on the line, ready to be run',
		async () => {
			const shell = startShell(name);
			await shell.untilText('ready>');
			await shell.press('ctrl+g');
			await shell.untilText('how do puffins dive');
			expect(shell.isAlternate()).toBe(true);
			await shell.press('enter');
			await shell.until(
				({text, isAlternate}) => !isAlternate && text.includes(`claude --resume ${ID}`),
				'the command on the line',
			);
			expect(world.runs()).toEqual([]);
			await shell.press('enter');
			await shell.untilText(`fake claude --resume ${ID}`);
			expect(world.runs()).toMatchObject([
				{argv: ['--resume', ID], cwd: world.file("it's a (work); $HOME")},
			]);
		},
	);

	it.runIf(isInstalled(name))('leaves the line alone when nothing was chosen', async () => {
		const shell = startShell(name);
		await shell.untilText('ready>');
		await shell.press(...'echo half');
		await shell.untilText('echo half');
		await shell.press('ctrl+g');
		await shell.untilText('how do puffins dive');
		await shell.press('ctrl+c');
		await shell.until(
			({text, isAlternate}) => !isAlternate && text.includes('echo half'),
			'the line as it was',
		);
		await shell.press(...' done', 'enter');
		await shell.untilText(/^half done/m);
	});
});
