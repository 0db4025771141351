import {spawnSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test, vi} from 'vitest';
import {browse, commands} from '../../../source/commands/table.js';
import {backgroundSync} from '../../../source/shell/background-sync.js';
import {bashCompletion} from '../../../source/shell/bash-completion.js';
import {completionTable} from '../../../source/shell/completion-table.js';
import {fishCompletion} from '../../../source/shell/fish-completion.js';
import {keyBinding, parseKey} from '../../../source/shell/key-binding.js';
import {type ShellName, shellNames} from '../../../source/shell/words.js';
import {zshCompletion} from '../../../source/shell/zsh-completion.js';

const table = completionTable({
	app: browse,
	commands,
	agents: ['claude-code', 'codex', 'copilot-cli'],
	takers: ['claude-code', 'codex'],
});
const completions: Readonly<Record<ShellName, string>> = {
	bash: bashCompletion(table),
	zsh: zshCompletion(table),
	fish: fishCompletion(table),
};

let folder: string;
beforeAll(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'shell-')));
});
afterAll(() => rmSync(folder, {recursive: true}));

const shell = (name: ShellName, script: string, words: readonly string[] = []) => {
	const plain = {bash: ['--norc', '--noprofile'], zsh: ['-f'], fish: ['--no-config']}[name];
	const {stdout, stderr, status} = spawnSync(name, [...plain, ...words, '-c', script], {
		encoding: 'utf8',
		cwd: folder,
		env: {PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder, TERM: 'dumb', LANG: 'C.UTF-8'},
	});
	return {lines: stdout.split('\n').filter(line => line !== ''), stdout, stderr, status};
};

/** bash is on every machine; the others are asked where they are. */
const installed = shellNames.filter(name => spawnSync(name, ['-c', 'true']).status === 0);
const isInstalled = (name: ShellName) => installed.includes(name);

test('every command and every flag stands in the completions of every shell', () => {
	for (const {name, flags} of [table.app, ...table.commands]) {
		for (const name of shellNames)
			for (const flag of flags)
				expect(completions[name]).toContain(
					name === 'fish' ? `-l ${flag.name.slice(2)}` : flag.name,
				);
		if (name !== 'browse')
			for (const text of Object.values(completions))
				expect(text).toMatch(new RegExp(`\\b${name}\\b`));
	}
});

describe.each(shellNames)('%s', name => {
	test.runIf(isInstalled(name))('reads all that is printed without a word', () => {
		const key = parseKey('ctrl-g');
		if (!key) throw new Error('no key');
		const whole = [
			completions[name],
			keyBinding(name, key),
			backgroundSync(name, "/da ta/it's/stamp"),
		].join('\n');
		expect(shell(name, whole)).toMatchObject({stdout: '', stderr: '', status: 0});
	});
});

describe('completion in bash', () => {
	beforeAll(() => mkdirSync(join(folder, 'my folder')));
	/** As bash splits it: `=` is a word of its own. */
	const completed = (...words: string[]) =>
		shell(
			'bash',
			`${completions.bash}
COMP_WORDS=(backscroll ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_backscroll; printf '%s\\n' "\${COMPREPLY[@]}"`,
		).lines;

	test('commands and flags', () => {
		expect(completed('resu')).toEqual(['resume']);
		expect(completed('list', '--s')).toEqual(['--since', '--sort']);
		expect(completed('--json', 'export', '--no-')).toEqual(['--no-redact', '--no-sync']);
		expect(completed('init', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish', '--key']));
		expect(completed('resume', 'x', '--', '--y')).toEqual([]);
	});

	test('values', () => {
		expect(completed('list', '--sort', 're')).toEqual(['recent', 'relevance']);
		expect(completed('list', '--sort', '=', 're')).toEqual(['recent', 'relevance']);
		expect(completed('list', '--sort', '=')).toHaveLength(3);
		expect(completed('list', '--agent', 'codex,c')).toEqual([
			'codex,claude-code',
			'codex,codex',
			'codex,copilot-cli',
		]);
		expect(completed('resume', '--with', 'co')).toEqual(['codex']);
		expect(completed('resume', '--dir', 'my')).toEqual(['my folder']);
		expect(completed('list', '--limit', '')).toEqual([]);
	});
});

describe.runIf(isInstalled('fish'))('completion in fish', () => {
	const completed = (line: string) =>
		shell('fish', `${completions.fish}\ncomplete -C ${JSON.stringify(line)}`).lines.map(
			row => row.split('\t')[0],
		);

	test('commands, flags and values', () => {
		expect(completed('backscroll resu')).toEqual(['resume']);
		expect(completed('backscroll list --so')).toEqual(['--sort']);
		expect(completed('backscroll list --sort re')).toEqual(['recent', 'relevance']);
		expect(completed('backscroll list --agent codex,co')).toEqual([
			'codex,codex',
			'codex,copilot-cli',
		]);
		expect(completed('backscroll resume --with co')).toEqual(['codex']);
		expect(completed('backscroll init ')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
	});
});

describe.runIf(isInstalled('zsh'))('completion in zsh', () => {
	test('hands whole specifications to _arguments', () => {
		const asked = (command: string) =>
			shell(
				'zsh',
				`_arguments() { print -rl -- "$@" }
${completions.zsh}
words=(backscroll ${command}); _backscroll`,
			).lines;
		expect(asked('list')).toEqual(
			expect.arrayContaining([
				'--sort=[recent, relevance or messages]:value:(recent relevance messages)',
				'--since=[from then on\\: 2d, 1w, today, 2026-11-01]:value:',
				'*--agent=[only these agents]:value:_values -s , agent claude-code codex copilot-cli',
			]),
		);
		expect(asked('mark')).toContain("--title=[own title; '' takes it back]:value:");
		expect(asked('init').at(-1)).toBe('*:word:(bash zsh fish)');
		expect(asked('').at(-1)).toBe('*:command:{ _describe command names }');
	});
});

describe('the key', () => {
	test('as each shell spells it', () => {
		const spelled = (text: string, name: ShellName) => {
			const key = parseKey(text);
			return key && keyBinding(name, key);
		};
		expect(spelled('ctrl-g', 'bash')).toContain(String.raw`-x '"\C-g": __backscroll_choose'`);
		expect(spelled('Alt-H', 'bash')).toContain(String.raw`'"\eh": `);
		expect(spelled('ctrl-g', 'zsh')).toContain("bindkey -M viins '^g' ");
		expect(spelled('ctrl+g', 'fish')).toContain(String.raw`bind \cg `);
	});

	test('what a shell cannot do without is no key', () => {
		for (const text of ['ctrl-c', 'ctrl-m', 'ctrl-i', 'ctrl-z', 'g', 'ctrl-', 'f1', "ctrl-'"])
			expect(parseKey(text)).toBeUndefined();
	});
});

describe.each(shellNames)('background sync in %s', name => {
	const calls = () => join(folder, 'calls');
	const stamp = () => join(folder, `da ta ${name}`, 'background-sync');
	beforeEach(() => {
		rmSync(calls(), {force: true});
		rmSync(join(stamp(), '..'), {recursive: true, force: true});
		mkdirSync(join(folder, 'bin'), {recursive: true});
		writeFileSync(join(folder, 'bin/backscroll'), `#!/bin/sh\necho "$*" > ${calls()}\n`, {
			mode: 0o755,
		});
	});
	const start = () => shell(name, backgroundSync(name, stamp()), ['-i']);

	test.runIf(isInstalled(name))('runs once in 12 hours, and only where somebody sits', async () => {
		shell(name, backgroundSync(name, stamp()));
		expect(existsSync(stamp())).toBe(false);
		expect(start().stdout).toBe('');
		await vi.waitUntil(() => existsSync(calls()), {timeout: 5000});
		rmSync(calls());
		start();
		// It would have been started before the shell ended.
		expect(existsSync(calls())).toBe(false);
		const longAgo = Date.now() / 1000 - 13 * 3600;
		utimesSync(stamp(), longAgo, longAgo);
		start();
		await vi.waitUntil(() => existsSync(calls()), {timeout: 5000});
	});
});
