import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {
	branchOf,
	mainCheckoutOf,
	remoteOf,
	sameRemote,
	worktreesOf,
} from '../../../source/resume/repository.js';

let home: string;
beforeEach(() => {
	home = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')));
});
afterEach(() => rmSync(home, {recursive: true}));

const write = (path: string, text: string): void => {
	const whole = join(home, path);
	mkdirSync(join(whole, '..'), {recursive: true});
	writeFileSync(whole, text);
};

/** The real git, with nothing of the person's own settings. */
const git = (folder: string, ...words: string[]): void => {
	const {status, stderr} = spawnSync('git', ['-C', folder, ...words], {
		encoding: 'utf8',
		env: {
			PATH: process.env['PATH'] ?? '',
			HOME: home,
			GIT_AUTHOR_NAME: 'a',
			GIT_AUTHOR_EMAIL: 'a@localhost',
			GIT_COMMITTER_NAME: 'a',
			GIT_COMMITTER_EMAIL: 'a@localhost',
		},
	});
	if (status !== 0) throw new Error(stderr);
};

const makeRepository = (name: string): string => {
	const path = join(home, name);
	mkdirSync(path, {recursive: true});
	git(path, 'init', '--quiet', '--initial-branch', 'main');
	git(path, 'commit', '--quiet', '--allow-empty', '--message', 'first');
	return path;
};

describe('what the real git writes', () => {
	test('branch, detached head, no repository', () => {
		const app = makeRepository('w/app');
		mkdirSync(join(app, 'src/deep'), {recursive: true});
		expect(branchOf(join(app, 'src/deep'))).toBe('main');
		git(app, 'checkout', '--quiet', '--detach');
		expect(branchOf(app)).toMatch(/^detached at [0-9a-f]{7}$/);
		expect(branchOf(home)).toBeNull();
	});

	test('worktrees of a checkout, removed ones included, and the checkout of a worktree', () => {
		const app = makeRepository('w/app');
		git(app, 'worktree', 'add', '--quiet', '-b', 'feat/x', '../my trees/x');
		git(app, 'worktree', 'add', '--quiet', '-b', 'y', '../my trees/y');
		rmSync(join(home, 'w/my trees/y'), {recursive: true});
		expect(worktreesOf(app)).toEqual([
			{path: join(home, 'w/my trees/x'), branch: 'feat/x'},
			{path: join(home, 'w/my trees/y'), branch: 'y'},
		]);
		expect(mainCheckoutOf(join(home, 'w/my trees/x'))).toBe(app);
		expect(mainCheckoutOf(app)).toBeNull();
		expect(worktreesOf(home)).toEqual([]);
	});

	test('the remote', () => {
		const app = makeRepository('w/app');
		expect(remoteOf(app)).toBeNull();
		git(app, 'remote', 'add', 'upstream', 'ssh://host.example/other/app.git');
		git(app, 'remote', 'add', 'origin', 'git@host.example:team/app.git');
		expect(remoteOf(app)).toBe('git@host.example:team/app.git');
	});
});

test('a submodule is a checkout of its own', () => {
	write('app/.git/HEAD', 'ref: refs/heads/main\n');
	write('app/.git/modules/lib/HEAD', 'ref: refs/heads/main\n');
	write('app/lib/.git', 'gitdir: ../.git/modules/lib\n');
	expect(mainCheckoutOf(join(home, 'app/lib'))).toBeNull();
	expect(branchOf(join(home, 'app/lib'))).toBe('main');
});

test('a hostile branch name reaches no terminal', () => {
	write('app/.git/HEAD', 'ref: refs/heads/a\x1b[2Jb\n');
	expect(branchOf(join(home, 'app'))).toBe('ab');
});

test('one repository has many addresses', () => {
	for (const address of [
		'git@Host.example:team/app.git',
		'ssh://git@host.example/team/app',
		'ssh://git@host.example:2222/team/app.git',
		'https://user:word@host.example/team/app.git/',
	])
		expect(sameRemote(address)).toBe('host.example/team/app');
	expect(sameRemote('git@host.example:team/app2')).not.toBe('host.example/team/app');
});
