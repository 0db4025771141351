import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {ChildError} from '../../../source/errors.js';
import {runInTmux} from '../../../source/resume/run.js';
import {isInsideTmux, tmuxCommand} from '../../../source/resume/tmux.js';

const plan = {
	argv: ['claude', '--resume', 'x'],
	cwd: '/w/my app',
	env: {CLAUDE_CONFIG_DIR: '/c d'},
};

test('a window, or half of this one, in the directory and with the variables', () => {
	const rest = [
		...['-c', '/w/my app', '-e', 'CLAUDE_CONFIG_DIR=/c d', '--'],
		...['claude', '--resume', 'x'],
	];
	expect(tmuxCommand(plan, 'window')).toEqual(['tmux', 'new-window', ...rest]);
	expect(tmuxCommand(plan, 'split')).toEqual(['tmux', 'split-window', ...rest]);
});

test('what tmux would read as something else is escaped', () => {
	const command = tmuxCommand({argv: ['a;b', 'c;'], cwd: '/w/#(reboot);', env: {}}, 'window');
	expect(command.slice(2)).toEqual(['-c', '/w/##(reboot)\\;', '--', 'a;b', 'c\\;']);
	// One word alone would be a command line for a shell.
	expect(tmuxCommand({argv: ['claude'], cwd: null, env: {}}, 'window').slice(2)).toEqual([
		'--',
		'env',
		'claude',
	]);
});

test('inside or not', () => {
	expect(isInsideTmux({TMUX: '/tmp/tmux-0/default,1,0'})).toBe(true);
	expect(isInsideTmux({TMUX: ''})).toBe(false);
});

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe.runIf(hasTmux)('in a real tmux', () => {
	let folder: string;
	let env: Readonly<Record<string, string>>;
	const tmux = (...words: string[]) =>
		spawnSync('tmux', words, {env, encoding: 'utf8'}).stdout.trim();

	beforeEach(() => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), 'tmux-')));
		const path = process.env['PATH'] ?? '';
		env = {PATH: path, HOME: folder, TMUX_TMPDIR: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8'};
		tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'test', 'cat');
		const socket = tmux('display-message', '-p', '#{socket_path},#{pid},0');
		env = {...env, TMUX: socket};
	});
	afterEach(() => {
		tmux('kill-server');
		rmSync(folder, {recursive: true});
	});

	test.each(['window', 'split'] as const)('a new %s runs exactly the words', async place => {
		const cwd = join(folder, "it's #(touch pwned) a; $(b) 日本;");
		mkdirSync(cwd);
		const words = ['a b', "it's", '$(touch pwned)', '#{pane_id}', 'end;', '日本', 'x\\;', ''];
		const script = `printf '%s\\0' "$(pwd)" "$VALUE" "$@" > '${folder}/out.new'; mv '${folder}/out.new' '${folder}/out'`;
		await runInTmux(
			{argv: ['sh', '-c', script, 'sh', ...words], cwd, env: {VALUE: 'v w;'}},
			place,
			env,
		);
		await vi.waitUntil(() => existsSync(join(folder, 'out')), {timeout: 10_000});
		expect(readFileSync(join(folder, 'out'), 'utf8').split('\0').slice(0, -1)).toEqual([
			cwd,
			'v w;',
			...words,
		]);
		expect(existsSync(join(cwd, 'pwned'))).toBe(false);
	});

	test('what tmux does not do is said in its own words', async () => {
		const outside = {...env, TMUX: `${folder}/no-socket,1,0`};
		await expect(runInTmux(plan, 'window', outside)).rejects.toThrow(/^tmux did not open it: .+/);
		await expect(runInTmux(plan, 'window', {...env, PATH: '/nowhere'})).rejects.toThrow(ChildError);
	});
});
